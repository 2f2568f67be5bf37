# ruff: noqa: RUF001 - Russian letters are meant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.capture.same_fact import differ, negated, retells, same_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Blood pressure was 120/80 in May", "Blood pressure was 130/85 in May"),
        ("Weight was 80 kg", "Weight was 82 kg"),
        ("User takes two tablets", "User takes three tablets"),
        ("Blood pressure was fine in May", "Blood pressure was fine in June"),
        ("User runs on Monday", "User runs on Tuesday"),
        ("User takes it in the morning", "User takes it in the evening"),
        ("User eats meat", "User does not eat meat"),
        ("User eats meat", "User doesn't eat meat"),
        ("User smokes", "User quit smoking"),
        ("User's mother has diabetes", "User's father has diabetes"),
        ("User's left knee hurts", "User's right knee hurts"),
        ("User likes Anna", "User likes Maria"),
        ("Użytkownik je mięso", "Użytkownik nie je mięsa"),
        ("Użytkownik biega w środę", "Użytkownik biega w piątek"),
        ("Пользователь ест мясо", "Пользователь не ест мясо"),
        ("Пользователь бегает в среду", "Пользователь бегает в пятницу"),
        ("User has a dose of 1.5 mg", "User has a dose of 15 mg"),
        ("Пользователь принимает метформин", "Пользователь принимает варфарин"),
        ("У пользователя гипертония", "У пользователя гипотония"),
        ("User is able to walk", "User is unable to walk"),
        ("User has the first type", "User has the second type"),
        ("User hates milk", "User loves milk"),
        ("User feels better", "User feels worse"),
        ("User is pregnant", "User was pregnant"),
        ("User is tolerant of milk", "User is intolerant of milk"),
        ("User has hepatitis A", "User has hepatitis B"),
    ],
)
def test_sentences_that_say_different_things_differ(one, other):
    assert differ(one, other)
    assert differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is allergic to ibuprofen", "User has an allergy to ibuprofen"),
        ("User is allergic to Ibuprofen", "User is allergic to ibuprofen"),
        ("Weight was 80 kg in May", "In May the weight was 80 kg"),
        ("User lives in Gdańsk", "User lives in Gdańsk, Poland"),
        ("User does not smoke", "User never smokes"),
    ],
)
def test_sentences_that_say_the_same_do_not(one, other):
    assert not differ(one, other)
    assert not differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is a vegetarian", "User is vegetarian."),
        ("User is allergic to ibuprofen", "User has an allergy to Ibuprofen"),
        ("In May the weight was 80 kg", "The weight was 80 kg in May"),
        ("User does not smoke", "User doesn't smoke"),
        ("User never smokes", "User does not smoke"),
        ("User cannot eat gluten", "User can't eat gluten"),
        ("User's mom has diabetes", "User's mother has diabetes"),
        ("User takes 10-20 mg", "User takes 10 – 20 mg"),
    ],
)
def test_the_same_words_in_another_order_or_form_are_the_same(one, other):
    assert same_words(one, other)
    assert same_words(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User lives in Gdańsk", "User lives in Gdańsk, Poland"),
        ("User likes fish", "User likes fish soup"),
        ("User has hepatitis", "User has hepatitis A"),
    ],
)
def test_one_word_more_is_not_the_same(one, other):
    assert not same_words(one, other)
    assert not same_words(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is HIV+", "User is HIV-"),
        ("User is Rh+", "User is Rh-"),
        ("User's lens is +2.5", "User's lens is -2.5"),
        ("User's LDL is <100", "User's LDL is >100"),
        ("User's BMI is over 30", "User's BMI is under 30"),
        (
            "User takes 500 mg metformin in the morning and 1000 mg in the evening",
            "User takes 1000 mg metformin in the morning and 500 mg in the evening",
        ),
        (
            "User can take ibuprofen but not aspirin",
            "User can take aspirin but not ibuprofen",
        ),
        (
            "User switched from metformin to insulin",
            "User switched from insulin to metformin",
        ),
        ("User moved from Paris to Berlin", "User moved from Berlin to Paris"),
        (
            "User wakes at 6 am and goes to bed at 10 pm",
            "User wakes at 10 pm and goes to bed at 6 am",
        ),
        ("User is away until Monday", "User is away from Monday"),
        ("User tolerates some nuts", "User tolerates all nuts"),
        ("User might have diabetes", "User has diabetes"),
        ("User's mother loves Anna", "Anna loves user's mother"),
    ],
)
def test_the_same_words_in_another_role_are_not_the_same(one, other):
    assert not same_words(one, other)
    assert not same_words(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User is HIV+", "User is HIV-"),
        ("User's lens is +2.5", "User's lens is -2.5"),
        ("User's LDL is <100", "User's LDL is >100"),
        ("User's BMI is over 30", "User's BMI is under 30"),
    ],
)
def test_a_sign_makes_a_difference(one, other):
    assert differ(one, other)


@pytest.mark.parametrize(
    ("fact", "again"),
    [
        (
            "User is allergic to ibuprofen",
            "User cannot take ibuprofen because of an allergy",
        ),
        ("User is allergic to ibuprofen", "Ibuprofen allergy"),
    ],
)
def test_the_same_thing_is_told_again_in_other_words(fact, again):
    assert retells(again, fact)


@pytest.mark.parametrize(
    ("fact", "other"),
    [
        ("User is allergic to ibuprofen", "User is allergic to aspirin"),
        ("User is allergic to ibuprofen", "User's mother is allergic to ibuprofen"),
        ("User weighs 80 kg", "User weighs 82 kg"),
        ("", "User is vegan"),
    ],
)
def test_another_thing_is_not_told_again(fact, other):
    assert not retells(other, fact)


@pytest.mark.parametrize("text", ["I can't", "I can’t", "nothing without it", "nie"])
def test_denials_are_seen(text):
    assert negated(text)


@pytest.mark.parametrize(
    "text", ["User notices knots", "niedziela", "небо", "User knows"]
)
def test_beginnings_of_other_words_are_no_denials(text):
    assert not negated(text)


@given(st.text(max_size=80))
def test_nothing_differs_from_itself(text):
    assert not differ(text, text)


@given(st.text(max_size=60), st.text(max_size=60))
def test_differing_is_mutual(one, other):
    assert differ(one, other) == differ(other, one)
