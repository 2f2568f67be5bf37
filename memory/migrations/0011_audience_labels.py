from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_ranking")]

    operations = [
        migrations.AlterField(
            "memory",
            "audience",
            models.CharField(
                choices=[
                    ("private", "private"),
                    ("space", "the whole space"),
                    ("everyone", "everyone"),
                ],
                default="private",
                max_length=8,
            ),
        ),
    ]
