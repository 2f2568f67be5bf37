"""Health records, read to lines: FHIR R4 as JSON, and C-CDA.

Allergies, medicines, conditions, results and immunisations; nothing else of them is kept.
What was entered in error, was ruled out or negated is left out.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import Any

from lxml import etree

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.exported_chats import Entry
from conversations.attachments.extraction.packages import parsed

ALLERGY, MEDICINE, CONDITION = "allergy", "medicine", "condition"
RESULT, IMMUNISATION = "result", "immunisation"
MOST_LINES = 500  # those that are no results, then the newest
LONGEST_VALUE = 200  # characters
# SNOMED's kinds of concepts, which no person says.
CONCEPT_KIND = re.compile(
    r" \((disorder|finding|situation|substance|product|procedure|organism|"
    r"physical object|medicinal product|clinical drug)\)$"
)
NONE_KNOWN = {"716186003", "409137002", "428607008", "428197003", "160244002"}
VOID = {"entered-in-error", "refuted", "not-done", "cancelled", "draft", "registered"}
OVER = {
    *("inactive", "resolved", "remission", "completed", "stopped", "ended"),
    *("not-taken", "aborted", "suspended", "obsolete"),
}
MEASURED = {"laboratory", "vital-signs", "exam"}


@dataclass(frozen=True, slots=True)
class HealthLine:
    """`day` and `until` are as told, as in "2024-03"; `note` is a reaction or a dose."""

    kind: str
    name: str
    value: str = ""
    unit: str = ""
    day: str = ""
    until: str = ""
    over: bool = False
    note: str = ""


@dataclass(slots=True)
class Record:
    """`person` is whose record it is, `left` counts what is not read, by its kind."""

    known: bool = False
    person: str = ""
    born: str = ""
    lines: list[HealthLine] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)

    def told(self) -> dict[str, Any]:
        """Each line once, no more than are kept."""
        lines = sorted(dict.fromkeys(self.lines), key=attrgetter("day"), reverse=True)
        lines.sort(key=lambda line: line.kind == RESULT)
        left = self.left + Counter(older=max(len(lines) - MOST_LINES, 0))
        told = [asdict(line) for line in lines[:MOST_LINES]]
        return {"known": self.known, "person": self.person, "born": self.born} | {
            "lines": told,
            "left": left,
        }

    def add(self, line: HealthLine | None) -> None:
        if line is None or not line.name:
            self.left["other"] += 1
            return
        texts = (line.name, line.value, line.note)
        name, value, note = (" ".join(text.split())[:LONGEST_VALUE] for text in texts)
        self.lines.append(replace(line, name=name, value=value, note=note))

    def is_of(self, person: str, born: str) -> None:
        """Raises Unreadable where there are several people."""
        if self.person and person and (self.person, self.born) != (person, born):
            raise Unreadable("several_people")
        self.known, self.person, self.born = True, person or self.person, born


def read_record(content: bytes, record: Record) -> bool:
    """False if it is no record. Raises Unreadable."""
    head = content[:4000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return b"ClinicalDocument" in head and _read_document(content, record)
    if b'"resourceType"' not in content:
        return False
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    if not isinstance(document, dict) or "resourceType" not in document:
        return False
    _read_resources(document, record)
    return True


# FHIR


def _read_resources(document: Entry, record: Record) -> None:
    entries = [e for e in _list(document.get("entry")) if isinstance(e, dict)]
    resources = [entry.get("resource") for entry in entries] or [document]
    found = [resource for resource in resources if isinstance(resource, dict)]
    named = {str(entry.get("fullUrl")): entry.get("resource") for entry in entries}
    named |= {f"{r.get('resourceType')}/{r.get('id')}": r for r in found}
    record.known = True
    for resource in found:
        kind = resource.get("resourceType")
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
        if {"8480-6", "8462-4"} <= values.keys():  # LOINC's blood pressure
            (value, unit), (lower, _) = values["8480-6"], values["8462-4"]
            value, unit, name = f"{value}/{lower}", "mmHg", "Blood pressure"
        else:
            told = (f"{_text(p.get('code'))} {' '.join(_value(p))}" for p in parts)
            value = ", ".join(told)
    return HealthLine(RESULT, name, value, unit, day) if value else None


def _immunisation(resource: Entry, _named: Entry) -> HealthLine | None:
    name = _text(resource.get("vaccineCode"))
    return HealthLine(IMMUNISATION, name, day=_day(resource, "occurrenceDateTime"))


READERS: Mapping[Any, Any] = {
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


# C-CDA

V3 = "{urn:hl7-org:v3}"
# Sections by their LOINC codes, with the element of an entry and what it tells.
SECTIONS = {
    "48765-2": (ALLERGY, "observation"),
    "10160-0": (MEDICINE, "substanceAdministration"),
    "11450-4": (CONDITION, "observation"),
    "11348-0": (CONDITION, "observation"),
    "30954-2": (RESULT, "observation"),
    "8716-3": (RESULT, "observation"),
    "11369-6": (IMMUNISATION, "substanceAdministration"),
}
TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"


def _read_document(content: bytes, record: Record) -> bool:
    root = parsed(content)
    if root.getroottree().docinfo.doctype:
        raise Unreadable("hostile")
    if root.tag != f"{V3}ClinicalDocument":
        return False
    patient = root.find(f"{V3}recordTarget/{V3}patientRole/{V3}patient")
    if patient is not None:
        names = [n.text or "" for n in patient.iterfind(f"{V3}name/*")]
        born = _hl7_day(patient.find(f"{V3}birthTime"))
        record.is_of(" ".join(" ".join(names).split()), born)
    record.known = True
    texts = {e.get("ID"): " ".join("".join(e.itertext()).split())
             for e in root.iter(etree.Element) if e.get("ID")}  # fmt: skip
    for section in root.iter(f"{V3}section"):
        kind, element = SECTIONS.get(_of(section, "code", "code"), ("", ""))
        entries = section.findall(f"{V3}entry")
        if kind and not entries:
            record.left["narrative"] += 1
        for entry in entries:
            for told in _outermost(entry, element) if kind else ():
                record.add(_cda_line(kind, told, texts))
            record.left["other"] += not kind
    return True


def _outermost(entry: etree._Element, name: str) -> Iterator[etree._Element]:
    """Those that tell something, and not those inside of them, as of a severity."""
    for found in entry.iter(f"{V3}{name}"):
        above = [a.tag for a in found.iterancestors() if a.tag == f"{V3}{name}"]
        if not above:
            yield found


def _cda_line(kind: str, told: etree._Element, texts: Entry) -> HealthLine | None:
    if told.get("negationInd") == "true" or _of(told, "statusCode", "code") in {
        *("nullified", "cancelled", "aborted")
    }:
        return None
    time = told.find(f"{V3}effectiveTime")
    low, high = ((time.find(f"{V3}{e}") if time is not None else None)
                 for e in ("low", "high"))  # fmt: skip
    day, until = _hl7_day(low) or _hl7_day(time), _hl7_day(high)
    value = told.find(f"{V3}value")
    if kind == RESULT:
        if value is None or value.get("nullFlavor"):
            return None
        number = (
            value.get("value") or _named(value, texts) or (value.text or "").strip()
        )
        unit = value.get("unit", "")
        name = _named(told.find(f"{V3}code"), texts)
        line = HealthLine(kind, name, number, "" if unit == "1" else unit, day)
        return line if number else None
    if kind == CONDITION:
        name = _named(value, texts)
        return HealthLine(kind, name, day=day, until=until, over=bool(until))
    material = f".//{V3}manufacturedMaterial"
    if kind == ALLERGY:
        playing = told.find(f".//{V3}playingEntity")
        name = _playing(playing, texts)
        reactions = [
            _named(found.find(f"{V3}value"), texts)
            for found in told.iterfind(f"{V3}entryRelationship/{V3}observation")
            if found.find(f"{V3}templateId[@root='2.16.840.1.113883.10.20.22.4.9']")
            is not None
        ]
        note = ", ".join(filter(None, reactions))
        return HealthLine(kind, name, day=day, over=bool(until), note=note)
    name = _playing(told.find(material), texts)
    if kind == IMMUNISATION:
        return HealthLine(kind, name, day=day)
    dose = told.find(f"{V3}doseQuantity")
    amount = "" if dose is None else f"{dose.get('value', '')} {dose.get('unit', '')}"
    return HealthLine(kind, name, day=day, until=until, note=amount.strip())


def _playing(told: etree._Element | None, texts: Entry) -> str:
    """Of an entity or material: by its code, else its name."""
    if told is None:
        return ""
    return _named(told.find(f"{V3}code"), texts) or _words(told.find(f"{V3}name"))


def _named(code: etree._Element | None, texts: Entry) -> str:
    """As it is displayed, or by what the narrative calls it."""
    if code is None or code.get("code") in NONE_KNOWN:
        return ""
    told = code.find(f"{V3}originalText")
    reference = code.find(f".//{V3}reference")
    place = "" if reference is None else reference.get("value", "").lstrip("#")
    other = code.find(f"{V3}translation")
    displayed = code.get("displayName") or (
        "" if other is None else other.get("displayName")
    )
    return displayed or _words(told) or str(texts.get(place, ""))


def _words(element: etree._Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _of(element: etree._Element, name: str, attribute: str) -> str:
    found = element.find(f"{V3}{name}")
    return "" if found is None else found.get(attribute, "")


def _hl7_day(time: etree._Element | None) -> str:
    """2024-03-01 of 20240301083000+0100, and less where less is told."""
    told = "" if time is None else time.get("value", "")[:8]
    return "-".join(filter(None, (told[:4], told[4:6], told[6:8])))
