"""What comes first. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import bars
from benchmarks.page.section import Section, table

NAMES = {
    "turn": "turns",
    "observation": "facts",
    "summary": "summaries",
}
CATEGORIES = {
    "1": "multi-hop",
    "2": "temporal",
    "3": "open-domain",
    "4": "single-hop",
    "1-4": "1 to 4",
}
TITLE = "What comes first"
DRAWN = ("fused", "fused, no model", "chat", "mem0", "chroma")
LEFT_OUT = """
Left out: it needs a file of conversations with known evidence in LoCoMo's format, which
is not part of the repository (`DIALOGUES=FILE make bench`).
"""
TEXT = """
recall@6 / @10 in per cent and MRR over questions with known evidence (categories 1 to 4)
in LoCoMo's format: each conversation is one user's store, filled with its turns, with
the facts drawn from them, or with a summary of each session. mem0 runs without its
language model (`infer=False`) and without its spaCy extra, which downloads a model when it
runs; chroma is vectors alone. Both get the same texts and vectors, with the speaker's name
in front of a turn. "No model" is Meddie without any embedding model.

{ranking}

What came back of six rows though there was nothing to say, for questions about other
people's stores and for small talk such as "hello" and "thanks": the share of times that
something did, in per cent, and how many rows on average. Less is better.

{intrusions}
"""


def section(figures: Mapping[str, Any] | None) -> Section:
    """Recall by unit and system, by category, and what came back for nothing."""
    if figures is None:
        return Section(TITLE, LEFT_OUT)
    text = TEXT.format(ranking=_ranking(figures), intrusions=_intrusions(figures))
    drawings = {f"recall-{unit}": _by_category(unit, figures[unit]) for unit in figures}
    return Section(TITLE, text, drawings)


def _ranking(figures: Mapping[str, Any]) -> str:
    systems = next(iter(figures.values()))
    rows = [
        [name, *(_cell(unit[name]) for unit in figures.values())] for name in systems
    ]
    return table(["", *(NAMES[unit] for unit in figures)], rows)


def _cell(system: Mapping[str, Any]) -> str:
    line = system["ranking"]["1-4"]
    recall = " / ".join(f"{value:.1f}" for value in line["recall"].values())
    return f"{recall}, .{1000 * line['mrr']:03.0f}"


def _intrusions(figures: Mapping[str, Any]) -> str:
    head = [""]
    rows: dict[str, list[str]] = {}
    for unit, systems in figures.items():
        head += [f"{NAMES[unit]}: questions", "small talk"]
        for name, system in systems.items():
            rows.setdefault(name, [name]).extend(
                f"{share:.1f}, {system['injected'][kind]['rows']:.2f}"
                for kind, share in system["intrusions"].items()
            )
    return table(head, rows.values())


def _by_category(unit: str, systems: Mapping[str, Any]) -> str:
    there = [name for name in DRAWN if name in systems]
    places = [c for c in CATEGORIES if c in systems[there[0]]["ranking"]]
    series = {
        name: [systems[name]["ranking"][c]["recall"]["6"] for c in places]
        for name in there
    }
    return bars(
        f"recall@6, {NAMES[unit]}", [CATEGORIES[c] for c in places], series, "%"
    )
