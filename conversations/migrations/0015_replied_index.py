from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("conversations", "0014_telegram_messages"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="message",
            index=models.Index(
                condition=models.Q(("replies_to__isnull", False)),
                fields=["replies_to"],
                name="conversations_message_replied",
            ),
        ),
    ]
