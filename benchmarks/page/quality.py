"""What comes first. Pure."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from benchmarks.drawing import bars
from benchmarks.page.section import Section, table

Cell = Callable[[Mapping[str, Any]], str]
"""What stands of one system's figures in one place."""

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
FORMS = {"named": "by name", "first person": "User and I"}
TALK = {"small_talk": "known", "held_out": "others"}
TEXT = """
Of questions with known evidence (categories 1 to 4) in LoCoMo's format: each conversation is
one user's store, filled with its turns, with the facts drawn from them, or with a summary of
each session. mem0 runs without its language model (`infer=False`) and without its spaCy
extra, which downloads a model when it runs; chroma is vectors alone. Both get the same texts
and vectors, with the speaker's name in front of a turn, and nothing else. Meddie alone is
given dates, and of a turn its speaker, session and place. "No model" is Meddie without any
embedding model.

**The ranking without floors**, which compares how systems rank: recall@6 / @10 in per cent,
and MRR.

{ranking}

**What a prompt really gets**: recall@6 with the floors that keep Meddie silent when nothing
stands out. mem0 and chroma have none and give what they rank.

{gated}

Meddie's weights and floors were tuned on these same conversations, so that all of this is
rather too good; other conversations will check it.

**What came back of six rows though there was nothing to say**, with the floors: for
questions about the people of other conversations, the share of times that something did, in
per cent, and how many rows on average. Less is better.

{foreign}

An unheard name carries much of that: nearly every such question names its speaker, whom the
store has mostly never heard of, and Meddie counts that against a question. Its users say "I".
So here are **facts as Meddie has them**: a store holds what was noted of one speaker, told of
"User", and the {asked:,} questions that name that speaker alone ask with "I". Beside it stand
the same facts and questions with the name left in. What a floor takes from recall is the
price of silence; "of others" is what came back, as above. Without a name some questions of
others can be answered here too ("What pets do I have?"), so that share is an upper bound.

{forms}

**Small talk**, with the floors: the share of times that something came back, and how many
rows. "Known" are twenty phrases that all stand in Meddie's own list, so that 0 says only that
the list works; "others" are forty-four that were written down before anything was run on them
("What's new?", "Guten Morgen"). After their first figures greetings in seven more languages
joined the list, so some of them stand in it now (docs/recall.md).

{talk}
"""


def section(figures: Mapping[str, Any] | None) -> Section:
    """Recall by store and system, by category, and what came back for nothing."""
    if figures is None:
        return Section(TITLE, LEFT_OUT)
    text = TEXT.format(
        ranking=_table(figures, NAMES, {"": _ranking}),
        gated=_table(figures, NAMES, {"": _gated}),
        foreign=_table(figures, NAMES, {"": _brought("unanswerable")}),
        forms=_table(
            figures,
            FORMS,
            {
                "without floors": _ranking,
                "recall@6 with floors": _gated,
                "of others": _brought("unanswerable"),
            },
        ),
        asked=_asked(figures["named"]),
        talk=_table(
            figures, NAMES, {label: _brought(kind) for kind, label in TALK.items()}
        ),
    )
    drawings = {f"recall-{unit}": _by_category(unit, figures[unit]) for unit in NAMES}
    return Section(TITLE, text, drawings)


def _table(
    figures: Mapping[str, Any], stores: Mapping[str, str], cells: Mapping[str, Cell]
) -> str:
    """A row for each system, and for each store a column for each cell."""
    systems = next(iter(figures.values()))
    head = [
        ": ".join(filter(None, (name, what)))
        for name, what in product(stores.values(), cells)
    ]
    rows = [
        [
            system,
            *(
                cell(figures[store][system])
                for store, cell in product(stores, cells.values())
            ),
        ]
        for system in systems
    ]
    return table(["", *head], rows)


def _asked(systems: Mapping[str, Any]) -> int:
    """How many questions of categories 1 to 4 a store's systems were asked."""
    one = next(iter(systems.values()))
    asked: int = one["ranking"]["1-4"]["questions"]
    return asked


def _ranking(system: Mapping[str, Any]) -> str:
    line = system["ranking"]["1-4"]
    recall = " / ".join(f"{value:.1f}" for value in line["recall"].values())
    return f"{recall}, .{1000 * line['mrr']:03.0f}"


def _gated(system: Mapping[str, Any]) -> str:
    return f"{system['gated']['1-4']['recall']['6']:.1f}"


def _brought(kind: str) -> Cell:
    """How often anything came for these questions, and how much."""
    return lambda system: (
        f"{system['intrusions'][kind]:.1f}, {system['injected'][kind]['rows']:.2f}"
    )


def _by_category(unit: str, systems: Mapping[str, Any]) -> str:
    there = [name for name in DRAWN if name in systems]
    places = [c for c in CATEGORIES if c in systems[there[0]]["ranking"]]
    series = {
        name: [systems[name]["ranking"][c]["recall"]["6"] for c in places]
        for name in there
    }
    return bars(
        f"recall@6 without floors, {NAMES[unit]}",
        [CATEGORIES[c] for c in places],
        series,
        "%",
    )
