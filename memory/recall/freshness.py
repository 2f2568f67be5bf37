"""Put the newer of two statements on the same thing first."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.values import Recalled

# Scores of two alike statements may differ by so much.
CLOSE = 0.2
# Texts with more different words are not statements of one thing: any two days of the
# same people are alike.
STATEMENT = 40


def newer_first(
    ranked: Sequence[Recalled], newer: Mapping[UUID, Sequence[UUID]]
) -> list[Recalled]:
    """Move statements after newer, alike ones of nearly their score.

    `newer` maps rows to newer, alike ones.
    """
    if not any(newer.values()):
        return list(ranked)
    place = {one.memory_id: float(number) for number, one in enumerate(ranked)}
    score = {r.memory_id: r.score for r in ranked if _is_statement(r.text)}
    for one in ranked:
        key = one.memory_id
        for other in newer.get(key, ()):
            if key in score and score.get(other, -9.0) >= one.score - CLOSE:
                place[other] = min(place[other], place[key] - 0.5)
    return sorted(ranked, key=lambda r: (place[r.memory_id], -r.stated_at.timestamp()))


def _is_statement(text: str) -> bool:
    return len(set(text.lower().split())) <= STATEMENT
