"""Where "alike" begins, one row per embedding model: every model has its own scale.

The document's values for the document's model; for the others what `manage.py
calibrate` finds by its rules, of which the first is: the lowest gate at which at most
5 % of the questions without an answer in the store get a row.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Nothing at all comes back unless a row stands out by `floor_rise` from the store
    (see `silence`), of which `unrelated` is the model's usual cosine of two texts that
    have nothing to do with each other; by `floor_growth` more for each doubling of the
    store beyond forty rows, and less for each halving. It has to stand out by a
    `floor_step` more for each further row. `gate` is the lowest score that profile
    `chat` keeps. A row must also reach
    `floor_cosine` or `floor_keyword`, raw signals both; without a vector to compare it
    must reach `floor_alone`. Above the cosine `duplicate` two facts are the same; above
    `alike` two statements are on the same thing, so the newer goes first; above
    `retold` one that was retracted is told again if the words fit too."""

    gate: float
    floor_cosine: float
    floor_keyword: float = 0.5
    floor_alone: float = 0.27
    floor_rise: float = 0.25
    floor_growth: float = 0.02
    floor_step: float = 0.02
    unrelated: float = 0.05
    duplicate: float = 0.92
    alike: float = 0.8
    retold: float = 0.75


DOCUMENT = Thresholds(gate=0.35, floor_cosine=0.25, unrelated=0.1)
THRESHOLDS = {
    "text-embedding-3-small": DOCUMENT,
    "all-MiniLM-L6-v2": Thresholds(
        gate=0.189,
        floor_cosine=0.27,
        floor_rise=0.25,
        floor_growth=0.02,
        floor_step=0.02,
        unrelated=0.02,
    ),
    "mistral-embed": Thresholds(
        gate=0.49,
        floor_cosine=0.7,
        floor_rise=0.12,
        floor_growth=0.01,
        floor_step=0.01,
        unrelated=0.6,
        duplicate=0.95,
        alike=0.9,
        retold=0.85,
    ),
    "none": Thresholds(gate=0.0, floor_cosine=1.0, floor_step=0.015),
}


def thresholds(model: str) -> Thresholds:
    """The thresholds of a model; the document's where the model is not known."""
    return THRESHOLDS.get(model, DOCUMENT)
