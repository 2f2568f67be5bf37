from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0010_wider_near"),
    ]

    operations = [
        migrations.AddField(
            model_name="receipt",
            name="section",
            field=models.CharField(
                choices=[
                    ("remembered", "remembered facts"),
                    ("also_known", "also known"),
                ],
                default="remembered",
                max_length=16,
                verbose_name="section",
            ),
        ),
    ]
