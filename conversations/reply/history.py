"""What a prompt shows of the conversation: its last messages, their summary and its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from conversations.episodes.summaries import chunk_end, working_memory
from conversations.forgetting.withheld import Withheld
from conversations.models import Attachment, Message
from conversations.models.message import MessageQuerySet
from conversations.reply.prompt.context import CARRIED_MESSAGES, MOST_MESSAGES
from conversations.reply.prompt.sections import FileLine
from conversations.reply.turn import Turn


class Spoken(NamedTuple):
    """The last reply, and the user's message before it."""

    reply: str = ""
    message: str = ""


def history_of(turn: Turn) -> list[Any]:
    """The messages before the turn's, after the carried conversation's (S0-51)."""
    conversation, until = turn.reply.conversation, turn.message.seq
    if until == 1:
        return []
    recent = _newest_first(conversation.pk, until)
    if turn.scope.writes:
        messages = _without_chunk(recent, turn.reply.thread_id)
    else:
        messages = list(recent[: settings.RECENT_MESSAGES - 1])
    room = CARRIED_MESSAGES - len(messages)
    if conversation.carries_id and room > 0:
        messages += _newest_first(conversation.carries_id, until)[:room]
    return messages[::-1]


def _without_chunk(recent: MessageQuerySet, thread_id: UUID) -> list[Message]:
    """Those that no chunk summary covers, and at least the last ones."""
    end = Coalesce(Subquery(chunk_end(thread_id)), 0)
    most = max(MOST_MESSAGES, settings.RECENT_MESSAGES)
    messages: list[Any] = list(recent.annotate(chunk_end=end)[:most])
    left = [message for message in messages if message.seq > message.chunk_end]
    kept = settings.RECENT_MESSAGES // 2
    return left if len(left) > kept else messages[:kept]


def last_turn_of(history: Sequence[Message]) -> Spoken:
    last = {message.role: message.content for message in history}
    roles = (Message.Role.ASSISTANT, Message.Role.USER)
    return Spoken(*(last.get(role, "") for role in roles))


def last_reply_of(history: Sequence[Message]) -> Message | None:
    replies = (m for m in reversed(history) if m.role == Message.Role.ASSISTANT)
    return next(replies, None)


def _newest_first(conversation_id: UUID, until: int) -> MessageQuerySet:
    files = Attachment.objects.filter(message=OuterRef("pk"))
    return (
        Message.objects.current()
        .annotate(has_files=Exists(files))
        .filter(
            # The model has to know what a "yes" confirms.
            Q(role__in=[Message.Role.USER, Message.Role.ASSISTANT])
            | Q(line_kind=Message.LineKind.FORGET_ALL),
            conversation_id=conversation_id,
            seq__lt=until,
        )
        .exclude(has_files=False, content="")
        .order_by("-seq")
        .only(
            *("seq", "role", "content", "created_at"),
            *("emergency", "emergency_note", "withheld", "forwarded_from"),
            *("quote", "quoted_from"),
        )
    )


@dataclass(frozen=True, slots=True)
class SoFar:
    summary: str = ""
    open_loops: Sequence[str] = ()
    files: Sequence[FileLine] = ()


def read_so_far(
    turn: Turn, recent: Sequence[Message], withheld: Withheld, zone: tzinfo | None
) -> SoFar:
    """Read nothing while all messages are recent ones."""
    first = recent[0].seq if recent else turn.message.seq
    if first == 1:
        return SoFar()
    working = working_memory(turn.reply.conversation)
    loops = (withheld.cleaned(loop) for loop in working.open_loops)
    return SoFar(
        withheld.cleaned(working.summary),
        tuple(filter(None, loops)),
        _files(turn, first, withheld, zone),
    )


def _files(
    turn: Turn, until: int, withheld: Withheld, zone: tzinfo | None
) -> list[FileLine]:
    """The last files of earlier messages, the newest first."""
    sent = Attachment.objects.filter(
        message__conversation=turn.conversation_id, message__seq__lt=until
    ).exclude(message__status=Message.Status.SUPERSEDED)
    newest = sent.select_related("message").order_by("-message__seq", "-number")[:10]
    return [
        FileLine(
            f"[{file.kind}#{file.code}]",
            withheld.description(file.description, file.message) or file.name,
            file.created_at.astimezone(zone).date(),
        )
        for file in newest
        if file.message is not None
    ]
