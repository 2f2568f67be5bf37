"""Lines that ask before something is forgotten or written to notes, and their answers."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from conversations.episodes import summaries
from conversations.models import MemoryReference, Message, Thread
from conversations.reply import about_whom, asked_facts
from conversations.reply.append_messages import append_line, name_facts
from conversations.reply.change_lines import (
    TAKEN_BACK,
    can_undo,
    doubted,
    facts_of_line,
    line_scope,
    memory_number,
)
from conversations.reply.refused_changes import not_kept, not_removed
from conversations.reply.turn import scope_of
from memory import service
from memory.household import household, named_alone
from memory.models import Memory, ProfileFact
from memory.values import STORED, Prepared, Provenance
from memory.wording.answers import declines
from memory.wording.wishes import means_before
from memory.wording.words import grounded
from people import profile_updates
from people.models import ProfileUpdate, User
from people.person_text import clean_line
from people.scope import Scope

Kind = Message.LineKind
QUESTIONS = frozenset(
    {Kind.FORGET_ALL, Kind.ASKS_FORGET, Kind.ASKS_NOTES, Kind.ASKS_KEEP}
)
"""Lines that wait for one of two buttons."""


def waits(line: Message) -> bool:
    if line.line_kind == Kind.ASKS_ABOUT:
        return any(fact and fact.about.unsure for fact in facts_of_line(line))
    return line.line_kind in QUESTIONS or bool(doubted(line))


def answers_to(line: Message) -> tuple[str, str] | None:
    """The labels of yes and no for a line that asks."""
    if line.line_kind == Kind.ASKS_ABOUT or not waits(line):
        return None
    if line.line_kind == Kind.REMEMBERED:
        return pgettext("button", "Replace"), pgettext("button", "Keep both")
    yes = pgettext("button", "Forget")
    if line.line_kind == Kind.FORGET_ALL:
        yes = _("Forget all")
    elif line.line_kind == Kind.ASKS_KEEP:
        yes = pgettext("button", "Keep")
    elif line.proposed:
        added = line.proposed["action"] == ProfileUpdate.Action.APPEND
        yes = pgettext("button", "Add") if added else pgettext("button", "Remove")
    return yes, _("Leave it")


def answer_line(line: Message, user: User, *, agrees: bool) -> None:
    """Do what a line asks or leave it, unless the line was answered meanwhile.

    Facts to keep are embedded before the transaction. Raises NotFound.
    """
    keeps = agrees and line.line_kind == Kind.ASKS_KEEP
    facts = asked_facts.prepare_asked(line, user) if keeps else Prepared()
    with transaction.atomic():
        _answer(line, user, facts, agrees=agrees)


def _answer(line: Message, user: User, facts: Prepared, *, agrees: bool) -> None:
    Thread.objects.lock_for(line.conversation_id)
    if not Message.objects.filter(pk=line.pk, line_kind=line.line_kind).exists():
        return
    scope = line_scope(line, user)
    if line.line_kind == Kind.REMEMBERED:
        keys = [fact.pk for fact in doubted(line)]
        service.answer_doubts(scope, keys, replace=agrees)
        return
    if line.line_kind == Kind.ASKS_ABOUT:
        about_whom.answer(line, user, about_whom.LATER)
        return
    if not agrees:
        line.line_kind, line.content = "", _("Left as it is.")
    elif line.line_kind in {Kind.FORGET_ALL, Kind.ASKS_FORGET}:
        _forget(line, scope)
    elif line.line_kind == Kind.ASKS_KEEP:
        _keep(line, facts)
    else:
        _change_notes(line, user)
    line.proposed = None
    line.save(update_fields=["line_kind", "content", "proposed", "profile_update"])


def _forget(line: Message, scope: Scope) -> None:
    """Forget what a line asks about, and name it there for Undo."""
    assert line.answers is not None  # noqa: S101 -- a line of a reply answers
    at = line.answers.created_at
    if line.line_kind == Kind.ASKS_FORGET:
        named = [fact.pk for fact in facts_of_line(line) if fact]
        service.forget(scope, named, at=at)
        line.line_kind = Kind.FORGOTTEN
        return
    gone = forget_scope(scope, at)
    name_facts(line, *by_kind(gone))
    line.line_kind, line.content = Kind.ALL_FORGOTTEN, all_forgotten(gone)


def _keep(line: Message, facts: Prepared) -> None:
    """Keep what the user confirms, as stated in the message, and name it there for Undo."""
    assert line.answers is not None  # noqa: S101 -- a line of a reply answers
    scope = scope_of(line.conversation, line.thread)
    told = "\n".join(fact.line for fact in facts.proposals)
    provenance = Provenance(
        origin="inline",
        stated_at=line.answers.created_at,
        message_id=line.answers_id,
        user_text=told,
        stating=told,
    )
    decisions = service.remember(scope, facts, provenance)
    kept = [d.memory_id for d in decisions if d.action in STORED and d.memory_id]
    name_facts(line, kept, ())
    others = [d for d in decisions if d.action in {"reject", "ignore"}]
    if kept:
        line.line_kind, line.content = Kind.REMEMBERED, ""
    elif others:
        line.line_kind, line.content = Kind.NOT_KEPT, not_kept(others)
    else:
        line.line_kind, line.content = "", _("Will be remembered shortly.")
    if kept and others:
        append_line(line, not_kept(others), line_kind=Kind.NOT_KEPT)


def _change_notes(line: Message, user: User) -> None:
    proposed = dict(line.proposed or {})
    person = UUID(proposed.pop("person"))
    change = profile_updates.Proposed(**proposed)
    space = line.conversation.space_id
    done = profile_updates.apply_updates(user.pk, person, space, [change])
    line.line_kind = "" if done.updates else Kind.NOT_REMOVED
    line.content = _("The notes are as they were: %(text)s") % {"text": change.text}
    for update in done.updates:
        line.profile_update, line.content = update, update.sentence()
    for refused in done.not_removed:
        line.content = not_removed(refused.text, refused.reason)


def open_questions(message: Message) -> list[Message]:
    """The lines under the reply before a message of the user that ask something."""
    return [line for line in _lines_before(message) if waits(line)]


def forgot_before(message: Message) -> bool:
    """Whether the reply before a message of the user forgot what Undo brings back."""
    lines = _lines_before(message)
    return any(line.line_kind in TAKEN_BACK and can_undo(line) for line in lines)


def _lines_before(message: Message) -> list[Message]:
    current = Message.objects.current().filter(conversation=message.conversation_id)
    earlier = current.filter(role=Message.Role.USER, seq__lt=message.seq)
    previous = earlier.in_order().last()
    if previous is None:
        return []
    lines = current.filter(answers=previous, role=Message.Role.SYSTEM)
    return list(lines.with_changes().in_order())


def is_declined(message: Message) -> bool:
    """Whether a message says no to a question under the reply before, and nothing else."""
    return declines(message.content) and bool(open_questions(message))


def forget_scope(scope: Scope, at: datetime | None = None) -> list[UUID]:
    """Forget all facts and summaries, and find no message so far; return the facts' keys.

    The facts can be restored by the time `at`, and so can the messages that told them.
    """
    gone = service.forget(scope, None, at=at)
    summaries.erase_summaries(scope)
    return gone


def forget_everything(scope: Scope, reply: Message, *, is_yes: bool) -> None:
    """Ask first: carry out a wish in the reply to the user's yes, once."""
    done = Message.objects.filter(answers=reply.answers, line_kind=Kind.ALL_FORGOTTEN)
    if not scope.reads or done.exists():
        return
    message = reply.answers
    assert message is not None  # noqa: S101 -- a reply of a turn answers
    asked = [
        line for line in open_questions(message) if line.line_kind == Kind.FORGET_ALL
    ]
    if asked and is_yes:
        gone = forget_scope(scope, message.created_at)
        text, named = all_forgotten(gone), by_kind(gone)
        append_line(reply, text, *named, line_kind=Kind.ALL_FORGOTTEN)
        Message.objects.filter(pk__in=[line.pk for line in asked]).update(line_kind="")
        return
    keys = service.keys(scope)
    kind = Kind.FORGET_ALL if keys else Kind.NOT_REMEMBERED
    text = forget_all_question(len(keys))
    append_line(reply, text, *by_kind(keys), line_kind=kind)


