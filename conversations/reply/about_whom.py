"""The question whom kept facts are about, under a reply, and its answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from conversations.fact_texts import subject_label
from conversations.models import Message, Thread
from conversations.reply.append_messages import append_line
from conversations.reply.change_lines import facts_of_line, line_scope
from memory import service
from memory.household import household, named_alone
from memory.models import Fact
from memory.subjects import USER, Household, Subject
from memory.values import STORED, Decision
from people.models import User
from people.scope import Scope

Kind = Message.LineKind
MOST_CHOICES = 8  # others are answered in words
LATER = "later"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button."""

    value: str
    label: str


def ask_about(scope: Scope, reply: Message, decisions: Sequence[Decision]) -> None:
    """Ask about new facts that are unsure."""
    keys = [d.memory_id for d in decisions if d.action in STORED and _is_unsure(d)]
    if keys:
        _append(reply, list(filter(None, keys)), _offered(household(scope)))


def _is_unsure(decision: Decision) -> bool:
    about = decision.proposal.candidate.subject if decision.proposal else None
    return about is not None and about.unsure


def _offered(known: Household) -> list[Subject]:
    people = [p for p in known.people if p.person_id not in known.own_ids]
    return [USER, *people, *known.relatives][:MOST_CHOICES]


def _append(reply: Message, keys: Sequence[UUID], offered: Sequence[Subject]) -> None:
    told = [[s.text, str(s.person_id) if s.person_id else None] for s in offered]
    proposed = {"subjects": told}
    append_line(reply, "", keys, line_kind=Kind.ASKS_ABOUT, proposed=proposed)


def about_choices(line: Message) -> list[Choice]:
    """Also of an answered line: another tap mends a wrong one."""
    if line.line_kind != Kind.ASKS_ABOUT or not _facts(line):
        return []
    named = [
        Choice(
            str(number), subject.name if subject.person_id else subject_label(subject)
        )
        for number, subject in enumerate(_subjects(line))
    ]
    return [*named, Choice(LATER, pgettext("button", "Later"))]


def _facts(line: Message) -> list[Fact]:
    return [fact for fact in facts_of_line(line) if fact and fact.active]


def _subjects(line: Message) -> list[Subject]:
    told = (line.proposed or {}).get("subjects", ())
    return [Subject.read(text, UUID(key) if key else None) for text, key in told]


@transaction.atomic
def answer(line: Message, user: User, value: str) -> bool:
    """False for an unknown choice."""
    Thread.objects.lock_for(line.conversation_id)
    found = {choice.value for choice in about_choices(line)}
    if value not in found:
        return False
    if value == LATER:
        line.line_kind, line.proposed = "", None
        line.content = _("You can say on the memory page whom it is about.")
        line.save(update_fields=["line_kind", "proposed", "content"])
        return True
    _assign(line, user, _subjects(line)[int(value)])
    return True


def _assign(line: Message, user: User, subject: Subject) -> None:
    keys = [fact.pk for fact in _facts(line)]
    service.assign(line_scope(line, user), keys, subject)


def answer_in_words(reply: Message, lines: Sequence[Message], user: User) -> None:
    """Where the message names whom lines before ask about."""
    lines = [line for line in lines if line.line_kind == Kind.ASKS_ABOUT]
    if not lines or reply.answers is None:
        return
    known = household(line_scope(lines[0], user))
    subject = named_alone(reply.answers.content_to_keep, known)
    if subject is None:
        return
    for line in lines:
        _assign(line, user, subject)
        keys = [fact.pk for fact in _facts(line)]
        offered = _subjects(line)
        Message.objects.filter(pk=line.pk).update(line_kind="", proposed=None)
        _append(reply, keys, offered)
