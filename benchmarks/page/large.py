"""Very many rows. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.page.growth import beside
from benchmarks.page.section import Section, ms, table

TEXT = """
{rows:,} rows in the table. Recall@10 is the share of the ten nearest rows, by an exact scan,
that the search by vectors finds; times are those of the search alone, p50 / p95 in
milliseconds. The {marked:,} rows of the scope beyond the limit of exact scans entered the
index on vectors in {seconds} s.

{scopes}

With {rows:,} rows of other users instead of {few:,}, for a user with 1,000 (medians of rounds
that ask both databases in turns):

{others}

{megabytes}
"""


def section(figures: Mapping[str, Any]) -> Section:
    """What is found, how fast, and how much room it takes."""
    rows = [
        [
            f"{int(size):,}",
            f"{scope['recall@10']:.3f}",
            *(
                f"{ms(scope[p]['p50'])} / {ms(scope[p]['p95'])}"
                for p in ("chat", "fused")
            ),
        ]
        for size, scope in figures["scopes"].items()
    ]
    text = TEXT.format(
        rows=figures["rows"],
        marked=figures["rows in the index"],
        seconds=figures["seconds to index"],
        scopes=table(["rows of the user", "recall@10", "chat", "fused"], rows),
        few=figures["few"],
        others=beside(figures),
        megabytes=table(
            ["table, with all, and its indexes", "MB"], figures["megabytes"].items()
        ),
    )
    return Section("Very many rows", text)
