"""The example household: a space of its own."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from conversations.examples import household_of, make_household
from conversations.models import (
    Attachment,
    Conversation,
    DailyUse,
    Episode,
    Message,
    MessageIndex,
    Summary,
    Thread,
)
from conversations.new_conversation import Start
from conversations.probes.run import probe
from conversations.reply.turn import begin
from meddie.ai import offline
from meddie.ai.events import text_of
from memory import service
from memory.models import CaptureJob, EpisodicMemory, Memory, ProfileFact
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate
from people.access import create_space
from people.deletion import close_spaces, delete_spaces, finish_deletions
from people.models import Membership, Person, Space
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.turns import write
from tests.factories import AttachmentFactory, MembershipFactory, UserFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)
SEEDED = (
    *(Conversation, Thread, Message, MessageIndex, Episode, Summary),
    *(Memory, ProfileFact, EpisodicMemory, CaptureJob, Person, DailyUse, Space),
)


@pytest.fixture
def home():
    anna = UserFactory(name="Anna")
    return anna, make_household(anna)


def test_three_people_have_notes_and_the_first_is_the_user(home):
    people = list(Person.objects.in_space(home[1].pk))
    assert [one.name for one in people] == ["Anna", "Leo", "Grandma Helena"]
    assert [one.user for one in people] == [home[0], None, None]
    assert all(one.health_notes for one in people)


def test_each_prompt_has_what_a_person_must_not_be_given(home):
    assert probe(*home).failures == []


def test_conversations_are_days_old_and_in_order(home):
    conversations = Conversation.objects.of(home[0].pk, home[1].pk).newest()
    assert conversations.count() == 5
    assert conversations[0].last_message_at < timezone.now() - timedelta(days=1)
    for conversation in conversations:
        messages = list(conversation.messages.in_order())
        times = [message.created_at for message in messages]
        assert times == sorted(times)
        assert conversation.last_message_at <= times[-1]
        assert {message.status for message in messages} == {"done"}


def test_one_fact_is_superseded_and_one_forgotten(home):
    retired = Memory.objects.filter(active=False).order_by("retired_reason")
    assert [one.retired_reason for one in retired] == ["retracted", "superseded"]
    replaced = retired[1].updates_away.get().new
    assert replaced
    assert replaced.content == "User drinks one cup of coffee a day"


def test_household_is_found_by_its_admin_only(home):
    anna, space = home
    member = MembershipFactory(space=space, role=Membership.Role.ADMIN).user
    assert household_of(anna) == space
    assert household_of(member) is None
    Membership.objects.filter(user=anna).update(role=Membership.Role.MEMBER)
    assert household_of(anna) is None


def test_deleting_the_space_leaves_nothing(home):
    anna, space = home
    delete_spaces([space.pk])
    left = {model.__name__: model.objects.count() for model in SEEDED}
    assert {name: number for name, number in left.items() if number} == {}
    assert household_of(anna) is None


OWN = (Conversation, Memory, Attachment, Membership)
ONE_OF_EACH = dict.fromkeys(("Space", *(model.__name__ for model in OWN)), 1)


@pytest.fixture
def own_rows(home):
    """A fact, a file and a conversation of hers in the household and in her own space."""
    anna, household = home
    own = create_space("Anna's health", anna)
    for space in (household, own):
        conversation = transcripts.start_conversation(anna, space)
        transcripts.exchange(conversation, "My letter.", "Thank you.")
        message = conversation.messages.get(role="user")
        AttachmentFactory(message=message)
        scope = scope_for(anna, space.pk, channel="web")
        facts = service.prepare_facts([Candidate("User plays chess")], NO_HOUSEHOLD)
        service.remember(scope, facts, service.Provenance("inline", timezone.now()))
    return own


def rows_left():
    return {model.__name__: model.objects.count() for model in (Space, *OWN)}


def test_removal_that_is_killed_between_its_two_steps_is_finished_later(home, own_rows):
    with transaction.atomic():
        close_spaces([home[1].pk])
    assert household_of(home[0]) is None
    finish_deletions()
    assert rows_left() == ONE_OF_EACH


def test_household_that_is_removed_twice_at_once_takes_nothing_else(home, own_rows):
    def remove(_number):
        try:
            delete_spaces([home[1].pk])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(remove, range(4)))
    assert rows_left() == ONE_OF_EACH


@pytest.mark.parametrize("about", [None, "Anna", "Leo", "Grandma Helena"])
@pytest.mark.parametrize(
    "question", ["What is Leo allergic to?", "Na co uczulony jest Leo?"]
)
def test_peanuts_are_told_from_anywhere(home, about, question, monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    anna, space = home
    person = Person.objects.in_space(space.pk).filter(name=about).first()
    start = Start(person_id=person.pk if person else None)
    answer = write(begin(anna, space.pk, question, start=start)).content
    assert "eanut" in answer.partition("\n- ")[2].partition("\n")[0]
    assert "Cetirizine" not in answer
    assert "Ramipril" not in answer


@pytest.mark.parametrize("about", [None, "Anna"])
def test_prompt_has_the_notes_on_one_who_is_only_named(home, about, openai_server):
    anna, space = home
    person = Person.objects.in_space(space.pk).filter(name=about).first()
    start = Start(person_id=person.pk if person else None)
    openai_server.chat.queue(says("Peanuts."))
    write(begin(anna, space.pk, "What is Leo allergic to?", start=start))
    asked = openai_server.chat.requests[-1].body["messages"]
    assert "> - Peanut allergy" in text_of(asked[-1])
    assert "Peanut allergy" not in text_of(asked[0])
