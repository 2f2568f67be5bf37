"""Resources of FHIR R4, read to lines.

What was entered in error, was ruled out or is not measured is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any

from conversations.attachments.extraction.exported_chats import Entry
from conversations.attachments.extraction.health_lines import (
    ALLERGY,
    CONCEPT_KIND,
    CONDITION,
    IMMUNISATION,
    LOWER,
    MEDICINE,
    NONE_KNOWN,
    RESULT,
    UPPER,
    HealthLine,
    Record,
)

VOID = {"entered-in-error", "refuted", "not-done", "cancelled", "draft", "registered"}
OVER = {
    *("inactive", "resolved", "remission", "completed", "stopped", "ended"),
    *("not-taken", "aborted", "suspended", "obsolete"),
}
MEASURED = {"laboratory", "vital-signs", "exam"}


def read_resources(document: Entry, record: Record) -> None:
    """Of a bundle, or one alone. Raises Unreadable."""
    entries = [e for e in _list(document.get("entry")) if isinstance(e, dict)]
    resources = [entry.get("resource") for entry in entries] or [document]
    found = [resource for resource in resources if isinstance(resource, dict)]
    named = {str(entry.get("fullUrl")): entry.get("resource") for entry in entries}
    named |= {f"{r.get('resourceType')}/{r.get('id')}": r for r in found}
    record.known = True
    for resource in found:
        kind = str(resource.get("resourceType"))
        if kind == "Patient":
            record.is_of(_person(resource), str(resource.get("birthDate", "")))
        elif kind in READERS:
            record.add(None if _is_void(resource) else READERS[kind](resource, named))
        elif kind != "Composition":
            record.left["other"] += 1


def _person(patient: Entry) -> str:
    name = next((n for n in _list(patient.get("name")) if isinstance(n, dict)), {})
    parts = [*_list(name.get("given")), name.get("family")]
    return str(name.get("text") or " ".join(str(part) for part in parts if part))


def _is_void(resource: Entry) -> bool:
    told = {str(resource.get("status")), _code(resource.get("verificationStatus"))}
    return bool(told & VOID) or bool(resource.get("doNotPerform"))


def _allergy(resource: Entry, _named: Entry) -> HealthLine | None:
    codings = _list(_entry(resource.get("code")).get("coding"))
    if any(_entry(coding).get("code") in NONE_KNOWN for coding in codings):
        return None
    reactions = [
        _text(told)
        for reaction in _list(resource.get("reaction"))
        for told in _list(_entry(reaction).get("manifestation"))
    ]
    return HealthLine(
        ALLERGY,
        _text(resource.get("code")),
        day=_day(resource, "onsetDateTime", "recordedDate"),
        over=_code(resource.get("clinicalStatus")) in OVER,
        note=", ".join(filter(None, reactions)),
    )


def _medicine(resource: Entry, named: Entry) -> HealthLine | None:
    name = _text(resource.get("medicationCodeableConcept"))
    reference = str(_entry(resource.get("medicationReference")).get("reference"))
    inside = {f"#{_entry(c).get('id')}": c for c in _list(resource.get("contained"))}
    referred = inside.get(reference) or named.get(reference)
    doses = [
        _dose(_entry(dose))
        for listed in ("dosageInstruction", "dosage")
        for dose in _list(resource.get(listed))
    ]
    period = _entry(resource.get("effectivePeriod"))
    return HealthLine(
        MEDICINE,
        name or _text(_entry(referred).get("code")),
        day=_day(resource, "effectiveDateTime", "authoredOn", "dateAsserted")
        or _day(period, "start"),
        until=_day(period, "end"),
        over=str(resource.get("status")) in OVER,
        note="; ".join(filter(None, doses)),
    )


def _dose(dose: Entry) -> str:
    if dose.get("text"):
        return str(dose["text"])
    rates = [_entry(rate) for rate in _list(dose.get("doseAndRate"))]
    given = (_quantity(rate.get("doseQuantity")) for rate in rates)
    repeat = _entry(_entry(dose.get("timing")).get("repeat"))
    how_often = ""
    if {"frequency", "period", "periodUnit"} <= repeat.keys():
        how_often = "{frequency} x / {period} {periodUnit}".format(**repeat)
    as_needed = "as needed" if dose.get("asNeededBoolean") else ""
    amounts = [" ".join(filter(None, pair)) for pair in given]
    return ", ".join(filter(None, [*amounts, how_often, as_needed]))


def _condition(resource: Entry, _named: Entry) -> HealthLine | None:
    until = _day(resource, "abatementDateTime")
    status = _code(resource.get("clinicalStatus"))
    return HealthLine(
        CONDITION,
        _text(resource.get("code")),
        day=_day(resource, "onsetDateTime", "recordedDate")
        or _day(_entry(resource.get("onsetPeriod")), "start"),
        until=until,
        over=bool(until) or status in OVER,
    )


def _result(resource: Entry, _named: Entry) -> HealthLine | None:
    kinds = {_code(category) for category in _list(resource.get("category"))}
    if kinds and not kinds & MEASURED:
        return None
    name, day = (
        _text(resource.get("code")),
        _day(resource, "effectiveDateTime", "effectiveInstant", "issued"),
    )
    day = day or _day(_entry(resource.get("effectivePeriod")), "start")
    value, unit = _value(resource)
    parts = [_entry(part) for part in _list(resource.get("component"))]
    if not value and parts:
        values = {_code(part.get("code")): _value(part) for part in parts}
        if {UPPER, LOWER} <= values.keys():
            (value, unit), (lower, _) = values[UPPER], values[LOWER]
            value, unit, name = f"{value}/{lower}", "mmHg", "Blood pressure"
        else:
            told = (f"{_text(p.get('code'))} {' '.join(_value(p))}" for p in parts)
            value = ", ".join(told)
    moment, code = str(resource.get("effectiveDateTime")), _code(resource.get("code"))
    line = HealthLine(RESULT, name, value, unit, day, code=code, moment=moment)
    return line if value else None


def _immunisation(resource: Entry, _named: Entry) -> HealthLine | None:
    name = _text(resource.get("vaccineCode"))
    return HealthLine(IMMUNISATION, name, day=_day(resource, "occurrenceDateTime"))


READERS: Mapping[object, Callable[[Entry, Entry], HealthLine | None]] = {
    "AllergyIntolerance": _allergy,
    "MedicationRequest": _medicine,
    "MedicationStatement": _medicine,
    "Condition": _condition,
    "Observation": _result,
    "Immunization": _immunisation,
}


def _value(told: Entry) -> tuple[str, str]:
    if "valueQuantity" in told:
        return _quantity(told["valueQuantity"])
    for name in ("valueString", "valueInteger", "valueDateTime", "valueBoolean"):
        if name in told:
            return str(told[name]), ""
    return _text(told.get("valueCodeableConcept")), ""


def _quantity(told: object) -> tuple[str, str]:
    amount = _entry(told)
    if amount.get("value") is None:
        return "", ""
    value = f"{amount.get('comparator', '')}{amount['value']}"
    return value, str(amount.get("unit") or amount.get("code") or "")


def _text(concept: object) -> str:
    told = _entry(concept)
    names = [_entry(coding).get("display") for coding in _list(told.get("coding"))]
    named = next(filter(None, [told.get("text"), *names]), "")
    return CONCEPT_KIND.sub("", str(named))


def _code(concept: object) -> str:
    codings = _list(_entry(concept).get("coding"))
    return str(_entry(codings[0]).get("code")) if codings else ""


def _day(told: Entry, *names: str) -> str:
    days = (str(told.get(name) or "")[:10] for name in names)
    return next(filter(None, days), "")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _entry(value: object) -> Entry:
    return value if isinstance(value, dict) else {}
