"""Make and find the example household, which is a space of its own."""

import json
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.utils import timezone

from conversations.examples.story import (
    HOUSEHOLD,
    PEOPLE,
    STORY,
    ExampleConversation,
    ExampleTurn,
)
from conversations.models import Conversation, DailyUse, Message, Thread
from conversations.new_conversation import Start
from conversations.reply.active_replies import Draft
from conversations.reply.finish import Outcome, enqueue_followups, finish_turn
from conversations.reply.notes import PreparedNotes
from conversations.reply.turn import Received, Turn, begin
from memory import service
from memory.models import Memory
from memory.values import Candidate
from people.models import Membership, Person, Space, User

FIRST, BETWEEN, ANSWERED = time(19, 42), timedelta(minutes=3), timedelta(seconds=8)
BIRTHDAY = (3, 14)  # month and day


def household_of(user: User) -> Space | None:
    """The space that `make_household` made for the user, who is its admin."""
    return Space.objects.administered_by(user).filter(pk=_key(user)).first()


def _key(user: User) -> UUID:
    return uuid5(user.pk, "example household")


@transaction.atomic
def make_household(user: User) -> Space:
    """Store it through the services that real conversations use."""
    space = Space.objects.create(pk=_key(user), name=HOUSEHOLD, memory_page=True)
    Membership.objects.create(space=space, user=user, role=Membership.Role.ADMIN)
    year = timezone.localdate().year
    people = {
        one.name: Person.objects.create(
            space=space,
            user=None if position else user,
            name=one.name,
            sex=one.sex,
            date_of_birth=date(year - one.age, *BIRTHDAY),
            position=position,
            **one.notes,
        )
        for position, one in enumerate(PEOPLE)
    }
    lease = uuid4()
    for conversation in STORY:
        _play(user, people[conversation.person], conversation, lease)
    DailyUse.objects.filter(user=user).delete()
    return space


def _play(
    user: User,
    person: Person,
    conversation: ExampleConversation,
    lease: UUID,
) -> None:
    day = timezone.localdate() - timedelta(days=conversation.days_ago)
    at = timezone.make_aware(datetime.combine(day, FIRST), user.zone)
    stored: UUID | None = None
    for told in conversation.turns:
        turn = begin(
            user,
            person.space_id,
            told.said,
            conversation_id=stored,
            start=Start(person_id=person.pk),
            received=Received(lease, at),
        )
        _finish(turn, told, at + ANSWERED)
        stored, at = turn.conversation_id, at + BETWEEN
    Conversation.objects.filter(pk=turn.conversation_id).update(
        title=conversation.title, created_at=at - BETWEEN, last_message_at=at - BETWEEN
    )
    Thread.objects.filter(conversations=turn.conversation_id).give_back()


def _finish(turn: Turn, told: ExampleTurn, at: datetime) -> None:
    draft, replies = Draft(), Message.objects.filter(answers=turn.message)
    block = f"\n\n```json\n{json.dumps(dict(told.keys))}\n```" if told.keys else ""
    draft.text = draft.reader.feed(told.answer + block) + draft.reader.close()
    replies.update(created_at=at)
    outcome = Outcome(Message.Status.DONE)
    followups = finish_turn(turn, draft, outcome, _prepared(turn, told))
    replies.update(created_at=at)  # those of the lines too
    if followups is not None:
        followups = replace(followups, title_for=None)
        transaction.on_commit(lambda: enqueue_followups(followups))


def _prepared(turn: Turn, told: ExampleTurn) -> PreparedNotes:
    owned = Memory.objects.owned_by(turn.scope).active()
    old = owned.filter(content=told.replaces).first() if told.replaces else None
    replaced = old.pk if old else None
    facts = told.keys.get("memory_saves", ())
    return PreparedNotes(
        service.prepare_facts([Candidate(one, supersedes=replaced) for one in facts]),
        service.prepare_forgetting(told.keys.get("memory_forgets", ())),
        confirmable="",
    )
