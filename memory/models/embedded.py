"""Columns of every table with a vector, padded with zeros to 1,536 dimensions.

The short copy `near` is in the row and scans faster than the full column, in TOAST.
"""

from typing import Any

from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Value
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, VectorField

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
    embedding = VectorField(dimensions=DIMENSIONS)
    embedding_model = models.CharField(max_length=128)
    near = models.GeneratedField(
        expression=Near("embedding", dimensions=NEAR_DIMENSIONS),
        output_field=HalfVectorField(dimensions=NEAR_DIMENSIONS),
        db_persist=True,
    )

    class Meta:
        abstract = True


def simple_tsvector(column: str) -> models.GeneratedField:
    """In the configuration `simple` (S0-26).

    Signs become spaces: PostgreSQL takes "nuts/eggs" and "2.5" for one word each.
    """
    signs, spaces = models.Value(SIGNS), models.Value(" " * len(SIGNS))
    words = models.Func(
        models.F(column),
        signs,
        spaces,
        function="translate",
        output_field=models.TextField(),
    )
    return models.GeneratedField(
        expression=SearchVector(words, config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
