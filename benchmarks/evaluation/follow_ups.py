"""Ways to search a longer message of a dialogue, which goes on or changes the topic.

A dialogue of `dialogues.json` is played turn by turn as in a conversation. Its last message
has 50 characters or more, and `gold` names the facts that it needs.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from uuid import UUID

import numpy as np

from benchmarks.evaluation.locomo import Unit
from benchmarks.evaluation.scratch import Store, prepare_filling, scratch
from meddie.ai.embeddings import current_embedder
from meddie.ai.vectors import Vector
from memory import service
from memory.recall.query import Query

DIALOGUES = Path(__file__).with_name("dialogues.json")
FIRST_DAY = datetime(2026, 1, 1, 12, tzinfo=UTC)
Recalls = dict[tuple[str, str, str], float]
"""Recall by the way of the search, the kind of the dialogue and its language."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """`said` begins and ends with the user. `kind` is "follow" or "change"."""

    lang: str
    kind: str
    gold: Sequence[int]
    said: Sequence[str]


def read_dialogues() -> tuple[list[dict[str, str]], list[Dialogue]]:
    """The facts by language, each with its `id`, and the dialogues."""
    data = json.loads(DIALOGUES.read_text(encoding="utf-8"))
    return data["facts"], [Dialogue(**one) for one in data["dialogues"]]


def measure_follow_ups(progress: Callable[[int], object]) -> Recalls:
    """recall@6 of the last messages. Stores nothing. Raises EmbeddingFailed."""
    facts, dialogues = read_dialogues()
    embedder = current_embedder()
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for lang in dict.fromkeys(dialogue.lang for dialogue in dialogues):
        units = [
            Unit(fact[lang], frozenset({str(fact["id"])}), FIRST_DAY + timedelta(day))
            for day, fact in enumerate(facts)
        ]
        filling = prepare_filling(units, "observation", embedder, lambda _: None)
        with scratch(filling) as store:
            for dialogue in (each for each in dialogues if each.lang == lang):
                needed = set(map(str, dialogue.gold))
                for way, query in _searches(store, dialogue):
                    items = service.recall(store.scope, query).items
                    shown = {i for item in items for i in store.covers[item.memory_id]}
                    share = len(needed & shown) / len(needed)
                    found[way, dialogue.kind, lang].append(share)
                progress(1)
    return {key: fmean(shares) for key, shares in found.items()}


def _searches(store: Store, dialogue: Dialogue) -> Iterator[tuple[str, Query]]:
    """The last message as a query in each way, after the turns before it."""
    *before, message = dialogue.said
    *_, user, reply = before
    carried = _played(store, before)
    *talk, own = current_embedder().embed_queries(dialogue.said)
    quarter = 0.75 * own + 0.25 * _mean_vector(talk)
    texts = {
        "alone": message,
        "joined with the user's message before": f"{user}\n{message}",
        "joined with the last turn": f"{user}\n{reply}\n{message}",
        "joined with all turns": "\n".join(dialogue.said),
    }
    means = {
        "mean with the user's message before": [own, talk[-2]],
        "mean with all turns": [own, _mean_vector(talk)],
        "mean with the user's turns": [own, _mean_vector(talk[::2])],
        "a quarter of all turns": [quarter],
    }
    for way, text in texts.items():
        yield way, replace(service.prepare_query(text), carried=carried)
    query = replace(service.prepare_query(message), carried=carried)
    for way, vectors in means.items():
        yield way, replace(query, vector=_mean_vector(vectors))


def _played(store: Store, said: Sequence[str]) -> frozenset[UUID]:
    """What the search found for the last reply."""
    carried: frozenset[UUID] = frozenset()
    user = reply = ""
    for message, answer in zip(said[::2], said[1::2], strict=True):
        query = service.prepare_query(message, reply, user)
        found = service.recall(store.scope, replace(query, carried=carried))
        carried = frozenset(item.memory_id for item in found.items)
        user, reply = message, answer
    return carried


def _mean_vector(vectors: Sequence[Vector]) -> Vector:
    total: Vector = np.sum(vectors, axis=0)
    return total / np.linalg.norm(total)


def follow_up_report(recalls: Recalls) -> Iterator[str]:
    """A line of each way: per cent of all languages, and of each."""
    ways, kinds, langs = (
        list(dict.fromkeys(part)) for part in zip(*recalls, strict=True)
    )
    yield f"{'':40}" + "".join(f"{kind:20}" for kind in kinds) + " ".join(langs)
    for way in ways:
        cells = [[recalls[way, kind, lang] * 100 for lang in langs] for kind in kinds]
        shown = [
            f"{fmean(cell):5.1f} ({', '.join(f'{one:.0f}' for one in cell)})"
            for cell in cells
        ]
        yield f"{way:40}" + "".join(f"{one:20}" for one in shown).rstrip()
