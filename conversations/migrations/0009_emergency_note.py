from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0008_help_texts")]

    operations = [
        migrations.AddField(
            "message",
            "emergency_note",
            models.TextField(blank=True, default="", verbose_name="emergency note"),
            preserve_default=False,
        ),
    ]
