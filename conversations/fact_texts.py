"""Facts in the words in which their users read them."""

from datetime import UTC, datetime, time, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from memory.models import Fact
from memory.subjects import Subject
from memory.values import LORE_KIND, PROFILE_KIND, Decision, told_line
from memory.wording.medicines import FormerDose, Medicine
from memory.wording.subject_labels import shown_text

LONGEST_SHOWN = 160  # characters of a fact in a sentence
KEY_LABELS = {
    "name": _("Name"),
    "nickname": _("Nickname"),
    "pronouns": _("Pronouns"),
    "age": _("Age"),
    "location": _("Place"),
    "occupation": _("Occupation"),
    "language": _("Language"),
    "timezone": _("Time zone"),
    "units": _("Units"),
    "diet": _("Diet"),
    "availability": _("Availability"),
    "answer_style": _("Answer style"),
}

RELATION_LABELS = {
    "mother": _("Your mother"),
    "father": _("Your father"),
    "parents": _("Your parents"),
    "husband": _("Your husband"),
    "wife": _("Your wife"),
    "partner": _("Your partner"),
    "girlfriend": _("Your girlfriend"),
    "boyfriend": _("Your boyfriend"),
    "brother": _("Your brother"),
    "sister": _("Your sister"),
    "sibling": _("Your sibling"),
    "son": _("Your son"),
    "daughter": _("Your daughter"),
    "child": _("Your child"),
    "children": _("Your children"),
    "grandmother": _("Your grandmother"),
    "grandfather": _("Your grandfather"),
    "grandparents": _("Your grandparents"),
    "grandson": _("Your grandson"),
    "granddaughter": _("Your granddaughter"),
    "aunt": _("Your aunt"),
    "uncle": _("Your uncle"),
    "cousin": _("Your cousin"),
    "nephew": _("Your nephew"),
    "niece": _("Your niece"),
    "mother-in-law": _("Your mother-in-law"),
    "father-in-law": _("Your father-in-law"),
    "sister-in-law": _("Your sister-in-law"),
    "brother-in-law": _("Your brother-in-law"),
    "stepson": _("Your stepson"),
    "stepdaughter": _("Your stepdaughter"),
    "family": _("Your family"),
    "friend": _("Your friend"),
    "neighbour": _("Your neighbour"),
    "colleague": _("Your colleague"),
    "boss": _("Your boss"),
    "dog": _("Your dog"),
    "cat": _("Your cat"),
    "stepmother": _("Your stepmother"),
    "stepfather": _("Your stepfather"),
    "stepbrother": _("Your stepbrother"),
    "stepsister": _("Your stepsister"),
    "great-grandmother": _("Your great-grandmother"),
    "great-grandfather": _("Your great-grandfather"),
    "grandchild": _("Your grandchild"),
    "daughter-in-law": _("Your daughter-in-law"),
    "son-in-law": _("Your son-in-law"),
    "godmother": _("Your godmother"),
    "godfather": _("Your godfather"),
    "godchild": _("Your godchild"),
    "ex-husband": _("Your ex-husband"),
    "ex-wife": _("Your ex-wife"),
    "ex-partner": _("Your ex"),
    "grandchildren": _("Your grandchildren"),
    "great-aunt": _("Your great-aunt"),
    "great-uncle": _("Your great-uncle"),
    "parents-in-law": _("Your parents-in-law"),
    "flatmate": _("Your flatmate"),
    "horse": _("Your horse"),
    "rabbit": _("Your rabbit"),
    "hamster": _("Your hamster"),
    "guinea-pig": _("Your guinea pig"),
    "parrot": _("Your parrot"),
    "budgie": _("Your budgie"),
}
"""By the relations of subjects."""


def subject_label(subject: Subject) -> str:
    """Like "You", "Your mother", "Your daughter Mia" or "Leo"."""
    if subject.unsure:
        return gettext("Not sure")
    if subject.is_user:
        return pgettext("heading", "You")
    relation = RELATION_LABELS.get(subject.relation, "")
    return " ".join(filter(None, (str(relation), subject.name)))


def label_of(key: str) -> str:
    """The key of a profile fact, in the active language where it is a usual one."""
    return str(KEY_LABELS.get(key) or key.replace("_", " ").capitalize())


def profile_text(key: str, value: str) -> str:
    return f"{label_of(key)}: {value}"


def shown_fact(fact: Fact) -> str:
    """Empty once the fact is blanked."""
    return shown_line(fact.of_kind, fact.content)


def shown_proposal(decision: Decision) -> str:
    """The text of a decision on a fact that may not be stored."""
    return shown_line(decision.kind, decision.text)


def shown_line(kind: str, text: str) -> str:
    return TEXTS.get(kind, shown_text)(text)


def _shown_profile(text: str) -> str:
    key, colon, value = text.partition(": ")
    return profile_text(key, value) if colon else ""


TEXTS = {PROFILE_KIND: _shown_profile, LORE_KIND: told_line}


def shown_period(since: datetime | None, until: datetime | None) -> str:
    """Like "since May 2019" or "10 February 2024 to 1 September 2025"; empty without times."""
    texts = {
        "since": _shown_moment(since) if since else "",
        "until": _shown_moment(until, is_end=True) if until else "",
    }
    if since and until:
        return gettext("%(since)s to %(until)s") % texts
    if since:
        return gettext("since %(since)s") % texts
    return gettext("until %(until)s") % texts if until else ""


def is_midnight(moment: datetime | None) -> bool:
    """Whether it is the beginning of a day, as of what was stated."""
    told = moment.astimezone(UTC) if moment else None
    return told is not None and told.time() == time()


def _shown_moment(moment: datetime, *, is_end: bool = False) -> str:
    """A day, or the month that begins or ends then."""
    if not is_midnight(moment):
        return date_format(timezone.localtime(moment), "DATE_FORMAT")
    first = moment.astimezone(UTC)
    last = first - timedelta(microseconds=1) if is_end else first
    return date_format(last, "E Y" if first.day == 1 else "DATE_FORMAT")


def medicine_text(medicine: Medicine) -> str:
    """Like "Levothyroxine 88 µg, every morning; before: 75 µg until 28 November 2026"."""
    name = medicine.name[:1].upper() + medicine.name[1:]
    changed = medicine.before or medicine.unsettled
    since = medicine.since if changed or is_midnight(medicine.since) else None
    period = medicine.period or shown_period(since, medicine.until)
    parts = [f"{name} {medicine.dose}".strip(), medicine.times, period]
    told = ", ".join(filter(None, parts))
    if medicine.unsettled:
        doses = ", ".join(medicine.unsettled)
        told += "; " + gettext("not settled, perhaps still: %(doses)s") % {
            "doses": doses
        }
    if medicine.before:
        doses = ", ".join(map(_former_dose, medicine.before))
        told += "; " + gettext("before: %(doses)s") % {"doses": doses}
    return told


def _former_dose(former: FormerDose) -> str:
    if former.until is None:
        return former.dose
    day = date_format(timezone.localtime(former.until), "DATE_FORMAT")
    return gettext("%(dose)s until %(day)s") % {"dose": former.dose, "day": day}
