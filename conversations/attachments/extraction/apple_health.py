"""Apple Health's `export.xml`, read as a stream: it has millions of records."""

from collections.abc import Iterable
from xml.parsers.expat import ExpatError, ParserCreate

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.health_records import (
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
UNITS = {"count/min": "/min", "degC": "°C", "degF": "°F"}
MOLAR = "mmol<180.1558800000541>/L"


def is_apple_health(head: bytes) -> bool:
    start = head[:1000]
    return b"<!DOCTYPE HealthData" in start or b"<HealthData" in start


def read_apple_health(pieces: Iterable[bytes], record: Record) -> None:
    """The last value of each day. Raises Unreadable; entities are refused."""
    last: dict[tuple[str, str], HealthLine] = {}
    upper: dict[str, str] = {}
    lower: dict[str, str] = {}

    def start(element: str, told: dict[str, str]) -> None:
        if element != "Record":
            return
        kind = told.get("type", "").removeprefix(PREFIX)
        moment, value = told.get("startDate", ""), told.get("value", "")
        if kind in {UPPER, LOWER}:
            (upper if kind == UPPER else lower)[moment] = value
        elif kind in NAMES:
            unit = told.get("unit", "")
            if unit == "%":
                value = _percent(value)
            unit = "mmol/L" if unit == MOLAR else UNITS.get(unit, unit)
            line = HealthLine(RESULT, NAMES[kind], value, unit, moment[:10])
            last[kind, moment[:10]] = line
        else:
            record.left["other"] += 1

    def refuse(*_declared: object) -> None:
        raise Unreadable("hostile")

    parser = ParserCreate()
    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse
    try:
        for piece in pieces:
            parser.Parse(piece, False)  # noqa: FBT003 -- has no names
        parser.Parse(b"", True)  # noqa: FBT003 -- has no names
    except ExpatError:
        raise Unreadable("broken") from None
    for moment in sorted(upper.keys() & lower.keys()):
        value, day = f"{_number(upper[moment])}/{_number(lower[moment])}", moment[:10]
        line = HealthLine(RESULT, "Blood pressure", value, "mmHg", day)
        last["pressure", day] = line
    record.known = True
    record.lines += last.values()


def _number(value: str) -> str:
    return value.removesuffix(".0")


def _percent(value: str) -> str:
    try:
        return f"{float(value) * 100:.4g}"
    except ValueError:
        return value
