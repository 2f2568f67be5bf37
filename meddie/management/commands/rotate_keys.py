"""Re-encrypt all encrypted columns with the first of FIELD_KEYS."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Model, QuerySet, TextField
from django.db.models.functions import Cast

from meddie import crypto

BATCH = 200


class Command(BaseCommand):
    help = "Re-encrypt every encrypted column with the first of FIELD_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how many values changed; a second run changes none."""
        lost = 0
        for model, column in _columns():
            seen = _rotate(model, column)
            lost += seen["unreadable"]
            self.stdout.write(
                f"{model.__name__}.{column}: {seen['rotated']} re-encrypted,"
                f" {seen['current']} up to date"
            )
        if lost:
            raise CommandError(
                f"No key of FIELD_KEYS decrypts {lost} values; add the key that encrypted"
                " them after the first."
            )


def _columns() -> Iterator[tuple[type[Model], str]]:
    for model in apps.get_models():
        for field in model._meta.local_fields:  # noqa: SLF001 -- Django's
            if isinstance(field, crypto.EncryptedField):
                yield model, field.attname


def _rotate(model: type[Model], column: str) -> Counter[str]:
    """Count the outcomes over batches in primary key order."""
    last, results = _rotate_batch(model, column, after=None)
    seen = Counter(results)
    while last is not None:
        last, results = _rotate_batch(model, column, after=last)
        seen.update(results)
    return seen


@transaction.atomic
def _rotate_batch(
    model: type[Model], column: str, *, after: Any
) -> tuple[Any, list[str]]:
    """Re-encrypt one batch; the last key, or None, and the outcomes."""
    rows: QuerySet[Model] = (
        QuerySet(model).filter(**{f"{column}__isnull": False}).order_by("pk")
    )
    if after is not None:
        rows = rows.filter(pk__gt=after)
    stored = rows.select_for_update(of=("self",)).values_list(
        "pk", Cast(column, TextField())
    )
    batch = list(stored[:BATCH])
    done = [_rotate_value(model, column, pk, value) for pk, value in batch]
    return (batch[-1][0] if batch else None), done


def _rotate_value(model: type[Model], column: str, pk: Any, stored: str) -> str:
    if crypto.is_current(stored):
        return "current"
    try:
        text = crypto.decrypt(stored)
    except crypto.KeyLost:
        return "unreadable"
    QuerySet(model).filter(pk=pk).update(**{column: text})
    return "rotated"
