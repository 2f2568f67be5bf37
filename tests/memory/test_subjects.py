"""Whom facts are about, and how users read them."""

import pytest

from memory.subjects import USER, in_second_person, subject_of


@pytest.mark.parametrize(
    ("fact", "read"),
    [
        ("User is allergic to penicillin", "You are allergic to penicillin"),
        ("User's mother has diabetes", "Your mother has diabetes"),
        ("User takes ramipril every morning.", "You take ramipril every morning."),
        ("User was born in Leeds", "You were born in Leeds"),
        ("User studies law", "You study law"),
        ("User teaches maths", "You teach maths"),
        ("User goes to yoga", "You go to yoga"),
        ("User doesn't drink", "You don't drink"),
        ("User never smokes in bed", "You never smoke in bed"),
        ("User had an operation in 2019", "You had an operation in 2019"),
        ("User lives with their husband", "You live with your husband"),
        ("User has two cats", "You have two cats"),
        ("User looks after Grandma Helena", "You look after Grandma Helena"),
        ("User smokes", "You smoke"),
        ("User isn't vegan", "You aren't vegan"),
        ("User no longer eats meat", "You no longer eat meat"),
    ],
)
def test_fact_is_read_in_the_second_person(fact, read):
    assert in_second_person(fact) == read


@pytest.mark.parametrize(
    "fact",
    [
        "User lives in Oslo and works nights",
        "User takes her pills in the evening",
        "User says that they are tired",
        "Users of aspirin bleed",
        "Leo has a peanut allergy",
        "Użytkownik mieszka w Krakowie",
        "name: User is fine",
    ],
)
def test_sentence_that_would_become_wrong_stays_as_it_is(fact):
    assert in_second_person(fact) == fact


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("User's mother has diabetes", "User's mother"),
        ("User's second daughter is called Ada", "User's second daughter"),
        ("Mama użytkowniczki ma cukrzycę", "Mama"),
        ("User's dog is called Rex", "User's dog"),
    ],
)
def test_relative_is_named_by_the_first_words(fact, words):
    subject = subject_of(fact)
    assert subject is not None
    assert subject.words == words


def test_two_words_for_a_mother_are_one_subject():
    keys = {one.key for one in map(subject_of, ("User's mum", "User's mother")) if one}
    assert keys == {"mother"}


@pytest.mark.parametrize(
    "fact",
    ["User likes dogs", "Użytkowniczka ma kota", "I am tall", "User's job is hard"],
)
def test_fact_is_about_the_user(fact):
    assert subject_of(fact) == USER


def test_other_subjects_are_not_known():
    assert subject_of("Leo has a peanut allergy") is None
