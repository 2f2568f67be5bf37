"""Thresholds on cosines, one row per embedding model: every model has its own scale.

Gate and floor are the document's for its own model (S0-23), and what `manage.py calibrate`
prints for the others.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`gate` is the lowest score that ranking `chat` shows, `floor` the lowest cosine of a
    row with few of the query's words. From the cosine `duplicate` on two facts are the
    same, from `alike` on they state the same thing, so the newer comes first, and from
    `retold` on a retracted fact counts as told again if the words fit too.
    """

    gate: float
    floor: float
    duplicate: float = 0.92
    alike: float = 0.8
    retold: float = 0.75


DOCUMENT = Thresholds(gate=0.35, floor=0.25)
THRESHOLDS = {
    "text-embedding-3-small": DOCUMENT,
    "all-MiniLM-L6-v2": Thresholds(gate=0.189, floor=0.27),
    "mistral-embed": Thresholds(
        gate=0.49, floor=0.7, duplicate=0.95, alike=0.9, retold=0.85
    ),
    "none": Thresholds(gate=0.0, floor=1.0),
}


def thresholds(model: str) -> Thresholds:
    """The thresholds of a model; the document's for an unknown one."""
    return THRESHOLDS.get(model, DOCUMENT)
