"""The admin's log without the names of deleted rows."""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Exists, F, Model, OuterRef, TextField
from django.db.models.functions import Cast


def remove_deleted_names(*models: type[Model]) -> None:
    """Replace names by keys where the rows are deleted; without models, of all."""
    logged = ContentType.objects.filter(logentry__isnull=False).distinct()
    for kind in ContentType.objects.get_for_models(*models).values() or logged:
        named = LogEntry.objects.filter(content_type=kind)
        named = named.exclude(object_repr=F("object_id"))
        model = kind.model_class()
        if model is not None:
            rows = model._default_manager.annotate(key=Cast("pk", TextField()))  # noqa: SLF001 -- Django's name for it
            named = named.exclude(Exists(rows.filter(key=OuterRef("object_id"))))
        named.update(object_repr=F("object_id"))
