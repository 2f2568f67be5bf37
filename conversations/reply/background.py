"""Leave a message to capture and to the journal, in the transaction that stores it."""

from collections.abc import Iterable

from conversations.emergencies import calm
from conversations.models import Message
from memory import service
from memory.models import MemoryPolicy
from memory.values import Provenance
from people.models import User
from people.scope import Scope

CONTEXT_MESSAGES = 4
CONTEXT_LENGTH = 1000  # characters of each


def capture_message(
    scope: Scope,
    policy: MemoryPolicy,
    message: Message,
    context: Iterable[tuple[str, str]] | None = None,
) -> None:
    """Make a job if the policy of the space wants one for the channel.

    `context` is the last messages before it, as role and text; by default those stored.
    """
    if not policy.captures(scope.channel):
        return
    provenance = Provenance(
        origin="background",
        stated_at=message.created_at,
        message_id=message.pk,
        run_id=message.episode_id,
    )
    told = _context(message) if context is None else context
    lines = [(role, calm(text[:CONTEXT_LENGTH])) for role, text in told]
    text = message.content_to_keep
    service.capture_later(scope, text, provenance, lines, policy=policy)


def journal_message(
    scope: Scope,
    policy: MemoryPolicy,
    message: Message,
    user: User | None,
    *,
    ingested: bool = False,
) -> None:
    """Leave a line for operators if the policy of the space wants one."""
    if user is not None and policy.journals(ingested=ingested):
        text, author = message.content_to_keep, user.get_short_name()
        at = message.created_at
        service.journal(
            scope, message.pk, at, author, text, policy=policy, ingested=ingested
        )


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
