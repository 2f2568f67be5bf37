"""Apple Health's `export.xml`, read as a stream: it has millions of records."""

from collections.abc import Iterable, Iterator
from xml.parsers.expat import ExpatError, ParserCreate

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.health_lines import (
    RESULT,
    HealthLine,
    Record,
)

PREFIX = "HKQuantityTypeIdentifier"
UPPER, LOWER = "BloodPressureSystolic", "BloodPressureDiastolic"
# What is measured now and then; of steps and pulses there are thousands a day.
NAMES = {
    "BodyMass": "Weight",
    "Height": "Height",
    "BodyTemperature": "Body temperature",
    "BloodGlucose": "Blood sugar",
    "OxygenSaturation": "Oxygen saturation",
    "RestingHeartRate": "Resting pulse",
    "PeakExpiratoryFlowRate": "Peak flow",
    "WaistCircumference": "Waist",
}
UNITS = {
    "count/min": "/min",
    "degC": "°C",
    "degF": "°F",
    "mmol<180.1558800000541>/L": "mmol/L",
}


def is_apple_health(head: bytes) -> bool:
    start = head[:1000]
    return b"<!DOCTYPE HealthData" in start or b"<HealthData" in start


def read_apple_health(pieces: Iterable[bytes], record: Record) -> None:
    """The last value of each day. Raises Unreadable; entities are refused."""
    reader, parser = _Reader(record), ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EntityDeclHandler = _refuse
    try:
        for piece in pieces:
            parser.Parse(piece, False)  # noqa: FBT003 -- has no names
        parser.Parse(b"", True)  # noqa: FBT003 -- has no names
    except ExpatError:
        raise Unreadable("broken") from None
    record.known = True
    record.lines += reader.lines()


def _refuse(*_declared: object) -> None:
    raise Unreadable("hostile")


class _Reader:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.last: dict[tuple[str, str], tuple[str, str]] = {}  # by name and day
        self.pressure: dict[str, dict[str, str]] = {UPPER: {}, LOWER: {}}  # by moment

    def start(self, element: str, told: dict[str, str]) -> None:
        if element != "Record":
            return
        kind = told.get("type", "").removeprefix(PREFIX)
        moment, value = told.get("startDate", ""), told.get("value", "")
        if kind in self.pressure:
            self.pressure[kind][moment] = _number(value)
        elif kind in NAMES:
            unit = told.get("unit", "")
            value = _percent(value) if unit == "%" else value
            self.last[NAMES[kind], moment[:10]] = value, UNITS.get(unit, unit)
        else:
            self.record.left["other"] += 1

    def lines(self) -> Iterator[HealthLine]:
        upper, lower = self.pressure.values()
        for moment in sorted(upper.keys() & lower.keys()):
            value = f"{upper[moment]}/{lower[moment]}"
            self.last["Blood pressure", moment[:10]] = value, "mmHg"
        for (name, day), (value, unit) in self.last.items():
            yield HealthLine(RESULT, name, value, unit, day)


def _number(value: str) -> str:
    return value.removesuffix(".0")


def _percent(value: str) -> str:
    try:
        return f"{float(value) * 100:.4g}"
    except ValueError:
        return value
