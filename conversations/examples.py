"""Make and find the example household, which is a space of its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.utils import timezone

from conversations.emergencies import find_emergency
from conversations.models import Conversation, DailyUse, Message, Thread
from conversations.new_conversation import Start
from conversations.reply.active_replies import Draft
from conversations.reply.block_changes import PreparedChanges
from conversations.reply.finish import Outcome, enqueue_followups, finish_turn
from conversations.reply.turn import Received, Turn, begin
from memory import service
from memory.household import household
from memory.models import Memory
from memory.values import Candidate
from memory.wording.dialogue import stating
from people.models import Membership, Person, Space, User

HOUSEHOLD = "Example household"
SELF, LEO, HELENA = "Me", "Leo", "Grandma Helena"
COFFEE = "User drinks four cups of coffee a day"
SMOKING = "User smokes a cigarette now and then"
NO_KEYS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ExamplePerson:
    """`age` in years; the first person is the user."""

    name: str
    sex: str
    age: int
    notes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ExampleTurn:
    """`keys` are those of the reply's block; the saved fact replaces `replaces`."""

    said: str
    answer: str
    keys: Mapping[str, Any] = field(default_factory=lambda: NO_KEYS)
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class ExampleConversation:
    title: str
    person: str
    days_ago: int
    turns: tuple[ExampleTurn, ...]


PEOPLE = (
    ExamplePerson(
        SELF,
        Person.Sex.FEMALE,
        41,
        {
            "health_notes": "## Current\n- Migraine, a few times a year\n- Hay fever",
            "supplements": "- Vitamin D, 1,000 IU in winter",
            "medications": "- Cetirizine 10 mg when the pollen is high",
        },
    ),
    ExamplePerson(
        LEO,
        Person.Sex.MALE,
        6,
        {
            "health_notes": "## Current\n- Peanut allergy\n- Wears glasses for reading",
            "medications": "- Adrenaline pen, in the school bag",
        },
    ),
    ExamplePerson(
        HELENA,
        Person.Sex.FEMALE,
        78,
        {
            "health_notes": "## Current\n- High blood pressure\n\n"
            "## History\n- Hip replacement on the left, 2019",
            "supplements": "- Calcium with vitamin D, one tablet a day",
            "medications": "- Ramipril 5 mg every morning\n- Amlodipine 5 mg at night",
        },
    ),
)
STORY = (
    ExampleConversation(
        "Getting to know each other",
        SELF,
        68,
        (
            ExampleTurn(
                "Hello! Bright light gives me migraines.",
                "I will keep in mind that bright light can set off a "
                "migraine. Sunglasses and a screen that is not too bright often help.",
                {"memory_saves": ["User gets migraines from bright light"]},
            ),
            ExampleTurn(
                "And I drink four cups of coffee a day.",
                "Four cups are at the upper end of what is usually fine for adults. If "
                "you cut down, do it over a week or two: less caffeine from one day to "
                "the next can cause a headache.",
                {"memory_saves": [COFFEE]},
            ),
        ),
    ),
    ExampleConversation(
        "Cutting down on coffee",
        SELF,
        39,
        (
            ExampleTurn(
                "I managed it: I only drink one cup of coffee a day now.",
                "Well done. Has anything changed in how you sleep, or in how often you "
                "have a headache?",
                {"memory_saves": ["User drinks one cup of coffee a day"]},
                replaces=COFFEE,
            ),
        ),
    ),
    ExampleConversation(
        "Leo's school trip",
        LEO,
        17,
        (
            ExampleTurn(
                "My son Leo is allergic to peanuts. He goes on a school trip on Friday. "
                "What should I pack?",
                "For a child with a peanut allergy:\n\n"
                "- both adrenaline pens, and a teacher who can use them\n"
                "- his allergy plan with your phone number\n"
                "- a lunch box and snacks from home",
                {"memory_saves": ["User's son Leo is allergic to peanuts"]},
            ),
        ),
    ),
    ExampleConversation(
        "Grandma's check-up",
        HELENA,
        5,
        (
            ExampleTurn(
                "I look after Grandma Helena on Sundays. Her check-up is next week: "
                "what should we ask?",
                "Three questions for the check-up:\n\n"
                "1. Is the blood pressure well controlled with both tablets?\n"
                "2. When were the kidney values and potassium last checked, as she "
                "takes ramipril?\n"
                "3. Are her ankles swollen in the evening? Amlodipine can cause that.",
                {"memory_saves": ["User looks after Grandma Helena on Sundays"]},
            ),
        ),
    ),
    ExampleConversation(
        "Something to forget",
        SELF,
        2,
        (
            ExampleTurn(
                "I smoke a cigarette now and then.",
                "Thank you for telling me. Tell me if you would like to stop; I can "
                "help you with a plan.",
                {"memory_saves": [SMOKING]},
            ),
            ExampleTurn(
                "I would rather you did not keep that. Please forget it.",
                "That is forgotten. It will not come up again.",
                {"memory_forgets": [SMOKING]},
            ),
        ),
    ),
)


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
        person.name: Person.objects.create(
            space=space,
            user=None if position else user,
            name=user.get_short_name() if person.name == SELF else person.name,
            sex=person.sex,
            date_of_birth=date(year - person.age, *BIRTHDAY),
            position=position,
            **person.notes,
        )
        for position, person in enumerate(PEOPLE)
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


def _prepared(turn: Turn, told: ExampleTurn) -> PreparedChanges:
    owned = Memory.objects.owned_by(turn.scope).active()
    old = owned.filter(content=told.replaces).first() if told.replaces else None
    replaced = old.pk if old else None
    saves = told.keys.get("memory_saves", ())
    candidates = [Candidate(save, supersedes=replaced) for save in saves]
    known = household(turn.scope, turn.reply.conversation.person_id)
    return PreparedChanges(
        service.prepare_facts(candidates, known),
        service.prepare_forgetting(told.keys.get("memory_forgets", ())),
        emergency=find_emergency(told.answer),
        stating=stating(turn.message.content),
        confirmed=turn.message.content,
        is_yes=False,
    )
