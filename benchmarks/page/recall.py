"""How long one recall takes. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import lines
from benchmarks.page.section import Section, ms, table

DRAWN = ("fused", "chat", "vectors in SQL", "mem0", "chroma")
TEXT = """
One message: its embedding and the search for six rows of one user, with {others:,} rows of
other users in the table. p50 / p95 in milliseconds of {rounds} rounds, with so many rows of
the user's own:

{times}

Ratios of the medians. "Own statements" are the statements that Meddie makes, run through
psycopg after the bare call of the embedding model: the least it could take. They rank
nothing.

{ratios}
"""


def section(figures: Mapping[str, Any]) -> Section:
    """Times and ratios by the size of the user's store."""
    sizes = figures["sizes"]
    text = TEXT.format(
        others=figures["others"],
        rounds=figures["rounds"],
        times=_times(sizes),
        ratios=_ratios(sizes),
    )
    series = {
        name: [figures["p50"] for figures in (size[name] for size in sizes.values())]
        for name in DRAWN
    }
    places = [float(size) for size in sizes]
    drawing = lines("One recall by rows of the user, p50", places, series, "ms")
    return Section("How long one recall takes", text, {"recall-latency": drawing})


def _times(sizes: Mapping[str, Any]) -> str:
    names = next(iter(sizes.values()))
    rows = [
        [
            name,
            *(f"{ms(s[name]['p50'])} / {ms(s[name]['p95'])}" for s in sizes.values()),
        ]
        for name in names
    ]
    return table(["", *_heads(sizes)], rows)


def _ratios(sizes: Mapping[str, Any]) -> str:
    rows = [
        [f"{profile} {key}", *(f"{size[profile][key]:.2f}" for size in sizes.values())]
        for profile in ("chat", "fused")
        for key in next(iter(sizes.values()))[profile]
        if key.startswith("over")
    ]
    return table(["", *_heads(sizes)], rows)


def _heads(sizes: Mapping[str, Any]) -> list[str]:
    return [f"{int(size):,} rows" for size in sizes]
