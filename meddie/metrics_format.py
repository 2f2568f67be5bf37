"""Prometheus's text format of figures from the database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric, UnknownMetricFamily
from prometheus_client.registry import Collector

GAUGES: list["Gauge"] = []


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self.families = list(families)

    def collect(self) -> Iterator[Metric]:
        return iter(self.families)


def exposition(families: Iterable[Metric]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(families))
    return generate_latest(registry)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A figure of /metrics. `make docs` writes it into docs/metrics.md.

    An `untyped` one has a name that promtool allows no gauge to have.
    """

    name: str
    text: str
    labels: tuple[str, ...] = ()
    untyped: bool = False

    def __post_init__(self) -> None:
        GAUGES.append(self)

    def family(self, rows: Iterable[tuple[object, ...]]) -> Metric:
        """A row has the labels and, last, the value."""
        kind = UnknownMetricFamily if self.untyped else GaugeMetricFamily
        family = kind(self.name, self.text, labels=self.labels)
        for *values, number in rows:
            family.add_metric([str(value) for value in values], float(str(number or 0)))
        return family
