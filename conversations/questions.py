"""Lines that ask before something is forgotten or written to notes, and their answers."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from conversations.episodes import summaries
from conversations.models import Message, Thread
from conversations.notes_lines import (
    doubted,
    facts_of_line,
    line_scope,
    memory_number,
)
from conversations.refused_changes import not_removed
from memory import notes as memory_notes
from memory import service
from people import profile_updates
from people.models import ProfileUpdate, User
from people.person_text import clean_line
from people.scope import Scope

Kind = Message.LineKind
QUESTIONS = frozenset({Kind.FORGET_ALL, Kind.ASKS_FORGET, Kind.ASKS_NOTES})
"""Lines that wait for one of two buttons."""


def waits(line: Message) -> bool:
    return line.line_kind in QUESTIONS or bool(doubted(line))


def answers_to(line: Message) -> tuple[str, str] | None:
    """The labels of yes and no for a line that asks."""
    if not waits(line):
        return None
    if line.line_kind == Kind.REMEMBERED:
        return pgettext("button", "Replace"), pgettext("button", "Keep both")
    yes = pgettext("button", "Forget")
    if line.line_kind == Kind.FORGET_ALL:
        yes = _("Forget all")
    elif line.proposed:
        added = line.proposed["action"] == ProfileUpdate.Action.APPEND
        yes = pgettext("button", "Add") if added else pgettext("button", "Remove")
    return yes, _("Leave it")


@transaction.atomic
def answer_line(line: Message, user: User, *, agrees: bool) -> None:
    """Do what a line asks or leave it, unless the line was answered meanwhile."""
    Thread.objects.lock_for(line.conversation_id)
    if not Message.objects.filter(pk=line.pk, line_kind=line.line_kind).exists():
        return
    scope = line_scope(line, user)
    if line.line_kind == Kind.REMEMBERED:
        keys = [fact.pk for fact in doubted(line)]
        memory_notes.answer_doubts(scope, keys, replace=agrees)
        return
    if not agrees:
        line.line_kind, line.content = "", _("Left as it is.")
    elif line.line_kind == Kind.FORGET_ALL:
        line.line_kind, line.content = Kind.ALL_FORGOTTEN, forget_scope(scope)
    elif line.line_kind == Kind.ASKS_FORGET:
        service.forget(scope, [memory.pk for memory in facts_of_line(line) if memory])
        line.line_kind = Kind.NOT_REMEMBERED
    else:
        _change_notes(line, user)
    line.proposed = None
    line.save(update_fields=["line_kind", "content", "proposed", "profile_update"])


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
    for one in done.not_removed:
        line.content = not_removed(one.text, one.reason)


def forget_scope(scope: Scope) -> str:
    """Forget all facts and summaries, and find no message so far; the line that says so."""
    count = len(service.forget(scope, None))
    summaries.erase_summaries(scope)
    return _("Forgotten: %(facts)s") % {"facts": memory_number(count)}


def forget_all_question(count: int) -> str:
    if not count:
        return _("Nothing is remembered, so there is nothing to forget.")
    text = ngettext(
        "Forget the only memory? Say yes to confirm.",
        "Forget all %(count)d memories? Say yes to confirm.",
        count,
    )
    return text % {"count": count}


def notes_question(proposed: profile_updates.Proposed) -> str:
    if proposed.action == ProfileUpdate.Action.APPEND:
        text = _("Add to %(field)s? %(text)s")
    else:
        text = _("Remove from %(field)s? %(text)s")
    field = ProfileUpdate.Field(proposed.field).label
    return text % {"field": field, "text": clean_line(proposed.text)}
