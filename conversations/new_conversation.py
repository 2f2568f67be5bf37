from dataclasses import dataclass
from uuid import UUID, uuid4

from django.core.exceptions import ObjectDoesNotExist
from django.db.models.functions import Now
from django.utils import timezone

from conversations.channels import WEB
from conversations.models import Conversation, Thread
from conversations.models.conversation import THREAD_LEASE
from conversations.titles import opening
from meddie.ai.configured import configured
from meddie.ai.provider import current_provider
from people.models import Person, Space, User


class NotFound(ObjectDoesNotExist):
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


def offered_models() -> list[str]:
    """Those that users choose from, that of new conversations first; empty for one."""
    chosen = configured()
    names = dict.fromkeys([chosen.chat_model, *chosen.further_models])
    offered = len(names) > 1 and current_provider().connected
    return list(names) if offered else []


def chosen_model(name: str) -> str | None:
    """None for the first one, and for one that is no longer offered."""
    return name if name in offered_models()[1:] else None


def choose_model(conversation: Conversation, name: str) -> None:
    """Let this model answer from now on; an empty name changes nothing."""
    chosen = chosen_model(name) or ""
    if name and chosen != conversation.chat_model:
        conversation.chat_model = chosen
        conversation.save(update_fields=["chat_model"])


def begin_conversation(
    user: User | None,
    space_id: UUID,
    text: str,
    start: Start,
    *,
    lease: UUID | None = None,
) -> Conversation:
    """Store a conversation whose first message is `text`, for a member of the space.

    A thread of its own is leased to `lease`, and stored with its first messages. In a
    transaction. Raises NotFound.
    """
    key = uuid4()
    space, person = _space_and_person(user, space_id, start.person_id)
    conversation = Conversation(
        pk=key,
        thread=start.thread or _own_thread(user, space_id, key, lease),
        space=space,
        user=user,
        person=person,
        title=opening(text),
        remember=start.remember,
        carries=start.carries,
        last_message_at=timezone.now(),
    )
    conversation.save(force_insert=True)
    return conversation


def _space_and_person(
    user: User | None, space_id: UUID, person_id: UUID | None
) -> tuple[Space, Person | None]:
    """With the space's policy for memory."""
    spaces = Space.objects.filter(pk=space_id).select_related("memory_policy")
    if user is not None:
        spaces = spaces.filter(
            memberships__user=user, memberships__user__is_active=True
        )
    if person_id is None:
        space = spaces.first()
        if space is None:
            raise NotFound
        return space, None
    # A deletion waits until the conversation is stored, and then finds it.
    people = Person.objects.in_space(space_id).select_for_update(
        of=("self",), no_key=True
    )
    people = people.select_related("space__memory_policy").filter(space__in=spaces)
    person = people.filter(pk=person_id).first()
    if person is None:
        raise NotFound
    return person.space, person


def _own_thread(
    user: User | None, space_id: UUID, key: UUID, lease: UUID | None
) -> Thread:
    return Thread(
        space_id=space_id,
        user=user,
        channel=WEB.name,
        external_id=str(key),
        lease_holder=lease,
        leased_until=Now() + THREAD_LEASE if lease else None,
    )
