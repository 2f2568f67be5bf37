"""Prometheus's text format of figures from the database."""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector


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
