from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0013_texts_out_of_events"),
    ]

    operations = [
        migrations.AddField(
            model_name="memorypolicy",
            name="also_known_tokens",
            field=models.PositiveIntegerField(
                default=1000,
                help_text="For the newest facts that a search did not find; 0 for none.",
                verbose_name="tokens for further facts",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("active", True)),
                fields=["user", "space", "-stated_at", "-id"],
                name="memories_newest",
            ),
        ),
    ]
