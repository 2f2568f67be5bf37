"""Thresholds of each embedding model, from `memory.recall.calibration`."""

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from memory.models import CalibrationJob
from memory.recall.query import NO_ORDER

# The part of the way from `about` to 1 that a point of the score counts.
ORDER_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines, except `gate`, which is a score of ranking `chat`."""

    gate: float
    # The lowest of a row with few of the query's words.
    floor: float
    # Rankings `strict_semantic` and `episodes` show rows above them, and a message below
    # `topic` is off the topic of a summary. 0.8 (S1), 0.6 (S4-31) and 0.7 (S2-24) are of
    # other models and hide right rows, so these are low until they are measured: of a
    # related question and text the cosine of OpenAI's model is about 0.44, of others 0.08.
    strict: float = 0.3
    episode: float = 0.25
    topic: float = 0.15
    # The best row that a message is about; below it nothing is shown without the
    # message's words. 0 for a model that is not calibrated.
    about: float = 0.0
    # Two facts are the same; state the same thing, so the newer comes first; a fact of a
    # reply may tell a retracted one again.
    duplicate: float = 0.92
    alike: float = 0.8
    tombstone: float = 0.6

    def for_message(self, order: float) -> Self:
        """With `about` for a message of this score of the class `order` (decision 56).

        The score of what people say of themselves is below that of questions about the
        world, and of these below that of orders.
        """
        further = ORDER_SHARE * (1 - self.about) * (order - NO_ORDER)
        return replace(self, about=self.about + further)


# Until a model is calibrated.
UNMEASURED = Thresholds(gate=0.35, floor=0.25)
ASSUMED = {
    # S1's model, with the document's 0.8.
    "mistral-embed": Thresholds(
        gate=0.49,
        floor=0.7,
        strict=0.8,
        episode=0.7,
        duplicate=0.95,
        alike=0.9,
        tombstone=0.85,
        topic=0.7,
    ),
}
BUILT_IN = {
    "universal-sentence-encoder-multilingual-3": Thresholds(
        gate=0.042,
        floor=0.06,
        about=0.19,
        strict=0.11,
        episode=0.12,
        duplicate=0.85,
        topic=0.04,
    ),
    "none": Thresholds(gate=0.0, floor=1.0, strict=1.0, episode=1.0, topic=0.0),
}


CACHED_SECONDS = 60.0  # seconds for which a process keeps what it read


def thresholds(model: str) -> Thresholds:
    """Those measured of a model, or assumed. May ask one statement."""
    known = BUILT_IN.get(model) or measured(
        model, int(time.monotonic() // CACHED_SECONDS)
    )
    return known or ASSUMED.get(model, UNMEASURED)


@lru_cache(maxsize=8)
def measured(model: str, _when: int) -> Thresholds | None:
    rows = CalibrationJob.objects.filter(model=model)
    values = rows.values_list("thresholds", flat=True).first()
    return Thresholds(**values) if values else None
