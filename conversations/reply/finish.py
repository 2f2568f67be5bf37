"""End a turn: store the reply, its receipt and its changes in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, Subquery

from conversations import message_search, titles
from conversations.channels import channel_of
from conversations.episodes import summaries
from conversations.episodes.topics import weigh_topic
from conversations.forgetting.withheld import withhold_retired
from conversations.models import (
    ChatModel,
    Message,
    MessageIndex,
    Receipt,
    Thread,
)
from conversations.models.receipt import Rows
from conversations.new_conversation import NotFound
from conversations.reply.active_replies import Draft
from conversations.reply.append_messages import leave_to_capture
from conversations.reply.block_changes import PreparedChanges, apply_changes
from conversations.reply.known_facts import KnownFacts
from conversations.reply.lookup import Lookup
from conversations.reply.turn import Turn, memory_of_author, scope_of_member
from meddie import dispatch
from meddie.ai.configured import configured
from meddie.ai.events import Usage
from meddie.ai.provider import current_provider
from meddie.jobs.registry import QUEUES
from meddie.text import storable
from memory.models import Memory, MemoryPolicy
from memory.values import Recalled
from people.scope import Scope

Kind, Section = Receipt.Kind, Receipt.Section
SECTION_OF: dict[str, str] = {
    Kind.EPISODE: Section.RECENT_CONTEXT,
    Kind.MESSAGE: Section.EARLIER,
    Kind.ATTACHMENT: Section.FILES,
    Kind.LORE: Section.LORE,
    Kind.PROFILE_FACT: Section.PROFILE,
}
WRITTEN = (
    "content",
    "status",
    "error",
    "lookup",
    "emergency",
    "heartbeat_at",
    "tokens_in",
    "tokens_out",
    "model",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A final Message.Status, with an error code if the reply failed."""

    status: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Followups:
    """What should happen after a turn. Sweeps find the rows of lost tasks."""

    title_for: UUID | None = None
    stale_ids: tuple[UUID, ...] = ()  # memories without a current vector
    chat: tuple[str, UUID] | None = None  # queue and thread of updates that may wait
    indexed: tuple[UUID, ...] = ()  # messages without a vector


@transaction.atomic
def finish_turn(
    turn: Turn, draft: Draft, outcome: Outcome, changes: PreparedChanges
) -> Followups | None:
    """Store the reply; None if it is deleted, ended, or written by another worker."""
    reply = _locked_reply(turn, draft)
    if reply is None:
        return None
    reply.emergency = changes.emergency
    _store_text(reply, draft, outcome)
    weigh_topic(turn.message, draft.prompted.known.query)
    reply.episode = turn.message.episode
    try:  # the user may have left the space since the reply began
        scope = scope_of_member(reply.conversation, reply.thread, reply.memory_on)
    except NotFound:
        return Followups()
    prompted = draft.prompted
    store_receipt(reply, prompted.known, prompted.used, prompted.lookup)
    apply_changes(scope, reply, draft.reader.block, changes)
    _capture_unnoted(scope, turn, draft, reply)
    indexed = message_search.index(scope, [turn.message, reply])
    if prompted.withheld or draft.reader.block.entries:  # which may retire facts
        withhold_retired(scope)
    if scope.writes:
        summaries.after_turn(reply, crowded=prompted.crowded)
    followups = _followups(turn, reply, draft, outcome)
    return replace(followups, indexed=indexed)


@transaction.atomic
def keep_text(turn: Turn, draft: Draft) -> bool:
    """Store the text as failed; False if another worker writes the reply."""
    if not _lock_thread(turn):
        return False
    reply = Message.objects.filter(pk=turn.reply_id, status=Message.Status.STREAMING)
    return bool(
        reply.update(
            content=draft.text,
            status=Message.Status.FAILED,
            error="unknown",
            heartbeat_at=None,
        )
    )


def _locked_reply(turn: Turn, draft: Draft) -> Any:
    """The locked reply, with what its end needs; None if another worker writes it."""
    if not _lock_thread(turn):
        return None
    reply = (
        Message.objects.select_for_update(of=("self",))
        .select_related("conversation__user")
        .annotate(
            memory_on=memory_of_author(),
            first_text=Subquery(titles.first_texts()),
            is_silent=Exists(
                ChatModel.objects.silent().filter(name=_asked_model(draft))
            ),
        )
        .filter(pk=turn.reply_id, status=Message.Status.STREAMING)
        .first()
    )
    if reply is not None:
        reply.thread, reply.answers = turn.reply.thread, turn.message
    return reply


