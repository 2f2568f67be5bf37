from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("memory", "0011_subject"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("person__isnull", False)),
                fields=["person"],
                name="memories_person",
            ),
        ),
        AddIndexConcurrently(
            model_name="profilefact",
            index=models.Index(
                condition=models.Q(("person__isnull", False)),
                fields=["person"],
                name="memory_profile_fact_person",
            ),
        ),
        AddIndexConcurrently(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("subject", None), ("user__isnull", False)),
                fields=["user", "space"],
                name="memories_unread",
            ),
        ),
        AddIndexConcurrently(
            model_name="profilefact",
            index=models.Index(
                condition=models.Q(("subject", None)),
                fields=["user", "space"],
                name="memory_profile_fact_unread",
            ),
        ),
    ]
