from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("people", "0003_interface_languages"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="profileupdate",
            index=models.Index(fields=["created_at"], name="people_profileupdate_late"),
        ),
    ]
