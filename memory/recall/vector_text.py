"""A vector as PostgreSQL reads it."""

import numpy as np

from meddie.ai.vectors import Vector


def vector_text(vector: Vector) -> str:
    """The literal of a vector. Zeros at the end are padding, and put down unread."""
    (filled,) = np.nonzero(vector)
    end = int(filled[-1]) + 1 if len(filled) else 0
    numbers = "%.9g," * end % tuple(vector[:end].tolist())
    return f"[{numbers}{'0,' * (len(vector) - end)}"[:-1] + "]"
