"""The example household: a space of its own."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.examples import household_of, make_household
from conversations.models import (
    Conversation,
    DailyUse,
    Episode,
    Message,
    MessageIndex,
    Summary,
    Thread,
)
from memory.models import CaptureJob, EpisodicMemory, Memory, ProfileFact
from people.deletion import delete_spaces
from people.models import Membership, Person, Space
from tests.factories import MembershipFactory, UserFactory

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
