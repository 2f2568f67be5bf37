"""The question whom kept facts are about, under a reply, and its answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from conversations.fact_texts import subject_label
from conversations.models import Message, Thread
from conversations.reply.append_messages import append_line
from conversations.reply.change_lines import facts_of_line, line_scope
from memory import service
from memory.household import household
from memory.models import Fact
from memory.subjects import USER, Household, Subject
from memory.values import STORED, Decision
from memory.wording.subjects import POSSESSIVES, asked_about
from memory.wording.words import RELATIONS, content_tokens, plain
from memory.wording.words import USER as USER_WORDS
from people.models import User
from people.scope import Scope

Kind = Message.LineKind
MOST_CHOICES = 8  # others are answered in words
MOST_WORDS = 8  # of an answer
LATER = "later"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button, and the subject that it stands for."""

    value: str
    label: str


def ask(scope: Scope, reply: Message, decisions: Sequence[Decision]) -> None:
    """Ask about the new facts of a reply of which it is not sure."""
    keys = [d.memory_id for d in decisions if d.action in STORED and _is_unsure(d)]
    if keys:
        _append(reply, list(filter(None, keys)), _offered(household(scope)))


def _is_unsure(decision: Decision) -> bool:
    fact = decision.proposal and decision.proposal.candidate
    return fact is not None and fact.subject is not None and fact.subject.unsure


def _offered(known: Household) -> list[Subject]:
    people = [p for p in known.people if p.person_id not in known.own_ids]
    return [USER, *people, *known.relatives][:MOST_CHOICES]


def _append(reply: Message, keys: Sequence[UUID], offered: Sequence[Subject]) -> None:
    told = [[s.text, str(s.person_id) if s.person_id else None] for s in offered]
    proposed = {"subjects": told}
    append_line(reply, "", keys, line_kind=Kind.ASKS_ABOUT, proposed=proposed)


def choices(line: Message) -> list[Choice]:
    """The buttons of a line, also once it is answered: another tap mends a wrong one."""
    if line.line_kind != Kind.ASKS_ABOUT or not _facts(line):
        return []
    named = [
        Choice(str(number), subject_label(subject))
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
    """Move the facts of a line to the chosen subject; False for an unknown choice."""
    Thread.objects.lock_for(line.conversation_id)
    found = {choice.value for choice in choices(line)}
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
    """Move the facts that lines before ask about to the one whom the message names."""
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


def named_alone(text: str, known: Household) -> Subject | None:
    """Whom a message names that says nothing else, as in "Mia" or "about my mother"."""
    words = set(map(plain, content_tokens(text)))
    if "?" in text or len(words) > MOST_WORDS:
        return None
    found = asked_about(text, replace(known, about=None))
    if found is None or found.unsure:
        return None
    name = set(map(plain, found.name.split()))
    others = words - {*RELATIONS, *USER_WORDS, *POSSESSIVES} | words & name
    return found if len(others) <= len(name) else None
