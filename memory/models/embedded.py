"""Columns of every table with a vector, padded with zeros to 1,536 dimensions.

The short copy `near` scans faster than the full column, in TOAST.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from django.apps import apps
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Value
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, VectorField

from meddie import dispatch

DIMENSIONS = 1536
NEAR_DIMENSIONS = 512
"""Of the short copy, which holds a vector of the local model whole."""
SIGNS = "/.:-+_@#~&=?"
NO_MODEL = "none"  # of rows without a vector
# A literal is faster to send than an array.
NO_VECTOR = Cast(Value(f"[{','.join('0' * DIMENSIONS)}]"), VectorField())


class Near(models.Func):
    """The first dimensions at half precision."""

    template = (
        "(subvector(%(expressions)s, 1, %(dimensions)s)::halfvec(%(dimensions)s))"
    )
    arity = 1

    def __init__(self, expression: Any, dimensions: int, **extra: Any) -> None:
        super().__init__(
            expression,
            output_field=HalfVectorField(dimensions=dimensions),
            dimensions=dimensions,
            **extra,
        )


class Embedded(models.Model):
    VECTORS: ClassVar[Sequence[str]] = ("embedding", "near")

    embedding = VectorField(dimensions=DIMENSIONS)
    embedding_model = models.CharField(max_length=128)
    near = models.GeneratedField(
        expression=Near("embedding", dimensions=NEAR_DIMENSIONS),
        output_field=HalfVectorField(dimensions=NEAR_DIMENSIONS),
        db_persist=True,
    )

    class Meta:
        abstract = True

    @classmethod
    def to_embed(cls) -> "models.QuerySet[Self]":
        """The rows whose vectors are kept up to date."""
        return cls._default_manager.all()

    @classmethod
    def embed_later(cls, keys: Iterable[uuid.UUID]) -> None:
        """In a task; call it after the commit."""
        ids = [str(key) for key in keys]
        dispatch.enqueue("memory.embed", cls._meta.label, ids)


def embedded_tables() -> list[type[Embedded]]:
    models = [model for model in apps.get_models() if issubclass(model, Embedded)]
    return [model for model in models if not model._meta.proxy]  # noqa: SLF001 -- Django documents it


def simple_tsvector(*columns: str) -> models.GeneratedField:
    """In the configuration `simple` (S0-26).

    Signs become spaces: PostgreSQL takes "nuts/eggs" and "2.5" for one word each.
    """
    signs, spaces = models.Value(SIGNS), models.Value(" " * len(SIGNS))
    words = [
        models.Func(
            models.F(column),
            signs,
            spaces,
            function="translate",
            output_field=models.TextField(),
        )
        for column in columns
    ]
    return models.GeneratedField(
        expression=SearchVector(*words, config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
