"""How long it takes to remember. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import bars
from benchmarks.page.section import Section, ms, table

TEXT = """
One fact, for a user with {there:,} others and {others:,} rows of other users in the table,
in milliseconds. Its vector is known before to all alike; making it takes everybody another
{embedding} ms (p50). Meddie looks for duplicates, contradictions and retracted facts before it writes; mem0
(`infer=False`) and chroma write.

{one}

{many:,} facts, in rows per second. An import stores {ratio:.1f} times as many as `remember` called
once per fact with the local model, whose own time then dominates, and {there_ratio:.1f} times
as many when the vectors are known (median of interleaved turns).

{many_facts}
"""


def section(figures: Mapping[str, Any]) -> Section:
    """One fact beside others, and an import."""
    one = figures["one"]
    text = TEXT.format(
        there=figures["there"],
        others=figures["others"],
        embedding=ms(figures["embedding"]["p50"]),
        one=table(
            ["", "p50", "p95"],
            [[n, ms(t["p50"]), ms(t["p95"])] for n, t in one.items()],
        ),
        many=figures["many"],
        ratio=figures["ratio"],
        there_ratio=figures["ratio, vectors there"],
        many_facts=table(["", "rows a second"], figures["rows a second"].items()),
    )
    series = {cut: [times[cut] for times in one.values()] for cut in ("p50", "p95")}
    drawing = bars("One fact, its vector known", list(one), series, "ms")
    return Section("How long it takes to remember", text, {"capture": drawing})
