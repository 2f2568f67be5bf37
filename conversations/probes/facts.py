"""What is known of a user that may do harm if an answer does not heed it."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from memory.judgement.judge import judge
from memory.models import Memory
from people.models import Person
from people.person_text import clean_line
from people.scope import Scope

MOST = 50  # facts of a user in a space, the newest


@dataclass(frozen=True, slots=True)
class SafetyFact:
    """`key` is that of the memory, or of the person whose notes have the line."""

    key: UUID
    text: str
    in_notes: bool = False


def safety_facts(scope: Scope, person: Person | None) -> list[SafetyFact]:
    """Facts of the class `safety`, and such lines of the person's notes. Uses the encoder.

    All medications of the notes are. Brings the column of memories up to date.
    """
    rows = Memory.objects.visible_to(scope).active().order_by("-stated_at")
    texts = dict(rows.values_list("pk", "content"))
    judged = judge(list(texts.values()))
    found = {
        key: text
        for (key, text), judgement in zip(texts.items(), judged, strict=True)
        if "safety" in judgement.classes
    }
    # The class may have been fitted again since they were stored.
    rows.filter(safety=False, pk__in=found).update(safety=True)
    rows.filter(safety=True).exclude(pk__in=found).update(safety=False)
    facts = [SafetyFact(key, text) for key, text in found.items()]
    return [*(_notes(person) if person else ()), *facts][:MOST]


def _notes(person: Person) -> Iterator[SafetyFact]:
    details = person.details(timezone.localdate())
    for line in _lines(details.medications):
        yield SafetyFact(person.pk, line, in_notes=True)
    lines = _lines(details.health_notes)
    for line, judgement in zip(lines, judge(lines), strict=True):
        if "safety" in judgement.classes:
            yield SafetyFact(person.pk, line, in_notes=True)


def _lines(text: str) -> list[str]:
    lines = (clean_line(line) for line in text.splitlines() if not line.startswith("#"))
    return [line for line in lines if line]
