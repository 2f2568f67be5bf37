"""Very many rows. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.page.growth import beside
from benchmarks.page.section import Section, ms, table

TEXT = """
{rows:,} rows in the table, vacuumed. Recall@10 is the share of the ten nearest rows, by an
exact scan, that the search by vectors finds; for a profile, the share of the ten that it
names when all is gone through. Times are those of the search alone, p50 / p95 in
milliseconds, as it is and with the index left out. The {marked:,} rows of the scope beyond
the limit of exact scans entered the index on vectors in {seconds} s.

{scopes}

With {rows:,} rows of other users instead of {few:,}, for a user with 1,000 (medians of rounds
that ask both databases in turns):

{others}

{megabytes}
"""
COLUMNS = [
    "rows of the user",
    "profile",
    "recall@10, vectors",
    "recall@10, whole",
    "as it is",
    "without the index",
]


def section(figures: Mapping[str, Any]) -> Section:
    """What is found, how fast, and how much room it takes."""
    rows = [
        [
            f"{int(size):,}",
            name,
            f"{scope['recall@10']:.3f}",
            f"{scope[name]['recall@10']:.3f}",
            *(
                f"{ms(scope[name][way]['p50'])} / {ms(scope[name][way]['p95'])}"
                for way in ("times", "exact")
            ),
        ]
        for size, scope in figures["scopes"].items()
        for name in ("chat", "fused")
    ]
    text = TEXT.format(
        rows=figures["rows"],
        marked=figures["rows in the index"],
        seconds=figures["seconds to index"],
        scopes=table(COLUMNS, rows),
        few=figures["few"],
        others=beside(figures),
        megabytes=table(
            ["table, with all, and its indexes", "MB"], figures["megabytes"].items()
        ),
    )
    return Section("Very many rows", text)
