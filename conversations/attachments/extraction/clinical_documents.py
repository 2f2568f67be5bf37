"""Clinical documents (HL7 CDA, as C-CDA has them), read to lines by their entries.

What is negated or nullified is left out.
"""

from collections.abc import Iterator, Mapping

from lxml import etree

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.health_lines import (
    ALLERGY,
    CONDITION,
    IMMUNISATION,
    MEDICINE,
    NONE_KNOWN,
    RESULT,
    HealthLine,
    Record,
)
from conversations.attachments.extraction.packages import parsed

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
REACTION = "2.16.840.1.113883.10.20.22.4.9"  # template
VOID = {"nullified", "cancelled", "aborted"}


def read_clinical_document(content: bytes, record: Record) -> None:
    """Raises Unreadable; a document that declares entities is refused."""
    root = parsed(content)
    if root.getroottree().docinfo.doctype:
        raise Unreadable("hostile")
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


def _outermost(entry: etree._Element, name: str) -> Iterator[etree._Element]:
    """Those that tell something, and not those inside of them, as of a severity."""
    for found in entry.iter(f"{V3}{name}"):
        above = [a.tag for a in found.iterancestors() if a.tag == f"{V3}{name}"]
        if not above:
            yield found


Texts = Mapping[str | None, str]


def _cda_line(kind: str, told: etree._Element, texts: Texts) -> HealthLine | None:
    if told.get("negationInd") == "true" or _of(told, "statusCode", "code") in VOID:
        return None
    time = told.find(f"{V3}effectiveTime")
    low, high = (
        None if time is None else time.find(f"{V3}{end}") for end in ("low", "high")
    )
    day, until = _hl7_day(low) or _hl7_day(time), _hl7_day(high)
    if kind == RESULT:
        return _result_line(told, day, texts)
    if kind == CONDITION:
        name = _named(told.find(f"{V3}value"), texts)
        return HealthLine(kind, name, day=day, until=until, over=bool(until))
    if kind == ALLERGY:
        name = _playing(told.find(f".//{V3}playingEntity"), texts)
        note = ", ".join(_reactions(told, texts))
        return HealthLine(kind, name, day=day, over=bool(until), note=note)
    name = _playing(told.find(f".//{V3}manufacturedMaterial"), texts)
    dose = told.find(f"{V3}doseQuantity") if kind == MEDICINE else None
    amount = "" if dose is None else f"{dose.get('value', '')} {dose.get('unit', '')}"
    until = until if kind == MEDICINE else ""
    return HealthLine(kind, name, day=day, until=until, note=amount.strip())


def _result_line(told: etree._Element, day: str, texts: Texts) -> HealthLine | None:
    value = told.find(f"{V3}value")
    if value is None or value.get("nullFlavor"):
        return None
    number = value.get("value") or _named(value, texts) or _words(value)
    name = _named(told.find(f"{V3}code"), texts)
    code, moment = _of(told, "code", "code"), _of(told, "effectiveTime", "value")
    unit = value.get("unit", "")
    line = HealthLine(RESULT, name, number, unit, day, code=code, moment=moment)
    return line if number else None


def _reactions(told: etree._Element, texts: Texts) -> Iterator[str]:
    for found in told.iterfind(f"{V3}entryRelationship/{V3}observation"):
        if found.find(f"{V3}templateId[@root='{REACTION}']") is not None:
            yield _named(found.find(f"{V3}value"), texts)


def _playing(told: etree._Element | None, texts: Texts) -> str:
    """Of an entity or material: by its code, else its name."""
    if told is None:
        return ""
    return _named(told.find(f"{V3}code"), texts) or _words(told.find(f"{V3}name"))


def _named(code: etree._Element | None, texts: Texts) -> str:
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