def names_subject(text: str, asked: Sequence[Message]) -> bool:
    """Whether a message says whom a line under the reply before asks about."""
    lines = [line for line in asked if line.line_kind == Kind.ASKS_ABOUT]
    user = lines[0].conversation.user if lines else None
    if user is None:
        return False
    known = household(line_scope(lines[0], user))
    return named_alone(text, known) is not None


def settle_subject(reply: Message, user: User) -> None:
    about_whom.answer_in_words(reply, _asked_before(reply), user)


def decline(reply: Message, user: User) -> None:
    """Leave what the lines under the reply before ask, after a no in words."""
    for line in _asked_before(reply):
        answer_line(line, user, agrees=False)


def forget_confirmed(reply: Message, user: User) -> None:
    """Forget the facts that lines under the reply before ask about, after a yes in words.

    To forget all waits for the block too, and other questions for a button.
    """
    message = reply.answers
    assert message is not None  # noqa: S101 -- a reply of a turn answers
    for line in _asked_before(reply):
        if line.line_kind == Kind.ASKS_FORGET:
            named = [fact.pk for fact in facts_of_line(line) if fact]
            scope = line_scope(line, user)
            gone = service.forget(scope, named, at=message.created_at)
            append_line(reply, "", *by_kind(gone), line_kind=Kind.FORGOTTEN)
            Message.objects.filter(pk=line.pk).update(line_kind=Kind.NOT_REMEMBERED)


