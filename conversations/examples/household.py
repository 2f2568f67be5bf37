"""Make and remove the example household. Its keys are derived from that of the space."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import count
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import NullIf
from django.utils import timezone

from conversations import message_search
from conversations.deletion import delete_conversation
from conversations.examples.story import (
    PEOPLE,
    STORY,
    ExampleConversation,
    ExampleTurn,
)
from conversations.models import Conversation, DailyUse, Message, Thread
from conversations.models.message import MessageQuerySet
from conversations.new_conversation import Start
from conversations.reply.draft import Draft
from conversations.reply.finish import Outcome, finish_turn
from conversations.reply.followups import enqueue_followups
from conversations.reply.notes import PreparedNotes
from conversations.reply.turn import Received, Turn, begin
from memory import service
from memory.models import Memory, ProfileFact
from memory.values import Candidate
from people.models import Person, Space, User
from people.scope import retraction_scope

FIRST, BETWEEN, ANSWERED = time(19, 42), timedelta(minutes=3), timedelta(seconds=8)
BIRTHDAY = (3, 14)  # month and day


@transaction.atomic
def make_household(user: User, space: Space) -> None:
    """Store it through the services that real conversations use."""
    people = _make_people(user, space)
    lease = uuid4()
    for conversation, keys in _with_keys(space):
        _play(user, people[conversation.person], conversation, keys, lease)
    DailyUse.objects.filter(user=user).delete()


def _make_people(user: User, space: Space) -> dict[str, Person]:
    people = _as_made(user, space, timezone.localdate())
    Person.objects.bulk_create(people)
    return {person.name: person for person in people}


def _as_made(user: User, space: Space, day: date) -> list[Person]:
    return [
        Person(
            pk=_key(space, one.name),
            space=space,
            user=None if position else user,
            name=one.name,
            sex=one.sex,
            date_of_birth=date(day.year - one.age, *BIRTHDAY),
            position=position,
            **one.notes,
        )
        for position, one in enumerate(PEOPLE)
    ]


def _key(space: Space, name: str) -> UUID:
    return uuid5(space.pk, f"example {name}")


def _with_keys(space: Space) -> Iterator[tuple[ExampleConversation, list[UUID]]]:
    """The conversations, with the keys of their user messages."""
    numbers = count(1)
    for one in STORY:
        yield one, [_key(space, f"message {next(numbers)}") for _ in one.turns]


def _play(
    user: User,
    person: Person,
    conversation: ExampleConversation,
    keys: list[UUID],
    lease: UUID,
) -> None:
    day = timezone.localdate() - timedelta(days=conversation.days_ago)
    at = timezone.make_aware(datetime.combine(day, FIRST), user.zone)
    stored: UUID | None = None
    for key, told in zip(keys, conversation.turns, strict=True):
        turn = begin(
            user,
            person.space_id,
            told.said,
            conversation_id=stored,
            start=Start(person_id=person.pk),
            received=Received(lease, at),
            key=key,
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


@dataclass(frozen=True, slots=True)
class Removal:
    """How many of each kind go with the household, and who stays without notes."""

    people: int
    emptied: list[str]
    conversations: int
    facts: int


def read_removal(user: User, space: Space) -> Removal:
    keys = list(_messages(user, space).values_list("pk", flat=True))
    scope = retraction_scope(user.pk, space.pk, channel="web")
    facts = service.stated_only_in(scope, keys)
    memories = Memory.objects.active().filter(pk__in=facts)
    profile = ProfileFact.objects.active().filter(pk__in=facts)
    going = [one.pk for one in _conversations(keys) if not _has_more(one, keys)]
    people = Person.objects.in_space(space.pk)
    unused = _unchanged(user, space, people, going)
    made = people.filter(pk__in=_as_made_still(user, space, people))
    return Removal(
        people=len(unused),
        emptied=list(made.exclude(pk__in=unused).values_list("name", flat=True)),
        conversations=len(going),
        facts=memories.count() + profile.count(),
    )


def has_household(user: User, space: Space, people: Iterable[Person]) -> bool:
    """Whether a part of it is left; `people` are those of the space."""
    unchanged = _unchanged(user, space, people)
    return bool(unchanged) or _messages(user, space).exists()


@transaction.atomic
def remove_household(user: User, space: Space) -> None:
    """Keep what the user has added or changed."""
    seeded = _messages(user, space)
    keys = list(seeded.values_list("pk", flat=True))
    service.withdraw(retraction_scope(user.pk, space.pk, channel="web"), keys)
    Memory.objects.filter(source_message__in=keys, active=False).delete()
    ProfileFact.objects.filter(message_id__in=keys, active=False).delete()
    for conversation in _conversations(keys):
        if _has_more(conversation, keys):
            _remove_messages(conversation, keys)
        else:
            delete_conversation(conversation)
    people = space.people.all()
    Person.objects.filter(pk__in=_unchanged(user, space, people)).erase()
    # Whom the user's own conversations are about stays, without what was made up.
    Person.objects.filter(pk__in=_as_made_still(user, space, people)).update(
        date_of_birth=None, health_notes="", supplements="", medications=""
    )


def _messages(user: User, space: Space) -> MessageQuerySet:
    keys = [key for _, keys in _with_keys(space) for key in keys]
    own = Conversation.objects.of(user.pk, space.pk)
    return Message.objects.filter(pk__in=keys, conversation__in=own)


def _conversations(keys: list[UUID]) -> list[Conversation]:
    return list(Conversation.objects.filter(messages__in=keys).distinct())


def _has_more(conversation: Conversation, keys: list[UUID]) -> bool:
    """Whether the user has said something else in it."""
    said = conversation.messages.filter(role=Message.Role.USER)
    return said.exclude(pk__in=keys).exists()


def _remove_messages(conversation: Conversation, keys: list[UUID]) -> None:
    Thread.objects.lock_for(conversation.pk)
    told = Q(pk__in=keys) | Q(answers__in=keys)
    exchanges = conversation.messages.filter(told)
    gone = list(exchanges.values_list("pk", flat=True))
    _detach(conversation.messages.exclude(pk__in=gone), gone)
    message_search.remove(gone)
    Message.objects.filter(pk__in=gone).delete()


def _detach(kept: QuerySet[Message], gone: list[UUID]) -> None:
    """Make the oldest edit of a message that goes the first version of the others."""
    edits = Message.objects.filter(first_version=OuterRef("first_version"))
    oldest = Subquery(edits.order_by("seq").values("pk")[:1])
    kept.filter(first_version__in=gone).update(first_version=NullIf(oldest, F("pk")))
    kept.filter(superseded_with__in=gone).update(superseded_with=None)


def _unchanged(
    user: User, space: Space, people: Iterable[Person], going: Sequence[UUID] = ()
) -> list[UUID]:
    """Keys of the people of the household without edits and further conversations."""
    same = _as_made_still(user, space, people)
    if not same:
        return []
    about = Conversation.objects.filter(person=OuterRef("pk")).exclude(pk__in=going)
    unused = Person.objects.filter(~Exists(about), pk__in=same)
    return list(unused.values_list("pk", flat=True))


def _as_made_still(user: User, space: Space, people: Iterable[Person]) -> list[UUID]:
    """Keys of the people of the household without edits."""
    same = [person.pk for person in people if _is_as_made(user, space, person)]
    if not same:
        return []
    unedited = Person.objects.filter(pk__in=same, profile_updates=None)
    return list(unedited.values_list("pk", flat=True))


def _is_as_made(user: User, space: Space, person: Person) -> bool:
    day = timezone.localdate(person.created_at)
    return any(
        (person.pk, person.user_id, person.details(day))
        == (made.pk, made.user_id, made.details(day))
        for made in _as_made(user, space, day)
    )
