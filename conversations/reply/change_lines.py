"""The lines under a reply: what changed in memory and in a person's notes.

A line about memories has their texts while they are there, so it is written when it is
read, and needs `with_changes`.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations import user_texts
from conversations.fact_texts import LONGEST_SHOWN, shown_fact, subject_label
from conversations.models import Message
from conversations.outdated.telling import answers_before, number_of_answers
from memory import service
from memory.household import told_subject
from memory.models import CaptureJob, Fact, Memory, ProfileFact
from memory.subjects import Subject
from memory.wording.subject_labels import shown_text, without_label
from people import profile_updates
from people.models import User
from people.scope import Scope, retraction_scope

Kind = Message.LineKind
CHANGES = frozenset({Kind.REMEMBERED, Kind.FORGOTTEN})
TAKEN_BACK = frozenset({Kind.FORGOTTEN, Kind.ALL_FORGOTTEN})
UNDOABLE = CHANGES | TAKEN_BACK
MOST_NAMED = 10  # facts of a line, by their texts
NOTED = CHANGES | {Kind.DEFERRED, Kind.ALL_FORGOTTEN}
MEMORY_KINDS = CHANGES | {Kind.NOT_REMEMBERED, Kind.ASKS_FORGET, Kind.ASKS_ABOUT}


def sentence(line: Message) -> str:
    """The line in the active language."""
    if line.line_kind not in MEMORY_KINDS:
        if _is_of_deleted_person(line):
            return _("Changed the notes of a deleted person.")
        return _about_all(line)
    if line.line_kind == Kind.NOT_REMEMBERED:
        forgotten = _("Forgotten: %(facts)s")
        told = [forgotten % {"facts": text} for text in _forgotten_texts(line)]
        return " · ".join(filter(None, [line.content, *told]))
    kept = [
        memory for memory in facts_of_line(line) if memory and not _is_forgotten(memory)
    ]
    parts: Sequence[tuple[str, Sequence[str]]] = (
        (
            _("Remembered: %(facts)s"),
            [shown(m) for m in kept if not (m.former_texts or m.is_lore)],
        ),
        (_("Updated: %(facts)s"), [_changed(m) for m in kept if m.former_texts]),
        (
            _("Kept for the whole household: %(facts)s"),
            [shown(m) for m in kept if m.is_lore],
        ),
        (_("Forgotten: %(facts)s"), _forgotten_texts(line)),
    )
    if line.line_kind == Kind.ASKS_ABOUT and kept:
        return _about_whom(kept)
    if line.line_kind == Kind.ASKS_FORGET:
        facts = [shown(memory) for memory in kept]
        parts = ((_("Forget this? %(facts)s"), facts), parts[-1])
    told = [text % {"facts": _joined(facts)} for text, facts in parts if facts]
    older = [shown(memory.may_replace) for memory in doubted(line)]
    told += [_("Replace “%(text)s”?") % {"text": text} for text in older]
    if answers := earlier_answers(line):
        told.append(number_of_answers(len(answers)))
    return " · ".join(told)


def _about_whom(facts: Sequence[Fact]) -> str:
    named = Subject.read(told_subject(facts[0]))
    text = _("About whom? %(facts)s") if named.unsure else _("%(name)s: %(facts)s")
    told = _joined([without_label(shown(fact), fact.about) for fact in facts])
    return text % {"name": subject_label(named), "facts": told}


def _about_all(line: Message) -> str:
    """The line's own text, and what goes if all is forgotten."""
    named = [fact for fact in facts_of_line(line) if fact and not _is_forgotten(fact)]
    if line.line_kind == Kind.FORGET_ALL and named:
        these = _("These are: %(facts)s") % {"facts": _joined(list(map(shown, named)))}
        return f"{line.content} {these}"
    if line.line_kind == Kind.ALL_FORGOTTEN and named:
        text = _(
            "Remembered again: %(facts)s. Summaries of conversations are not restored."
        )
        return text % {"facts": memory_number(len(named))}
    return line.content


def _joined(texts: Sequence[str]) -> str:
    """The first texts, and how many more there are."""
    more = len(texts) - MOST_NAMED
    if more < 1:
        return "; ".join(texts)
    rest = ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more}
    return "; ".join([*texts[:MOST_NAMED], rest])


def earlier_answers(line: Message) -> list[Message]:
    """Answers that used what the line replaced or forgot, the newest first."""
    changed = [
        fact.pk
        for fact in facts_of_line(line)
        if fact and (fact.former_texts or _is_forgotten(fact))
    ]
    if not changed or line.line_kind not in CHANGES:
        return []
    found = answers_before(line.conversation.user_id, changed).values()
    return list({answer.pk: answer for answers in found for answer in answers}.values())


def doubted(line: Message) -> list[Any]:
    """The remembered facts of which it is not sure whether they replace an older one."""
    facts = facts_of_line(line) if line.line_kind == Kind.REMEMBERED else []
    return [
        fact
        for fact in facts
        if fact and fact.active and fact.may_replace and fact.may_replace.active
    ]


def about_blank(reply: Message) -> str:
    """What to show for a reply without visible text; empty if its lines say enough.

    Under the note of an emergency the stand-in says nothing.
    """
    if reply.emergency_note:
        return ""
    lines = Message.objects.current().filter(
        answers__replies=reply, role=Message.Role.SYSTEM
    )
    if any(line.profile_update_id or line.line_kind in NOTED for line in lines):
        return _("Noted.")
    if any(line.line_kind != Kind.NOT_KEPT for line in lines):
        return ""
    # The space may not want a line about what was remembered.
    told, said = reply.conversation, {"message_id": reply.answers_id}
    waiting = {"origin": Memory.Origin.INLINE, "source_id": reply.answers_id}
    kept = (
        Memory.objects.filter(source_message=reply.answers_id),
        ProfileFact.objects.filter(user=told.user_id, space=told.space_id, **said),
        CaptureJob.objects.filter(kind="remember", **waiting),
    )
    if any(rows.exists() for rows in kept):
        return _("Noted.")
    return _("I have no answer to that. Try asking in other words.")


