"""Figures of replayed conversations. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from benchmarks.evaluation.measures import percentile
from benchmarks.evaluation.replay import Asked, Played

CATEGORIES = range(1, 5)  # the fifth asks for what was never said


def replay_figures(played: Sequence[Played], budget: int) -> dict[str, Any]:
    turns = [turn for one in played for turn in one.turns]
    asked = [
        a for one in played for a in one.asked if a.question.category in CATEGORIES
    ]
    return {
        "conversations": len(played),
        "turns": len(turns),
        "boundaries": _boundaries(played),
        "prompt_tokens": _spread([turn.tokens for turn in turns]),
        "context_tokens": {"budget": budget, **_spread([t.context for t in turns])},
        "turn_ms": _spread([round(1000 * turn.seconds) for turn in turns]),
        "questions": {
            "asked": len(asked),
            "context_tokens": _spread([one.context for one in asked]),
            "all": _shares(asked, lambda one, found: one.question.evidence <= found),
            "any": _shares(asked, lambda one, found: bool(found)),
        },
        "bytes_per_100_turns": _stored(played, len(turns)),
    }


def _boundaries(played: Sequence[Played]) -> dict[str, Any]:
    """Of the places where an episode begins, against those where a session does."""
    pairs = [pair for one in played for pair in pairwise(one.turns)]
    begun = [before.episode != after.episode for before, after in pairs]
    wanted = [before.session != after.session for before, after in pairs]
    right = sum(a and b for a, b in zip(begun, wanted, strict=True))
    return {
        "sessions": sum(wanted),
        "episodes": sum(begun),
        "precision": _percent(right, sum(begun)),
        "recall": _percent(right, sum(wanted)),
    }


def _shares(
    asked: Sequence[Asked], holds: Callable[[Asked, frozenset[str]], bool]
) -> dict[str, float]:
    """Percentages of questions whose evidence is there, by where it is."""
    return {
        "prompt": _percent(
            sum(holds(a, a.shown | a.derived) for a in asked), len(asked)
        ),
        "messages": _percent(sum(holds(a, a.shown) for a in asked), len(asked)),
        "plain_recall": _percent(sum(holds(a, a.plain) for a in asked), len(asked)),
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _spread(values: Sequence[int]) -> dict[str, float]:
    return {
        "p50": percentile(values, 0.5),
        "p95": percentile(values, 0.95),
        "max": max(values, default=0),
    }


def _stored(played: Sequence[Played], turns: int) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in played:
        total.update(one.stored)
    each = {name: round(100 * size / turns) for name, size in total.items()}
    return {**each, "all": sum(each.values())}


def replay_report(data: dict[str, Any]) -> Iterator[str]:
    found, asked = data["boundaries"], data["questions"]
    yield f"{data['conversations']} conversations, {data['turns']} turns"
    yield (
        f"Episodes: {found['episodes']} boundaries, {found['sessions']} of sessions;"
        f" precision {found['precision']} %, recall {found['recall']} %"
    )
    yield f"Tokens of a prompt: {_line(data['prompt_tokens'])}"
    context = data["context_tokens"]
    yield (
        f"Beside recent messages: {_line(context)}; the budget is {context['budget']}"
    )
    yield f"Milliseconds of a turn without the model: {_line(data['turn_ms'])}"
    yield (
        f"{asked['asked']} questions of categories 1 to 4, with"
        f" {_line(asked['context_tokens'])} tokens beside recent messages"
    )
    for name in ("all", "any"):
        shares = asked[name]
        yield (
            f"With {name} of the evidence in the prompt {shares['prompt']} %, in its"
            f" messages alone {shares['messages']} %, by plain recall of messages"
            f" {shares['plain_recall']} %"
        )
    sizes = data["bytes_per_100_turns"].items()
    yield "Bytes stored in 100 turns: " + ", ".join(f"{n} {size}" for n, size in sizes)


def _line(spread: dict[str, float]) -> str:
    return f"p50 {spread['p50']}, p95 {spread['p95']}, at most {spread['max']}"
