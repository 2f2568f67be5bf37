"""What there is room for. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.page.section import Section, table

TEXT = """
Bytes a row in freshly filled tables of {rows:,} rows each, vectors of 384 dimensions:

{bytes}

The index on vectors, with one scope of {indexed:,} rows in it: they entered in {entering} s
as they do at work, and were built anew in {building} s; {megabytes} MB. S0's form, over the
whole column, took {whole} s and {whole_megabytes} MB for the same rows.

Tokens of what is sent for one turn, estimated from bytes as the budget of the prompt is:

{tokens}
"""
SENT = "instructions and a question"


def section(figures: Mapping[str, Any]) -> Section:
    """Tables, the index, and what is sent."""
    index = figures["index"]
    text = TEXT.format(
        rows=figures["rows"],
        bytes=table(
            ["a row of", "in the table", "indexes", "with TOAST"],
            [
                [name, *(f"{size:,}" for size in sizes.values())]
                for name, sizes in figures["bytes a row"].items()
            ],
        ),
        indexed=index["rows"],
        entering=index["seconds to enter"],
        building=index["seconds to build"],
        megabytes=index["megabytes"],
        whole=index["whole column, seconds to build"],
        whole_megabytes=index["whole column, megabytes"],
        tokens=table(
            ["", "tokens"],
            [
                [SENT if name == "question" else f"and {name}", f"{sent:,}"]
                for name, sent in figures["tokens"].items()
            ],
        ),
    )
    return Section("What it takes to keep and to send", text)
