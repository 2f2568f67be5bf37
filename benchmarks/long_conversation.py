"""A conversation of a thousand turns: whether prompts and turns stay as they are.

Summaries are made of the sentences with the rarest words. A turn's time is without its
jobs, as they run after the reply.
"""

import json
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

from benchmarks.scene import Scene
from benchmarks.sentences import facts
from benchmarks.timing import ratio
from conversations.replay import PlayedTurn, play
from meddie.ai.extractive import summarise
from memory.evaluation.locomo import Exchange, Spoken, Transcript
from tests.openai_server import Answer, says

TURNS = 1_000
EVENING = 20  # turns of a day
PART = 100  # turns that are compared: after the window is full, and the last ones
FIRST_DAY = datetime(2026, 1, 1, 18, tzinfo=UTC)


def run(scene: Scene) -> dict[str, Any]:
    """Tokens and milliseconds of early and late turns."""
    scene.server.titles.default = _sum_up
    turns = play(_talk(), lambda _: None).turns
    early, late = turns[PART : 2 * PART], turns[-PART:]
    return {
        "turns": len(turns),
        "episodes": len({turn.episode for turn in turns}),
        "early": _figures(early),
        "late": _figures(late),
        "largest_prompt": max(turn.tokens for turn in turns),
        "late_to_early": ratio(
            [turn.seconds for turn in late], [turn.seconds for turn in early]
        ),
    }


def _sum_up(body: dict[str, Any]) -> Answer:
    return says(json.dumps(summarise(body["messages"])))


def _talk() -> Transcript:
    said = facts(2 * TURNS)
    exchanges = [
        Exchange(
            Spoken(f"{said[2 * number]}.", frozenset()),
            Spoken(f"{said[2 * number + 1]}, I see.", frozenset()),
            session=number // EVENING,
            at=FIRST_DAY
            + timedelta(days=number // EVENING, minutes=2 * (number % EVENING)),
        )
        for number in range(TURNS)
    ]
    return Transcript("long", tuple(exchanges), ())


def _figures(turns: list[PlayedTurn]) -> dict[str, float]:
    return {
        "prompt_tokens": median(turn.tokens for turn in turns),
        "context_tokens": median(turn.context for turn in turns),
        "ms": round(1000 * median(turn.seconds for turn in turns), 1),
    }
