"""Messages become findable: by their words with the turn, by their meaning soon after.

The rows are the work. What waits for a vector, or has one of another model, is found by
its embedding model; without any model, or while it fails, words alone find it.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Value
from django.db.models.functions import Cast
from pgvector.django import VectorField

from conversations.models import Message, MessageIndex
from meddie.ai.embeddings import Embedder
from memory import service
from memory.models.embedded import DIMENSIONS, NO_MODEL
from people.scope import Scope

SAID = {Message.Role.USER, Message.Role.ASSISTANT}
LONGEST = 20_000
"""Characters that are searched; PostgreSQL takes no tsvector of a megabyte."""
NO_VECTOR = Cast(Value(f"[{','.join('0' * DIMENSIONS)}]"), VectorField())
"""Written out once: as an array it took longer than the rest of its row."""


def index(scope: Scope, messages: Iterable[Message]) -> tuple[UUID, ...]:
    """Give the messages of a turn their rows, if its user is to be remembered; which
    ones have any. In the transaction that ends the turn."""
    if scope.user_id is None or not scope.writes:
        return ()
    rows = [_row(message) for message in messages if _counts(message)]
    for row in rows:
        row.user_id, row.space_id = scope.user_id, scope.space_id
    MessageIndex.objects.bulk_create(rows, ignore_conflicts=True)
    return tuple(row.pk for row in rows)


def remove(message_ids: Iterable[UUID]) -> None:
    """Forget the rows of messages that something else took the place of."""
    MessageIndex.objects.filter(pk__in=message_ids).delete()


def embed(
    ids: Sequence[UUID] | None = None, *, embedder: Embedder | None = None
) -> int:
    """Give these rows, or all that want one, vectors of the model in use; how many."""
    rows = MessageIndex.objects.all()
    if ids is not None:
        return service.index(rows.filter(pk__in=ids), embedder=embedder)
    total = 0
    while batch := service.index(rows, embedder=embedder):
        total += batch
    return total


def _counts(message: Message) -> bool:
    done = message.status == Message.Status.DONE
    return done and message.role in SAID and bool(message.content.strip())


def _row(message: Message) -> MessageIndex:
    return MessageIndex(
        message=message,
        session=message.episode_id,
        place=message.seq,
        speaker=message.role,
        content=message.content[:LONGEST],
        stated_at=message.created_at,
        embedding=NO_VECTOR,
        embedding_model=NO_MODEL,
    )
