"""How recall grows. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import lines
from benchmarks.page.section import Section, ms, table

TEXT = """
The search alone, without the embedding. With {many:,} rows of other users instead of
{few:,}, for a user with {watched:,} rows (medians of rounds that ask both databases in
turns):

{others}

With the user's own rows, p50 / p95 in milliseconds, beside {many:,} of others:

{own}
"""


def section(figures: Mapping[str, Any]) -> Section:
    """By other users' rows and by the user's own."""
    own = figures["own"]
    text = TEXT.format(
        many=figures["many"],
        few=figures["few"],
        watched=figures["watched"],
        others=beside(figures),
        own=table(
            ["rows", "chat", "fused"],
            [[f"{int(n):,}", *map(_cell, s.values())] for n, s in own.items()],
        ),
    )
    series = {
        name: [size[name]["p50"] for size in own.values()] for name in ("chat", "fused")
    }
    drawings = {
        "growth": lines(
            "One search by rows of the user, p50", [float(n) for n in own], series, "ms"
        ),
    }
    return Section("How recall grows", text, drawings)


def beside(figures: Mapping[str, Any]) -> str:
    """The table of times among few and among many rows of others."""
    rows = [
        [
            profile,
            *(
                _cell(figures["others"][f"{profile}, {name}"])
                for name in ("few", "many")
            ),
            f"{figures['others'][f'{profile}, ratio']:.2f}",
        ]
        for profile in ("chat", "fused")
    ]
    many = figures.get("many") or figures["rows"]
    return table(["", f"{figures['few']:,}", f"{many:,}", "ratio"], rows)


def _cell(times: Mapping[str, float]) -> str:
    return f"{ms(times['p50'])} / {ms(times['p95'])}"
