"""Help texts of conversations."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0007_receipt_kinds"),
    ]

    operations = [
        migrations.AlterField(
            model_name="conversation",
            name="carries",
            field=models.ForeignKey(
                blank=True,
                help_text="Earlier conversation whose last messages are in the prompt.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="conversations.conversation",
            ),
        ),
    ]
