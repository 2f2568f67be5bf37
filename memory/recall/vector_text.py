"""A vector as PostgreSQL reads it."""

from meddie.ai.vectors import Vector


def vector_text(vector: Vector) -> str:
    """The literal of a vector, without the zeros' decimals: they are padding."""
    return "[" + ",".join(f"{value:.9g}" for value in vector.tolist()) + "]"
