"""Columns of every table with a vector.

`near` has the first 512 numbers at half precision and scans faster than `embedding`, in
TOAST, which is NULL where these are the whole vector.
"""

import uuid
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self

import numpy as np
from django.apps import apps
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models.functions import Lower
from pgvector import HalfVector
from pgvector.django import HalfVectorField, VectorField

from meddie import dispatch
from meddie.ai.vectors import Vector
from memory.wording.words import LETTERS, LIGATURES, MARKS, PLAIN_LETTERS

DIMENSIONS = 1536
NEAR_DIMENSIONS = 512
# PostgreSQL takes "nuts/eggs" and "2.5" for one word each, and in the locale C all that
# is not ASCII for letters: also quotation marks, dashes and emoji.
SEPARATING_SIGNS = (
    r"[-/.:+_@#~&=?\u00a1-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u061b"
    r"\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff"
    r"\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ufffc\ufffd"
    r"\U0001f000-\U0001faff]"
)
NO_MODEL = "none"  # of rows without a vector
NO_VECTOR = np.zeros(DIMENSIONS, np.float32)
# The vector of a row `r`.
WHOLE = f"""coalesce(r.embedding, r.near::vector
                || array_fill(0, ARRAY[{DIMENSIONS - NEAR_DIMENSIONS}])::vector)"""


def is_wide(vector: Vector) -> bool:
    """Whether the short copy leaves numbers of it out."""
    return bool(vector[NEAR_DIMENSIONS:].any())


class Embedded(models.Model):
    """`embedding_model` says whether a row has a vector."""

    VECTORS: ClassVar[Sequence[str]] = ("embedding", "near")

    embedding = VectorField(dimensions=DIMENSIONS, null=True)
    embedding_model = models.CharField(max_length=128, default=NO_MODEL)
    near = HalfVectorField(dimensions=NEAR_DIMENSIONS, null=True)

    class Meta:
        abstract = True

    @property
    def vector(self) -> Vector:
        """Padded with zeros."""
        vector = NO_VECTOR.copy()
        stored = self.near if self.embedding is None else self.embedding
        if stored is not None:
            vector[: len(stored)] = stored
        return vector

    @vector.setter
    def vector(self, vector: Vector) -> None:
        near = HalfVector(vector[:NEAR_DIMENSIONS]).to_list()
        self.near = near if vector.any() else None
        self.embedding = vector if is_wide(vector) else None

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


def folded_text(text: models.expressions.Combinable) -> models.Func:
    """As `memory.wording.words.plain` folds it."""
    decomposed = _function(
        "normalize", text, template="%(function)s(%(expressions)s, NFKD)"
    )
    letters = _function("regexp_replace", Lower(decomposed), MARKS, "", "g")
    folded = _function(
        "normalize", letters, template="%(function)s(%(expressions)s, NFC)"
    )
    for ligature, written in LIGATURES.items():
        folded = _function("replace", folded, ligature, written)
    return _function("translate", folded, LETTERS, PLAIN_LETTERS)


def simple_tsvector(*columns: str) -> models.GeneratedField:
    """Folded, in the configuration `simple` (S0-26)."""
    words = [
        _function(
            "regexp_replace", folded_text(models.F(column)), SEPARATING_SIGNS, " ", "g"
        )
        for column in columns
    ]
    return models.GeneratedField(
        expression=SearchVector(*words, config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )


def _function(
    name: str,
    text: models.expressions.Combinable,
    *values: str,
    **options: str,
) -> models.Func:
    bound = map(models.Value, values)
    return models.Func(
        text, *bound, function=name, output_field=models.TextField(), **options
    )
