"""Leave a message to background capture, in the transaction that stores it."""

from collections.abc import Iterable

from conversations.emergencies.withhold import without_emergencies
from conversations.models import Message
from memory import service
from memory.models import MemoryPolicy
from memory.values import Provenance
from people.scope import NotAMember, Scope, scope_for

CONTEXT_MESSAGES = 4
CONTEXT_LENGTH = 1000  # characters of each


def capture_message(message: Message) -> None:
    """Make a job if the policy of the space wants one for the channel."""
    conversation, channel = message.conversation, message.thread.channel
    if conversation.user is None or not _policy(message).captures(channel):
        return
    try:
        scope = scope_for(
            conversation.user,
            conversation.space_id,
            channel=channel,
            remember=conversation.remember,
        )
    except NotAMember:  # since the conversation was read
        return
    capture_in_scope(scope, message, _context(message))


def capture_in_scope(
    scope: Scope, message: Message, context: Iterable[tuple[str, str]]
) -> None:
    """The same for a known scope and the last messages before it, as role and text."""
    provenance = Provenance(
        origin="background",
        stated_at=message.created_at,
        message_id=message.pk,
        run_id=message.episode_id,
    )
    lines = [
        (role, without_emergencies(text)[:CONTEXT_LENGTH]) for role, text in context
    ]
    text = without_emergencies(message.content)
    service.capture_later(scope, text, provenance, lines)


def _policy(message: Message) -> MemoryPolicy:
    """Read with the conversation, so that it needs no statement here."""
    space = message.conversation.space
    if hasattr(space, "memory_policy"):
        return space.memory_policy
    return MemoryPolicy(space=space)


def _context(message: Message) -> list[tuple[str, str]]:
    earlier = (
        Message.objects.current()
        .filter(
            conversation=message.conversation_id,
            seq__lt=message.seq,
            role__in=[Message.Role.USER, Message.Role.ASSISTANT],
        )
        .exclude(content="")
        .order_by("-seq")
        .values_list("role", "content")[:CONTEXT_MESSAGES]
    )
    return list(reversed(earlier))
