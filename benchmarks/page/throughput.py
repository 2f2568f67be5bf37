"""How many recalls a second. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import bars
from benchmarks.page.section import Section, table

TEXT = """
Users who ask at once and without a pause, threads of one process, each with {own:,} rows
beside {others:,} of others; recalls a second with the embedding, which is the same call for
all:

{table}
"""


def section(figures: Mapping[str, Any]) -> Section:
    """By how many users ask, beside the others."""
    done = figures["a second"]
    names = list(next(iter(done.values())))
    rows = [[users, *many.values()] for users, many in done.items()]
    text = TEXT.format(
        own=figures["own"],
        others=figures["others"],
        table=table(["users", *names], rows),
    )
    series = {name: [many[name] for many in done.values()] for name in names}
    drawing = bars("Users at once", list(done), series, "recalls a second")
    return Section("How many recalls a second", text, {"throughput": drawing})
