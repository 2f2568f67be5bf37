"""Which of many vectors are close to any row of a scope: the rows come over once, and the
matrix product is ours. A database compares one pair at a time.

The short copies come first. As all vectors have length 1, the cosine of two of them is at
most that of the parts that came plus what the lengths of the other parts allow; only
where that is enough, the row is read in full.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import connection

from memory.capture import store
from memory.capture.neighbours import MARGIN
from memory.models.embedded import DIMENSIONS, NEAR_DIMENSIONS
from memory.recall.thresholds import thresholds
from people.scope import Scope

Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
BATCH = 2_000
SHORT = """
SELECT active, id, halfvec_send(near) FROM memories
 WHERE user_id = %(user)s AND space_id = %(space)s AND audience = 'private'
   AND embedding_model = %(model)s AND (active OR retired_reason = 'retracted')
"""
FULL = """
SELECT id, vector_send(embedding) FROM memories
 WHERE user_id = %(user)s AND space_id = %(space)s AND id = ANY(%(ids)s)
"""
HEADER = 4
"""Bytes before the numbers, which stand with the highest byte first."""


def close_to_rows(scope: Scope, vectors: Matrix, model: str) -> set[int]:
    """The places of vectors to which an active row may be a duplicate, or one that was
    retracted the same in other words."""
    levels = thresholds(model)
    whose: dict[str, Any] = {
        "user": store.owner(scope),
        "space": scope.space_id,
        "model": model,
    }
    close: set[int] = set()
    with connection.chunked_cursor() as cursor:
        cursor.execute(SHORT, whose)
        while found := cursor.fetchmany(BATCH):
            active, ids, short = zip(*found, strict=True)
            limits = np.where(active, levels.duplicate, levels.retold) - MARGIN
            met = _at_most(vectors, _numbers(short, ">f2", NEAR_DIMENSIONS)) > limits
            near = np.flatnonzero(met.any(axis=0))
            full, near = _in_full(whose, ids, near)
            if len(near):
                sure = met[:, near] & (vectors @ full.T > limits[near])
                close.update(np.flatnonzero(sure.any(axis=1)).tolist())
    return close


def _at_most(vectors: Matrix, short: Matrix) -> Matrix:
    """The largest cosines that these vectors can have with rows of these short copies."""
    begun, left = vectors[:, :NEAR_DIMENSIONS], vectors[:, NEAR_DIMENSIONS:]
    hidden = np.sqrt(np.maximum(0, 1 - np.square(short).sum(axis=1)))
    most: Matrix = begun @ short.T + np.outer(np.linalg.norm(left, axis=1), hidden)
    return most


def _in_full(
    whose: dict[str, Any], ids: Sequence[UUID], near: Places
) -> tuple[Matrix, Places]:
    """The vectors of rows at these places, and the places of those that still stand:
    who deletes a whole space waits for no import."""
    if not len(near):
        return np.empty((0, DIMENSIONS), np.float32), near
    with connection.cursor() as cursor:
        cursor.execute(FULL, whose | {"ids": [ids[place] for place in near]})
        sent = dict(cursor.fetchall())
    there = near[[ids[place] in sent for place in near]]
    vectors = _numbers([sent[ids[place]] for place in there], ">f4", DIMENSIONS)
    return vectors, there


def _numbers(sent: Sequence[bytes], kind: str, width: int) -> Matrix:
    """Vectors as PostgreSQL sends them."""
    read = [np.frombuffer(one, kind, offset=HEADER) for one in sent]
    return np.array(read, np.float32).reshape(len(sent), width)
