"""Prometheus's text format of measurements and of figures from the database."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from meddie.measurements import BUCKETS

HISTOGRAMS = {
    "recall": "Searching the facts for a message",
    "first_token": "From the request to the first text of a reply",
    "extraction": "One call that extracts facts",
    "resolution": "One call that compares facts",
}
COUNTERS = {
    "memory_decisions": ("Decisions on facts", ("origin", "action", "reason")),
    "memory_extracted": ("Facts that were proposed", ()),
    "memory_retrieved": ("Facts that a search found for a reply", ("injected",)),
    "tokens": ("Tokens of answers and of what they answer", ("model", "direction")),
}
Sums = Mapping[tuple[str, ...], float]


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self.families = list(families)

    def collect(self) -> Iterator[Metric]:
        return iter(self.families)


def exposition(families: Iterable[Metric]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(families))
    return generate_latest(registry)


def gauge(
    name: str, text: str, labels: tuple[str, ...], rows: Iterable[tuple[object, ...]]
) -> Metric:
    """A row has the labels and, last, the value."""
    family = GaugeMetricFamily(f"meddie_{name}", text, labels=labels)
    for *values, number in rows:
        family.add_metric([str(value) for value in values], float(str(number or 0)))
    return family


def measured(sums: Sums) -> Iterator[Metric]:
    for name, (text, labels) in COUNTERS.items():
        counter = CounterMetricFamily(f"meddie_{name}", text, labels=labels)
        for (found, *values), amount in sums.items():
            if found == name:
                counter.add_metric(values, amount)
        yield counter
    for name, text in HISTOGRAMS.items():
        yield _histogram(name, text, sums)
    yield from _rates(sums)


def _histogram(name: str, text: str, sums: Sums) -> Metric:
    family = HistogramMetricFamily(f"meddie_{name}_seconds", text)
    total, buckets = 0.0, []
    for limit in (*map(str, BUCKETS), "+Inf"):
        total += sums.get((name, limit), 0)
        buckets.append((limit, total))
    family.add_metric([], buckets, sum_value=sums.get((name, "sum"), 0))
    return family


def _rates(sums: Sums) -> Iterator[Metric]:
    for name, rate in rates_of(sums).items():
        yield gauge(name, name.replace("_", " "), (), [(rate,)])


def rates_of(sums: Sums) -> dict[str, float]:
    """S1-47 to S1-49, since the counters began."""
    decided: dict[tuple[str, str], float] = defaultdict(float)
    for (name, *labels), amount in sums.items():
        if name == "memory_decisions":
            decided[labels[1], labels[2]] += amount

    def count(action: str, *reasons: str) -> float:
        return sum(
            amount
            for (found, reason), amount in decided.items()
            if found == action and (not reasons or reason in reasons)
        )

    injected, left_out = (sums.get(("memory_retrieved", x), 0) for x in ("yes", "no"))
    parts = {
        "memory_replacement_rate": (count("replace"), count("add")),
        "memory_dedup_rate": (
            count("ignore", "duplicate", "near_duplicate", "same_message"),
            sums.get(("memory_extracted",), 0),
        ),
        "retrieval_hit_rate": (injected, injected + left_out),
    }
    return {
        name: part / whole if whole else 0.0 for name, (part, whole) in parts.items()
    }
