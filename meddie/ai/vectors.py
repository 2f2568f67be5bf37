"""Vectors in the database's width."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from meddie.ai.errors import Garbled, Refused

WIDTH = 1536
Vector = npt.NDArray[np.float32]


def fit_width(rows: Sequence[Sequence[float]] | Vector) -> list[Vector]:
    """Unit vectors padded with zeros. Raises Garbled for a zero vector."""
    if not len(rows):
        return []
    try:
        given = np.asarray(rows, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise Garbled("vectors of different lengths") from error
    if given.ndim != 2:
        raise Garbled("no vectors")
    if given.shape[1] > WIDTH:
        raise Refused(f"vectors of {given.shape[1]} dimensions, at most {WIDTH} fit")
    norms = np.linalg.norm(given, axis=1, keepdims=True)
    if not (np.isfinite(norms) & (norms > 0)).all():
        raise Garbled("a vector that is zero or not finite")
    padded = np.zeros((len(given), WIDTH), np.float32)
    padded[:, : given.shape[1]] = given / norms
    padded.setflags(write=False)
    return list(padded)
