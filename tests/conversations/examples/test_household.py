"""The example household: made once, and removed without a trace."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from conversations.examples.household import (
    has_household,
    make_household,
    read_removal,
    remove_household,
)
from conversations.models import (
    Conversation,
    DailyUse,
    Episode,
    Message,
    MessageIndex,
    Summary,
    Thread,
)
from conversations.reply.revise import edit
from conversations.reply.turn import begin
from memory.models import CaptureJob, EpisodicMemory, Memory, ProfileFact
from people.models import Person, ProfileUpdate
from people.profile_updates import record_edits
from people.spaces import create_space
from tests.conversations import transcripts
from tests.conversations.turns import noting, write
from tests.factories import UserFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)
SEEDED = (
    *(Conversation, Thread, Message, MessageIndex, Episode, Summary),
    *(Memory, ProfileFact, EpisodicMemory, CaptureJob, Person, DailyUse),
)


@pytest.fixture
def home():
    anna = UserFactory(name="Anna")
    space = create_space("Family", anna)
    make_household(anna, space)
    return anna, space


def shows_household(user, space):
    return has_household(user, space, Person.objects.in_space(space.pk))


def own_facts():
    return set(Memory.objects.active().values_list("content", flat=True))


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
    assert ProfileFact.objects.active().get().value == "Anna"


def test_removal_leaves_nothing(home):
    remove_household(*home)
    left = {model.__name__: model.objects.count() for model in SEEDED}
    assert {name: number for name, number in left.items() if number} == {}
    assert not shows_household(*home)


def test_removal_works_with_memory_off(home):
    anna, space = home
    anna.memory_on = False
    anna.save()
    remove_household(anna, space)
    assert not shows_household(anna, space)
    assert not own_facts()


def test_removal_keeps_what_the_user_added(home, openai_server):
    anna, space = home
    trip = Conversation.objects.get(title="Leo's school trip")
    openai_server.chat.queue(
        noting(memory_saves=["User likes tea"]),
        noting(memory_saves=["User drinks one cup of coffee a day"]),
    )
    write(begin(anna, space.pk, "I like tea.", conversation_id=trip.pk))
    write(begin(anna, space.pk, "I drink one cup of coffee a day."))
    Person.objects.filter(name="Leo").update(medications="- None")

    remove_household(anna, space)

    assert own_facts() == {"User likes tea", "User drinks one cup of coffee a day"}
    said = Message.objects.filter(role="user").values_list("content", flat=True)
    assert set(said) == {"I like tea.", "I drink one cup of coffee a day."}
    assert list(Person.objects.values_list("name", flat=True)) == ["Leo"]
    assert not shows_household(anna, space)


def test_removal_keeps_edits_of_example_messages(home, openai_server):
    anna, space = home
    trip = Conversation.objects.get(title="Leo's school trip")
    said = trip.messages.filter(role="user")
    for text in ("First edit", "Second edit"):
        openai_server.chat.queue(says(f"Reply to: {text}"))
        first = said.current().in_order()[0]
        write(edit(anna, space.pk, first.pk, text))

    remove_household(anna, space)

    kept = Message.objects.exclude(role="system").in_order()
    assert list(kept.values_list("content", "status")) == [
        ("First edit", "superseded"),
        ("Reply to: First edit", "superseded"),
        ("Second edit", "done"),
        ("Reply to: Second edit", "done"),
    ]
    assert kept[0].first_version is None
    assert kept[2].first_version == kept[0]


def test_removal_keeps_an_example_fact_that_the_edit_states_again(home, openai_server):
    anna, space = home
    migraines = "User gets migraines from bright light"
    first = Message.objects.filter(role="user").in_order()[0]
    openai_server.chat.queue(noting(memory_saves=[migraines]))
    write(edit(anna, space.pk, first.pk, "Bright light gives me migraines."))

    remove_household(anna, space)

    assert own_facts() == {migraines}


def test_removal_keeps_what_an_edited_example_message_states(home, openai_server):
    anna, space = home
    name = {"category": "identity", "key": "name", "value": "Anna"}
    cat = "User has a cat"
    openai_server.chat.queue(noting(memory_saves=[cat], profile_facts=[name]))
    first = Message.objects.filter(role="user").in_order()[0]
    text = "My name is Anna, and I have a cat."
    write(edit(anna, space.pk, first.pk, text))

    remove_household(anna, space)

    assert own_facts() == {cat}
    assert ProfileFact.objects.active().get().value == "Anna"


@pytest.mark.parametrize(
    "change", [{"weight_kg": 21}, {"date_of_birth": date(2019, 5, 6)}, {"sex": ""}]
)
def test_removal_keeps_people_with_changed_details(home, change):
    Person.objects.filter(name="Leo").update(**change)
    remove_household(*home)
    assert Person.objects.get().name == "Leo"
    assert not shows_household(*home)


def test_removal_keeps_people_with_history_accounts_and_own_conversations(home):
    anna, space = home
    leo, helena = (Person.objects.get(name=n) for n in ("Leo", "Grandma Helena"))
    before = {name: getattr(leo, name) for name in ProfileUpdate.Field.values}
    record_edits(leo, before | {"supplements": "- Iron"}, anna)
    transcripts.start_conversation(anna, space, person=helena)
    Person.objects.filter(name="Anna").update(user=None)
    remove_household(anna, space)
    assert Person.objects.count() == 3
    assert not shows_household(anna, space)


def test_person_of_an_own_conversation_stays_without_what_was_made_up(home):
    anna, space = home
    me = Person.objects.get(name="Anna")
    transcripts.start_conversation(anna, space, person=me)
    assert read_removal(anna, space).emptied == ["Anna"]
    remove_household(anna, space)
    left = Person.objects.get()
    assert (left.name, left.user, left.date_of_birth) == ("Anna", anna, None)
    assert left.health_notes + left.supplements + left.medications == ""


def test_household_of_another_space_stays(home):
    other = create_space("Other", home[0])
    assert not shows_household(home[0], other)
    remove_household(home[0], other)
    assert shows_household(*home)
