from django.db import migrations, models

import conversations.models.message


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0030_deleted_people"),
        ("people", "0013_units"),
    ]

    operations = [
        migrations.AlterField(
            model_name="message",
            name="profile_update",
            field=models.OneToOneField(
                blank=True,
                help_text="The change that a system message tells of.",
                null=True,
                on_delete=conversations.models.message.blank_line,
                related_name="message",
                to="people.profileupdate",
            ),
        ),
    ]