def forget_replied(scope: Scope, reply: Message) -> bool:
    """Forget what the message stated that a "Forget this" replies to, if it did."""
    message = reply.answers
    replied = message.replies_to if message else None
    if not (message and replied and means_before(message.content_to_keep)):
        return False
    told = replied.answers or replied
    told_by = {"message__answers": told, "message__line_kind": Kind.REMEMBERED}
    lines = MemoryReference.objects.filter(**told_by)
    named = {key for row in lines for key in (row.memory_id, row.profile_fact_id)}
    keys = {*filter(None, named), *service.stated_only_in(scope, [told.pk])}
    if replied.content not in message.quote:  # a part of it, or how it was shown
        facts = filter(None, map(service.fact_of, keys))
        near = {f.pk for f in facts if grounded(f.copied_texts[0], message.quote)}
        keys = near or (keys if replied.answers else set())
    gone = service.forget(scope, keys, at=message.created_at) if keys else []
    if gone:
        append_line(reply, "", *by_kind(gone), line_kind=Kind.FORGOTTEN)
    return bool(gone)


def _asked_before(reply: Message) -> list[Message]:
    assert reply.answers is not None  # noqa: S101 -- a reply of a turn answers
    return open_questions(reply.answers)


def by_kind(keys: Sequence[UUID]) -> tuple[list[UUID], list[UUID]]:
    """The keys of memories, and of profile facts: those that a line can name."""
    memories = set(Memory.objects.filter(pk__in=keys).values_list("pk", flat=True))
    facts = set(ProfileFact.objects.filter(pk__in=keys).values_list("pk", flat=True))
    return (
        [key for key in keys if key in memories],
        [key for key in keys if key in facts],
    )


def all_forgotten(keys: Sequence[UUID]) -> str:
    return _("Forgotten: %(facts)s") % {"facts": memory_number(len(keys))}


def forget_all_question(count: int) -> str:
    if not count:
        return _("Nothing is remembered, so there is nothing to forget.")
    text = ngettext(
        "Forget the only memory? Say yes to confirm.",
        "Forget all %(count)d memories? Say yes to confirm.",
        count,
    )
    return text % {"count": count}


def keep_question(texts: Sequence[str]) -> str:
    told = " · ".join(f"“{text}”" for text in texts)
    return _("The picture is not read yet. Keep this? %(text)s") % {"text": told}


def notes_question(proposed: profile_updates.Proposed) -> str:
    if proposed.action == ProfileUpdate.Action.APPEND:
        text = _("Add to %(field)s? %(text)s")
    else:
        text = _("Remove from %(field)s? %(text)s")
    field = ProfileUpdate.Field(proposed.field).label
    return text % {"field": field, "text": clean_line(proposed.text)}