def _lock_thread(turn: Turn) -> bool:
    """Lock the thread; False if its lease is lost. Releases a lease for one reply."""
    thread = Thread.objects.filter(pk=turn.reply.thread_id).leased_to(turn.lease)
    if turn.lease == turn.reply_id:
        return thread.give_back()
    return thread.select_for_update().first() is not None


def _store_text(reply: Message, draft: Draft, outcome: Outcome) -> None:
    reply.content = draft.text
    reply.status = outcome.status
    reply.error = outcome.error
    reply.heartbeat_at = None
    lookup = draft.prompted.lookup
    reply.lookup = lookup.query if lookup else ""
    if draft.usage is not None:
        set_usage(reply, draft.usage)
    reply.save(update_fields=WRITTEN)


def set_usage(reply: Message, usage: Usage) -> None:
    reply.tokens_in = _token_count(usage.tokens_in)
    reply.tokens_out = _token_count(usage.tokens_out)
    reply.model = storable(usage.model[:128])


def _token_count(tokens: int) -> int:
    # The range of the column.
    return min(max(tokens, 0), 2**31 - 1)


def store_receipt(
    reply: Message,
    known: KnownFacts,
    used: Mapping[str, int],
    lookup: Lookup | None = None,
) -> None:
    """Of all facts that a search found, and of the others and the profile in the prompt."""
    receipt = Receipt(message=reply)
    shown, others = known.in_prompt(used)
    profile = [(line.fact_id, line.importance) for line in known.profile]
    profile = profile[: used.get("profile", 0)]
    found = known.found.items
    left_out = [item for item in found if item not in shown]
    for fact in (Kind.MEMORY, Kind.PROFILE_FACT):
        told, missing, more = (
            _scored([item for item in items if item.kind == fact])
            for items in (shown, left_out, others)
        )
        receipt.add(fact, Section.REMEMBERED, [*told, *missing], len(told))
        receipt.add(fact, Section.ALSO_KNOWN, more, len(more), ranked_after=len(found))
    receipt.add(Kind.PROFILE_FACT, Section.PROFILE, profile, len(profile))
    for kind, items in known.found.further.items():
        section = SECTION_OF[kind]
        receipt.add(kind, section, _scored(items), used.get(section, 0))
    for place, item in enumerate(lookup.found if lookup else ()):
        rows = _scored([item])
        receipt.add(item.kind, Section.LOOKED_UP, rows, 1, ranked_after=place)
    if receipt.groups:
        receipt.save(force_insert=True)


def _scored(items: Sequence[Recalled]) -> Rows:
    return [(item.memory_id, item.score) for item in items]


def _asked_model(draft: Draft) -> str:
    """Of the model, as the settings or the conversation name it."""
    return draft.prompted.model or configured().chat_model


def _capture_unnoted(scope: Scope, turn: Turn, draft: Draft, reply: Any) -> None:
    """Leave the message to extraction if its reply failed, or its model writes no block.

    A model is taken to write none after ten replies without one (DESIGN 4.6). The count is
    written after the transaction, because all replies of a model share its row.
    """
    policy = turn.policy
    might_note = scope.writes and policy.inline_capture
    if not might_note or not current_provider().connected:
        return
    has_block = bool(draft.reader.block.entries)
    if reply.status == Message.Status.DONE:
        count = partial(
            ChatModel.objects.count_reply, _asked_model(draft), has_block=has_block
        )
        transaction.on_commit(count, robust=True)
    automatic = policy.background_capture == MemoryPolicy.BackgroundCapture.AUTO
    unnoted = reply.is_silent or reply.status == Message.Status.FAILED
    if automatic and unnoted and not has_block:
        leave_to_capture(scope, turn.message)


def _followups(turn: Turn, reply: Any, draft: Draft, outcome: Outcome) -> Followups:
    conversation = reply.conversation
    thread = reply.thread
    done = outcome.status == Message.Status.DONE
    title_for: UUID | None = None
    if done and titles.is_untitled(conversation, reply.first_text):
        title_for = conversation.pk
    # Updates of another channel waited while the user wrote on the web.
    inbox = channel_of(thread).inbox if turn.lease == turn.reply_id else None
    return Followups(
        title_for=title_for,
        stale_ids=draft.prompted.known.found.stale_ids,
        chat=(inbox.QUEUE, thread.pk) if inbox else None,
    )


def enqueue_followups(followups: Followups) -> None:
    if followups.title_for is not None:
        dispatch.enqueue("conversations.title_conversation", str(followups.title_for))
    if followups.stale_ids:
        Memory.embed_later(followups.stale_ids)
    if followups.chat is not None:
        queue, thread_id = followups.chat
        QUEUES[queue].ring([thread_id])
    if followups.indexed:
        MessageIndex.embed_later(followups.indexed)
