from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0026_withheld_messages"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="receipt",
            name="conversations_receipt_object",
        ),
        migrations.AddIndex(
            model_name="receipt",
            index=models.Index(
                condition=models.Q(("kind__in", ["memory", "profile_fact", "lore"])),
                fields=["object_id"],
                name="conversations_receipt_object",
            ),
        ),
    ]
