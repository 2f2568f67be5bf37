"""Profile facts of messages."""

import pytest

from memory.models import Memory, MemoryPolicy
from memory.recall import recall as reading
from tests.memory.background.heard import facts
from tests.memory.conftest import known

pytestmark = pytest.mark.django_db


def test_yes_confirms_what_the_assistant_asked(hear, api):
    context = [("assistant", "Are you vegan?")]
    hear("Yes, please", facts("User is vegan"), context=context)
    assert known(api) == ["User is vegan"]


@pytest.mark.req("S4-18", "S4-19")
def test_profile_facts_of_the_answer_are_stored(hear, api):
    answer = facts() | {
        "profile_facts": [
            {"category": "identity", "key": "name", "value": "Alex"},
            {"category": "preference", "key": "language", "value": "Python"},
            {"category": "identity", "key": 7},
        ]
    }
    hear("My name is Alex and I prefer Python", answer)
    lines = {(line.key, line.value) for line in reading.profile(api)}
    assert lines == {("name", "Alex"), ("language", "Python")}


def test_profile_fact_of_another_person_is_not_the_users(hear, api):
    name = {"category": "identity", "key": "name", "value": "Tom"}
    name |= {"evidence": "My brother is called Tom", "about": "brother"}
    hear("My brother is called Tom", facts() | {"profile_facts": [name]})
    assert reading.profile(api) == []


def profile_fact(key, value):
    fact = {"category": "identity", "key": key, "value": value}
    return facts() | {"profile_facts": [fact]}


def test_yes_confirms_a_profile_fact(hear, api):
    context = [("assistant", "Is your name Alex?")]
    hear("Yes, that's right", profile_fact("name", "Alex"), context=context)
    assert [line.value for line in reading.profile(api)] == ["Alex"]


@pytest.mark.parametrize(
    ("message", "key", "value"),
    [
        ("Don't call me Bob", "name", "Bob"),
        ("Nie nazywaj mnie Bob", "nickname", "Bob"),
    ],
)
def test_denied_value_is_no_profile_fact(hear, api, message, key, value):
    hear(message, profile_fact(key, value))
    assert reading.profile(api) == []


@pytest.mark.parametrize(
    ("message", "key", "value"),
    [
        ("My sister calls me Bob", "name", "Bob"),
        ("Call me Bob, not Robert", "name", "Bob"),
        ("Nazywam się Jan Kowalski", "name", "Jan Kowalski"),
        ("I have lived in Paris for years", "location", "Paris"),
        ("We moved to Kraków", "city", "Kraków"),
        ("Ich wohne in Bonn", "location", "Bonn"),
    ],
)
def test_own_name_and_present_state_are_profile_facts(hear, api, message, key, value):
    hear(message, profile_fact(key, value))
    assert [line.value for line in reading.profile(api)] == [value]


def test_more_than_four_values_of_one_message_are_kept(hear, api):
    values = {
        "name": "Ann",
        "occupation": "nurse",
        "location": "Bergen",
        "language": "Polish",
        "diet": "vegan",
        "pronouns": "she/her",
    }
    told = [
        {"category": "identity", "key": key, "value": value}
        for key, value in values.items()
    ]
    message = "I'm Ann, a nurse in Bergen, use Polish with me, I'm vegan, she/her."
    hear(message, facts() | {"profile_facts": told})
    assert len(reading.profile(api)) == len(values)


@pytest.mark.parametrize(
    ("message", "kept"), [("Yes, that's right", 0), ("We eat at seven.", 1)]
)
def test_a_yes_alone_keeps_nothing_for_the_space(hear, api, home, message, kept):
    MemoryPolicy.objects.create(space=home, lore=True, background_capture="always")
    context = [("assistant", "Do you all eat at seven?")]
    answer = facts() | {"memory_line": ["The family eats at seven"]}
    hear(message, answer, context=context)
    assert Memory.objects.lore_of(home.pk).count() == kept
