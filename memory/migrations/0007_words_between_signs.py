"""Words joined by a sign are words of their own: "nuts/eggs/milk", "120/80"."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_planning")]

    operations = [
        migrations.RemoveIndex("memory", "memories_content_tsv_gin"),
        migrations.RemoveField("memory", "content_tsv"),
        migrations.AddField(
            "memory",
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
        migrations.AddIndex(
            "memory",
            GinIndex(fields=["content_tsv"], name="memories_content_tsv_gin"),
        ),
    ]
