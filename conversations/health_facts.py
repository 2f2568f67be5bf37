"""Lines of a health record, as facts in the user's language."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from meddie.text import storable
from memory.subjects import Subject
from memory.values import Candidate, ImportedFact

IN_FORCE: Mapping[str, Promise] = {
    "allergy": gettext_lazy("%(who)s is allergic to %(name)s"),
    "medicine": gettext_lazy("%(who)s takes %(name)s"),
    "condition": gettext_lazy("%(who)s has %(name)s"),
    "immunisation": gettext_lazy("%(who)s was vaccinated: %(name)s"),
}
OVER: Mapping[str, Promise] = {
    "allergy": gettext_lazy("%(who)s was allergic to %(name)s"),
    "medicine": gettext_lazy("%(who)s took %(name)s"),
    "condition": gettext_lazy("%(who)s had %(name)s"),
}
NAMES: Mapping[str, Promise] = {
    "Weight": gettext_lazy("Weight"),
    "Height": gettext_lazy("Height"),
    "Body temperature": gettext_lazy("Body temperature"),
    "Blood sugar": gettext_lazy("Blood sugar"),
    "Blood pressure": gettext_lazy("Blood pressure"),
    "Oxygen saturation": gettext_lazy("Oxygen saturation"),
    "Resting pulse": gettext_lazy("Resting pulse"),
    "Peak flow": gettext_lazy("Peak flow"),
    "Waist": gettext_lazy("Waist"),
}


def health_facts(
    lines: Iterable[Mapping[str, Any]], about: Subject
) -> list[ImportedFact]:
    """Each is stated on its day, or now."""
    found = []
    for line in lines:
        candidate = Candidate(
            _fact_text(line, about),
            valid_from="" if line["kind"] == "result" else line["day"],
            valid_until=line["until"],
            subject=None if about.is_user else about,
        )
        found.append(ImportedFact(candidate, _stated(line["day"])))
    return found


def _fact_text(line: Mapping[str, Any], about: Subject) -> str:
    who = "User" if about.is_user else about.label
    kind, day, until = line["kind"], line["day"], line["until"]
    over = line["over"] or "" < until < timezone.localdate().isoformat()
    name = NAMES.get(line["name"], line["name"])
    if kind == "result":
        value = " ".join(filter(None, (line["value"], line["unit"])))
        text = f"{name}: {value}" if about.is_user else f"{who}: {name} {value}"
        ending = _(" on %(day)s") if day else ""
    else:
        pattern = OVER.get(kind, IN_FORCE[kind]) if over else IN_FORCE[kind]
        text = str(pattern) % {"who": who, "name": name}
        text += f" ({line['note']})" if line["note"] else ""
        ending = _ending(kind, day, until, over=over)
    return storable(text + ending % {"day": day, "until": until})


def _ending(kind: str, day: str, until: str, *, over: bool) -> str:
    if kind == "allergy" or not (day or until):
        return ""
    if kind == "immunisation":
        return _(" on %(day)s")
    if until:
        return _(" from %(day)s until %(until)s") if day else _(" until %(until)s")
    return " (%(day)s)" if over else _(" since %(day)s")


def _stated(day: str) -> datetime:
    """Of a day, a month or a year; never later than now."""
    year, month, number = [*day.split("-"), "1", "1"][:3] if day else ("", "", "")
    try:
        told = datetime(int(year), int(month), int(number), tzinfo=UTC)
    except ValueError:
        return timezone.now()
    return min(told, timezone.now()) if told.year >= 1900 else timezone.now()
