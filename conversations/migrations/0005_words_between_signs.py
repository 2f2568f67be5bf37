"""Words joined by a sign are words of their own: "nuts/eggs/milk", "120/80"."""

from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0004_message_index")]

    operations = [
        migrations.RemoveField("messageindex", "content_tsv"),
        migrations.AddField(
            "messageindex",
            "content_tsv",
            models.GeneratedField(
                db_persist=True,
                expression=SearchVector(
                    models.Func(
                        models.F("content"),
                        models.Value("/.:-+_@#~&=?"),
                        models.Value(" " * 12),
                        function="translate",
                        output_field=models.TextField(),
                    ),
                    config="simple",
                ),
                output_field=SearchVectorField(),
            ),
        ),
    ]
