import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("conversations", "0003_sql"),
        ("memory", "0003_sql"),
        ("people", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="memory",
            name="may_replace",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="An older memory, about which the user is asked.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memory.memory",
            ),
        ),
        AddIndexConcurrently(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("may_replace__isnull", False)),
                fields=["may_replace"],
                name="memories_may_replace",
            ),
        ),
    ]
