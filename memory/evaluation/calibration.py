"""Where "alike" begins for an embedding model: the stated rule, on made-up facts.

The floor is the lowest cosine at which at most 5 % of the questions without an answer
in the store get a row. The gate is the score of a row at that floor which shares no
word with the question. Pure but for the embedder.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import ANSWERED, FACTS, SMALL_TALK, UNANSWERED
from memory.recall.profiles import CHAT

TOLERATED = 0.05
STEP = 0.01


@dataclass(frozen=True, slots=True)
class Calibration:
    """A model's floor and gate, and what they do on the same questions: the share of
    answers that stay, and of unanswerable questions that get a row all the same."""

    floor_cosine: float
    gate: float
    kept: float
    intruded: float


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model. Raises AIError when it does not answer."""
    facts = np.array(embedder.embed(FACTS))
    nearest = _cosines(embedder, UNANSWERED + SMALL_TALK, facts).max(axis=1)
    floor = lowest_floor(nearest.tolist())
    answers = _cosines(embedder, tuple(ANSWERED), facts)
    found = [
        bool(row[number] >= floor)
        for row, numbers in zip(answers, ANSWERED.values(), strict=True)
        for number in numbers
    ]
    return Calibration(
        floor,
        round(CHAT.cosine_weight * floor, 3),
        sum(found) / len(found),
        float(np.mean(nearest >= floor)),
    )


def lowest_floor(nearest: Sequence[float]) -> float:
    """The lowest floor, in steps of a hundredth, that at most 5 % of these reach."""
    allowed = math.floor(TOLERATED * len(nearest))
    highest_refused = sorted(nearest, reverse=True)[allowed]
    return (math.floor(highest_refused / STEP) + 1) * STEP


def _cosines(
    embedder: Embedder, texts: Sequence[str], facts: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    cosines: npt.NDArray[np.float32] = np.array(embedder.embed(texts)) @ facts.T
    return cosines
