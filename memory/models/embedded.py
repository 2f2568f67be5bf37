"""What every table with a vector shares: the column of S0 and a short copy to scan.

Vectors are padded with zeros to 1,536 dimensions, which changes no cosine. `near` is
stored in the row and scans many times faster than the full column, which is in TOAST.
The generated tsvector uses the language-neutral configuration `simple` (S0-26).
PostgreSQL's parser takes "nuts/eggs/milk", "120/80" and "2.5" for one word each. Signs
become spaces first, so that its words are those of `memory.words`.
"""

from typing import Any

from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField, VectorField

DIMENSIONS = 1536
NEAR_DIMENSIONS = 384
SIGNS = "/.:-+_@#~&=?"
NO_MODEL = "none"
"""Model of a row that has no vector yet: never compared by vector."""


class Near(models.Func):
    """The first 384 dimensions at half precision."""

    template = (
        f"(subvector(%(expressions)s, 1, {NEAR_DIMENSIONS})"
        f"::halfvec({NEAR_DIMENSIONS}))"
    )
    arity = 1

    def __init__(self, expression: Any, **extra: Any) -> None:
        super().__init__(
            expression,
            output_field=HalfVectorField(dimensions=NEAR_DIMENSIONS),
            **extra,
        )


class Embedded(models.Model):
    embedding = VectorField(dimensions=DIMENSIONS)
    embedding_model = models.CharField(max_length=128)
    near = models.GeneratedField(
        expression=Near("embedding"),
        output_field=HalfVectorField(dimensions=NEAR_DIMENSIONS),
        db_persist=True,
    )

    class Meta:
        abstract = True


def simple_tsvector(column: str) -> models.GeneratedField:
    """A stored tsvector of a column, in the language-neutral configuration."""
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