def with_nearest(line: Message) -> str:
    """The line with what it offers, for a channel of text."""
    texts = "; ".join(shown(memory) for memory in offered(line))
    if not texts:
        return sentence(line)
    told = sentence(line)
    return f"{told}{'' if told.endswith('?') else '.'} {_('Nearest:')} {texts}"


def offered(line: Message) -> list[Fact]:
    """The memories that a line offers to forget."""
    if line.line_kind != Kind.NOT_REMEMBERED:
        return []
    return [fact for fact in facts_of_line(line) if fact and fact.active]


def shown(memory: Fact) -> str:
    return Truncator(shown_fact(memory)).chars(LONGEST_SHOWN)


def tells_of_change(line: Message) -> bool:
    return line.profile_update is not None or line.line_kind in UNDOABLE


def can_undo(line: Message) -> bool:
    if line.profile_update is not None:
        gone = line.profile_update.person.deleted_at is not None
        return line.profile_update.reverted_at is None and not gone
    if line.line_kind == Kind.REMEMBERED:
        # Beside a fact that is forgotten, Undo would seem to bring it back.
        named = facts_of_line(line)
        partly = any(memory is None or _is_forgotten(memory) for memory in named)
        return not partly and any(memory and memory.active for memory in named)
    return line.line_kind in TAKEN_BACK and any(
        memory and _is_forgotten(memory) and memory.content
        for memory in facts_of_line(line)
    )


def is_undone(line: Message) -> bool:
    if line.profile_update is not None:
        return line.profile_update.reverted_at is not None
    gone = {memory is None or _is_forgotten(memory) for memory in facts_of_line(line)}
    return gone == {line.line_kind == Kind.REMEMBERED}


def undo_line(line: Message, user: User) -> bool:
    """Undo what the line tells of; False if it has changed since."""
    if line.profile_update is not None:
        return profile_updates.undo_update(line.profile_update, user)
    ids = [memory.pk for memory in facts_of_line(line) if memory]
    scope = line_scope(line, user)
    if not can_undo(line):
        return False
    if line.line_kind == Kind.REMEMBERED:
        return bool(service.forget(scope, ids, undo=True))
    assert line.answers is not None  # noqa: S101 -- a line of a reply answers
    restored = service.restore(scope, ids, at=line.answers.created_at)
    return any(decision.action == "restore" for decision in restored)


def forget_offered(line: Message, user: User, memory_id: str) -> bool:
    """Forget a memory that the line offers; False if it does not offer it."""
    if line.line_kind != Kind.NOT_REMEMBERED:
        return False
    keys = {str(memory.pk): memory.pk for memory in facts_of_line(line) if memory}
    if memory_id not in keys:
        return False
    service.forget(line_scope(line, user), [keys[memory_id]])
    return True


def may_be_updated(line: Message) -> bool:
    """Whether it may turn out that a fact replaced another, or that answers used that."""
    return line.line_kind in CHANGES and not earlier_answers(line)


def has_update(line: Message) -> bool:
    facts = [memory for memory in facts_of_line(line) if memory]
    return any(fact.former_texts for fact in facts) or bool(earlier_answers(line))


def changed_since(line: Message) -> str:
    """Why the line cannot be undone."""
    if line.profile_update is not None:
        return str(user_texts.CHANGED_SINCE)
    return _("This memory has changed since, so this cannot be undone here.")


def line_scope(line: Message, user: User) -> Scope:
    conversation = line.conversation
    return retraction_scope(user.pk, conversation.space_id, channel=line.thread.channel)


def facts_of_line(line: Message) -> list[Fact | None]:
    named: list[Fact | None] = []
    for reference in line.references.all():
        fact = reference.profile_fact
        if fact is not None:
            fact.former = reference.former or ""  # type: ignore[attr-defined] # with_changes
        named.append(reference.memory or fact)
    return named


def _is_forgotten(memory: Fact) -> bool:
    return memory.retired_reason == Memory.RetiredReason.RETRACTED


def _is_of_deleted_person(line: Message) -> bool:
    """Whether the person can be restored, or was erased and the text with them."""
    if line.profile_update is not None:
        return line.profile_update.person.deleted_at is not None
    return line.role == Message.Role.SYSTEM and not line.content


def _changed(memory: Fact) -> str:
    replaced = map(shown_text, memory.former_texts)
    old = Truncator("; ".join(replaced)).chars(LONGEST_SHOWN)
    return _("%(new)s (before: %(old)s)") % {"new": shown(memory), "old": old}


def _forgotten_texts(line: Message) -> list[str]:
    """The texts of forgotten memories in the line that tells so; else their number."""
    gone = [m for m in facts_of_line(line) if m is None or _is_forgotten(m)]
    told = line.line_kind == Kind.FORGOTTEN
    texts = [shown(memory) for memory in gone if memory and memory.content and told]
    count = len(gone) - len(texts)
    return [*texts, memory_number(count)] if count else texts


def memory_number(count: int) -> str:
    return ngettext("%(count)d memory", "%(count)d memories", count) % {"count": count}
