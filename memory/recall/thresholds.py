"""Thresholds of each embedding model, from `manage.py calibrate`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines, except `gate`, which is a score of ranking `chat`."""

    gate: float
    # The lowest of a row with few of the query's words.
    floor: float
    # The best of the facts that a message is about; below it `chat` shows none without
    # the message's words. 0 for a model that is not calibrated.
    about: float = 0.0
    # Ranking `strict_semantic` shows rows above it: S1's number, of `mistral-embed`.
    strict: float = 0.8
    # Ranking `episodes` shows rows above it: a distance of 0.4 (S4-31).
    episode: float = 0.6
    # Two facts are the same; state the same thing, so the newer comes first; a fact of a
    # reply may tell a retracted one again.
    duplicate: float = 0.92
    alike: float = 0.8
    tombstone: float = 0.6
    # A message below it is off the topic of a summary: S2-24's number, which was measured
    # with the bundled model only.
    topic: float = 0.7


DOCUMENT = Thresholds(gate=0.35, floor=0.25)
THRESHOLDS = {
    "text-embedding-3-small": DOCUMENT,
    "universal-sentence-encoder-multilingual-3": Thresholds(
        gate=0.042,
        floor=0.06,
        about=0.12,
        strict=0.11,
        episode=0.12,
        duplicate=0.85,
        topic=0.04,
    ),
    "mistral-embed": Thresholds(
        gate=0.49, floor=0.7, episode=0.7, duplicate=0.95, alike=0.9, tombstone=0.85
    ),
    "none": Thresholds(gate=0.0, floor=1.0, topic=0.0),
}


def thresholds(model: str) -> Thresholds:
    return THRESHOLDS.get(model, DOCUMENT)
