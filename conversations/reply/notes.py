"""What the block of a reply asks for: changes to memory and to a person's notes."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone, translation

from conversations.emergencies.withhold import may_be_kept, without_emergencies
from conversations.models import Message
from conversations.reply.append_messages import append_notes_line
from conversations.reply.block.json import Block
from conversations.reply.block.keys import (
    MEMORY_FORGETS,
    MEMORY_SAVES,
    PROFILE_UPDATES,
)
from conversations.reply.draft import Draft
from conversations.reply.prompt.facts import without_date
from conversations.reply.turn import Turn
from memory import service
from memory.values import Candidate, Provenance
from people.models import ProfileUpdate
from people.profile_updates import Proposed, apply_updates
from people.scope import Scope

WITHHELD = Candidate("", withheld="emergency")


@dataclass(frozen=True, slots=True)
class PreparedNotes:
    saves: service.Prepared
    forgets: service.Prepared
    last_reply: str


def prepare_notes(turn: Turn, draft: Draft) -> PreparedNotes:
    """Embed the facts of the block. May use the network; raises nothing."""
    scope, block = draft.scope, draft.reader.block
    saves = [Candidate(without_date(line)) for line in block[MEMORY_SAVES]]
    if turn.reply.emergency_note:
        saves = _withhold_emergency(turn.message.content, block)
    forgets = block[MEMORY_FORGETS] if scope and scope.reads else []
    return PreparedNotes(
        service.prepare_facts(saves if scope and scope.writes else []),
        service.prepare_forgetting([without_date(line) for line in forgets]),
        draft.last_reply,
    )


def _withhold_emergency(message: str, block: Block) -> list[Candidate]:
    """Drop the notes that the block takes of an emergency; return its facts."""
    rest = without_emergencies(message)
    block.unreadable.clear()
    block.entries[PROFILE_UPDATES.name] = [
        update
        for update in block[PROFILE_UPDATES]
        if may_be_kept(str(update.get("text", "")), message, rest)
    ]
    return [
        Candidate(text) if may_be_kept(text, message, rest) else WITHHELD
        for text in block[MEMORY_SAVES]
    ]


def apply_notes(
    scope: Scope, reply: Message, block: Block, notes: PreparedNotes
) -> None:
    """Store what each key asks for, in the transaction that stores the reply."""
    for raw in block.unreadable:
        service.record_unreadable_block(scope, raw)
    if scope.writes and block[PROFILE_UPDATES]:
        _apply_profile_updates(reply, block[PROFILE_UPDATES])
    provenance = _provenance(reply, notes.last_reply)
    if block[MEMORY_FORGETS]:
        service.forget(scope, notes.forgets, provenance)
    if block[MEMORY_SAVES]:
        service.remember(scope, notes.saves, provenance)


def _provenance(reply: Message, last_reply: str) -> Provenance:
    message = reply.answers
    assert message is not None  # noqa: S101 -- a reply of a turn answers
    text = message.content
    if reply.emergency_note:
        text = without_emergencies(text)
    return Provenance(
        origin="inline",
        message_id=message.pk,
        stated_at=message.created_at,
        run_id=reply.episode_id,
        user_text=text,
        in_context=service.in_context(text, last_reply),
    )


def _apply_profile_updates(
    reply: Message, updates: Sequence[dict[str, object]]
) -> None:
    # Once per turn: a regenerated reply does not apply an update again.
    conversation = reply.conversation
    proposed = _proposed(updates)
    if conversation.person_id is None or conversation.user is None or not proposed:
        return
    user = conversation.user
    with translation.override(user.locale), timezone.override(user.zone):
        applied = apply_updates(
            user.pk,
            conversation.person_id,
            conversation.space_id,
            proposed,
            already=_earlier_updates(reply),
        )
        for update in applied:
            append_notes_line(reply, update.sentence(), profile_update=update)


def _proposed(items: Sequence[dict[str, object]]) -> list[Proposed]:
    # Malformed updates are dropped; `people` validates the values.
    shaped = ([item.get(key) for key in ("field", "action", "text")] for item in items)
    return [
        Proposed(field, action, text)
        for field, action, text in shaped
        if isinstance(field, str) and isinstance(action, str) and isinstance(text, str)
    ]


def _earlier_updates(reply: Message) -> list[ProfileUpdate]:
    return list(ProfileUpdate.objects.filter(message__answers=reply.answers))
