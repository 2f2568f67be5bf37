from django.db import migrations, models


def renamed(*, default: bool) -> models.BooleanField:
    return models.BooleanField(
        default=default,
        help_text="The user chose the title.",
        verbose_name="renamed",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0031_blank_lines_of_erased_notes"),
    ]

    operations = [
        # Who wrote the titles so far is unknown, so they stay.
        migrations.AddField("conversation", "renamed", renamed(default=True)),
        migrations.AlterField("conversation", "renamed", renamed(default=False)),
    ]
