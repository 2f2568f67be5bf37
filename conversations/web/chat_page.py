"""What the chat page shows: the talk so far, and what a new one could begin with."""

from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BooleanField,
    ExpressionWrapper,
    Q,
    prefetch_related_objects,
)

from conversations.models import Conversation, Message
from conversations.models.message import MessageQuerySet
from conversations.quick_questions import quick_questions
from conversations.reply.turn import Turn
from people.models import Person, Space, User

AT_ONCE = 50
"""Messages of one page; earlier ones come when asked for."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some consecutive messages, and where to go on if there are earlier ones."""

    messages: list[Message]
    earlier: int | None


def part(conversation: Conversation, before: int | None = None) -> Part:
    """The last messages, or the last before a sequence number."""
    found = _shown(conversation.messages.current())
    if before is not None:
        found = found.filter(seq__lt=before)
    newest = list(found.order_by("-seq")[: AT_ONCE + 1])
    shown = newest[:AT_ONCE][::-1]
    earlier = shown[0].seq if len(newest) > AT_ONCE else None
    return Part(shown, earlier)


def said_about(reply: Message) -> list[Message]:
    """The lines that tell of changes which the reply made to a person's notes."""
    lines = Message.objects.current().filter(
        role=Message.Role.SYSTEM,
        conversation_id=reply.conversation_id,
        answers_id=reply.answers_id,
        seq__gt=reply.seq,
    )
    # Mostly there are none: a second statement is seldom, a join would be for all.
    return list(lines.prefetch_related("profile_update").in_order())


def of_conversation(conversation: Conversation) -> dict[str, Any]:
    """The context of a conversation that has begun."""
    return {
        "conversation": conversation,
        "space": conversation.space,
        "part": part(conversation),
    }


def of_nothing_yet(user: User, space: Space, person_id: str | None) -> dict[str, Any]:
    """The context of a conversation that the first message will begin.

    `person_id` is what the picker says: nobody if empty, the user's own person if
    nothing was said; a person of another space is nobody (B-17).
    """
    people = list(Person.objects.in_space(space.pk))
    person = _chosen(people, user, person_id)
    return {
        "conversation": None,
        "space": space,
        "people": people,
        "person": person,
        "questions": quick_questions(person),
    }


def _chosen(people: list[Person], user: User, person_id: str | None) -> Person | None:
    if person_id is None:
        return next((p for p in people if p.user_id == user.pk), None)
    return next((p for p in people if str(p.pk) == person_id), None)


def begun_exchange(turn: Turn) -> list[Message]:
    """A user message and its reply as it was begun: all else comes by its stream, also
    where it has ended by now."""
    exchange = [turn.message, turn.reply]
    prefetch_related_objects(exchange, "attachments")
    return exchange


def _shown(messages: MessageQuerySet) -> MessageQuerySet:
    """With what the page shows of each: whether it answers nothing but a file, too."""
    wordless = ExpressionWrapper(Q(answers__content=""), BooleanField())
    found = messages.select_related("profile_update").annotate(wordless=wordless)
    return found.prefetch_related("attachments")
