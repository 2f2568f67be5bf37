from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db.models.functions import Now
from django.utils import timezone

from conversations.models import Conversation, Thread
from conversations.models.thread import LEASE
from conversations.titles import first_words
from people.models import Membership, Person, User


class NotFound(Exception):
    """No such conversation, message or person for this user."""


@dataclass(frozen=True, slots=True)
class Start:
    """Without a `thread` the conversation gets its own.

    The end of `carries`, an earlier conversation, goes into the prompt.
    """

    person_id: UUID | None = None
    remember: bool = True
    thread: Thread | None = None
    carries: Conversation | None = None


def begin_conversation(
    user: User | None,
    space_id: UUID,
    text: str,
    start: Start,
    *,
    lease: UUID | None = None,
) -> Conversation:
    """Store a conversation whose first message is `text`. Raises NotFound.

    A new thread is leased to `lease`.
    """
    thread = start.thread
    membership = _membership(user, space_id) if user else None
    key = uuid4()
    conversation = Conversation(
        pk=key,
        thread=thread or _own_thread(user, space_id, key, lease),
        space_id=space_id,
        user=user,
        person=_person(space_id, start.person_id),
        title=first_words(text),
        remember=start.remember,
        carries=start.carries,
        last_message_at=timezone.now(),
    )
    if membership:
        conversation.space = membership.space
    conversation.save(force_insert=True)
    return conversation


def _membership(user: User, space_id: UUID) -> Membership:
    """With the space and its policy. Raises NotFound."""
    found = Membership.objects.select_related("space__memory_policy").filter(
        user_id=user.pk, user__is_active=True, space_id=space_id
    )
    membership = found.first()
    if membership is None:
        raise NotFound
    return membership


def _person(space_id: UUID, person_id: UUID | None) -> Person | None:
    if person_id is None:
        return None
    person = Person.objects.in_space(space_id).filter(pk=person_id).first()
    if person is None:
        raise NotFound
    return person


def _own_thread(
    user: User | None, space_id: UUID, key: UUID, lease: UUID | None
) -> Thread:
    return Thread.objects.create(
        space_id=space_id,
        user=user,
        channel=Thread.Channel.WEB,
        external_id=str(key),
        lease_holder=lease,
        leased_until=Now() + LEASE if lease else None,
    )
