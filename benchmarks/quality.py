"""Recall on conversations with known evidence, compared with mem0 and chroma.

All systems get the same texts and the same embedding model. Meddie also gets dates, and
of a turn its speaker and place; the others get the speaker's name in the text.

Facts of one speaker are measured twice: with the names in facts and questions ("named"),
and as Meddie stores and hears them, about "User" and asked with "I" ("first person").
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.evaluation import locomo
from benchmarks.evaluation.first_person import in_first_person
from benchmarks.evaluation.locomo import Sample, Unit, UnitKind, foreign
from benchmarks.evaluation.measures import (
    DEPTH,
    Answered,
    Measurements,
    injected,
    report_data,
)
from benchmarks.evaluation.recall import evaluate
from benchmarks.remembering import Remembering
from benchmarks.rows import scopes
from benchmarks.scene import Scene
from benchmarks.stores.chroma import Chroma
from benchmarks.stores.mem0 import Mem0
from benchmarks.stores.store import Store
from meddie.ai import embeddings
from memory.recall.rankings import RANKINGS

KS = (6, 10)
UNITS: tuple[UnitKind, ...] = ("turn", "observation", "summary")
OURS = ("chat", "fused")
Search = Callable[[str, str, int], list[str]]
"""Texts that a store returns for a user, a question and a limit."""


def run(scene: Scene) -> dict[str, Any] | None:
    """The figures by store and system; None without a file of conversations."""
    if scene.dialogues is None or not scene.dialogues.exists():
        return None
    known = Remembering(embeddings.LocalEmbedder())
    return {
        name: _ours(samples, unit, known) | _theirs(samples, scene, known)
        for name, (unit, samples) in _stores(scene.dialogues).items()
    }


def _stores(dialogues: Path) -> dict[str, tuple[UnitKind, list[Sample]]]:
    told = locomo.load_speakers(dialogues)
    return {unit: (unit, locomo.load_samples(dialogues, unit)) for unit in UNITS} | {
        "named": ("observation", [sample for _, sample in told]),
        "first person": ("observation", in_first_person(told)),
    }


def _ours(samples: list[Sample], unit: UnitKind, known: Remembering) -> dict[str, Any]:
    models = {"": known, ", no model": embeddings.none()}
    figures = {}
    for name, (label, embedder) in product(OURS, models.items()):
        with tqdm(unit="step", desc=f"{unit} {name}{label}") as bar:
            outcome = evaluate(samples, unit, RANKINGS[name], embedder, bar.update)
        figures[f"{name}{label}"] = _figures(outcome)
    return figures


def _theirs(samples: list[Sample], scene: Scene, known: Remembering) -> dict[str, Any]:
    stores: dict[str, Store] = {
        "mem0": Mem0(scene.folder, known),
        "chroma": Chroma(scene.folder, known),
    }
    users = [str(scope.user_id) for scope in scopes(len(samples))]
    for user, sample in zip(users, samples, strict=True):
        texts = [_said(unit) for unit in sample.units]
        vectors = known.embed(texts)
        for store in stores.values():
            store.fill([user], texts, vectors)
    return {
        name: _figures(_asked(samples, users, store.search))
        for name, store in stores.items()
    }


def _asked(
    samples: Sequence[Sample], users: Sequence[str], search: Search
) -> Measurements:
    outcome = Measurements()
    for user, sample in zip(users, samples, strict=True):
        covers = _covers(sample.units)
        for question in sample.questions:
            found = search(user, question.text, DEPTH)
            results = tuple(covers[text] for text in found)
            answer = Answered(question.category, question.evidence, results)
            outcome.answered.append(answer)
            outcome.gated.append(answer)
            outcome.brought.append(injected(found[: KS[0]]))
        for q in foreign(samples, sample):
            outcome.intruded.append(injected(search(user, q.text, KS[0])))
    return outcome


def _covers(units: Sequence[Unit]) -> Mapping[str, frozenset[str]]:
    covers: dict[str, frozenset[str]] = {}
    for unit in units:
        text = _said(unit)
        covers[text] = covers.get(text, frozenset()) | unit.covers
    return covers


def _said(unit: Unit) -> str:
    """The text with its speaker's name, which helps the other systems."""
    return f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text


def _figures(outcome: Measurements) -> dict[str, Any]:
    data = report_data(outcome, KS)
    return {name: data[name] for name in ("ranking", "gated", "intrusions", "injected")}
