# ruff: noqa: RUF001 - Russian letters are meant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.wording.reading import reading_of
from memory.wording.same_fact import (
    differ,
    extends,
    may_replace,
    same_words,
)
from memory.wording.words import negated
from tests.corpus import each_of


@each_of(
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
        ("User is tolerant of milk", "User is intolerant of milk"),
        ("User has hepatitis A", "User has hepatitis B"),
        ("用户左膝疼", "用户右膝疼"),
        ("用户服用5毫克氨氯地平", "用户服用5微克氨氯地平"),
        ("用户服用5毫克氨氯地平", "用户服用10毫克氨氯地平"),
        ("用户吃肉", "用户不吃肉"),
    ],
)
def test_sentences_that_say_different_things_differ(one, other):
    assert differ(reading_of(one), reading_of(other))
    assert differ(reading_of(other), reading_of(one))


@each_of(
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
    assert not differ(reading_of(one), reading_of(other))
    assert not differ(reading_of(other), reading_of(one))


@each_of(
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
    assert same_words(reading_of(one), reading_of(other))
    assert same_words(reading_of(other), reading_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User lives in Gdańsk", "User lives in Gdańsk, Poland"),
        ("User likes fish", "User likes fish soup"),
        ("User has hepatitis", "User has hepatitis A"),
    ],
)
def test_one_word_more_is_not_the_same(one, other):
    assert not same_words(reading_of(one), reading_of(other))
    assert not same_words(reading_of(other), reading_of(one))


@each_of(
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
    assert not same_words(reading_of(one), reading_of(other))
    assert not same_words(reading_of(other), reading_of(one))


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
    assert differ(reading_of(one), reading_of(other))


@pytest.mark.parametrize("text", ["I can't", "I can’t", "nothing without it", "nie"])
def test_denials_are_seen(text):
    assert negated(text)


@pytest.mark.parametrize(
    "text", ["User notices knots", "niedziela", "небо", "User knows"]
)
def test_beginnings_of_other_words_are_no_denials(text):
    assert not negated(text)


DOSES = "User takes {number} {unit} of {name} in the {time}"
SENTENCES = {
    DOSES: {
        "number": ["2", "5", "2.5", "1000"],
        "unit": ["mg", "g", "ml", "tablets"],
        "name": ["Euthyrox", "Euthyral", "metformin", "prednisone", "prednisolone"],
        "time": ["morning", "evening"],
    },
    "User's {side} {part} {verb} since {month} {number}": {
        "side": ["left", "right"],
        "part": ["knee", "ear"],
        "verb": ["hurts", "does not hurt"],
        "month": ["May", "June", "December"],
        "number": ["2019", "2020"],
    },
    "User's lens is {sign}{number} and the LDL is {bound}{limit}": {
        "sign": ["+", "-"],
        "number": ["1.5", "2.5"],
        "bound": ["<", ">"],
        "limit": ["100", "130"],
    },
    "User {verb} for {name} on {day}": {
        "verb": ["works", "does not work"],
        "name": ["Ivanov", "Ivanova", "Petrov"],
        "day": ["Monday", "Friday"],
    },
    "Użytkownik {verb} {number} {unit} leku {name} w {day}": {
        "verb": ["bierze", "nie bierze"],
        "number": ["5", "10"],
        "unit": ["mg", "kropli"],
        "name": ["Euthyrox", "Letrox"],
        "day": ["środę", "piątek"],
    },
    "{who} пользователя ещё {verb} {number} {unit} чёрного чая": {
        "who": ["Мать", "Сестра"],
        "verb": ["пьёт", "не пьёт"],
        "number": ["2", "3"],
        "unit": ["литра", "капли"],
    },
}
"""Sentences with slots; any other value in a slot states another fact."""


@st.composite
def filled(draw):
    """A template and a value for each of its slots."""
    template = draw(st.sampled_from(list(SENTENCES)))
    slots = SENTENCES[template]
    values = {slot: draw(st.sampled_from(each)) for slot, each in slots.items()}
    return template, values


@st.composite
def two_facts(draw):
    """Two sentences that differ in the value of one slot."""
    template, values = draw(filled())
    slot = draw(st.sampled_from(list(values)))
    other = [one for one in SENTENCES[template][slot] if one != values[slot]]
    changed = values | {slot: draw(st.sampled_from(other))}
    return template.format(**values), template.format(**changed)


@given(two_facts())
def test_one_changed_slot_is_another_fact(pair):
    one, other = pair
    assert differ(reading_of(one), reading_of(other))
    assert differ(reading_of(other), reading_of(one))
    assert not same_words(reading_of(one), reading_of(other))
    assert not (
        extends(reading_of(one), reading_of(other))
        and extends(reading_of(other), reading_of(one))
    )


SPELLINGS = [
    str.lower,
    str.upper,
    str.title,
    lambda text: text.replace("ё", "е"),
    lambda text: text.replace(" ", "  "),
    lambda text: f" {text}\n",
    lambda text: f"{text}.",
    lambda text: text.replace("-", "\u2212"),
    lambda text: text.replace("'", "\u2019"),
]


@given(filled(), st.sampled_from(SPELLINGS))
def test_another_spelling_is_the_same_fact(fact, respelled):
    template, values = fact
    one = template.format(**values)
    other = respelled(one)
    assert not differ(reading_of(one), reading_of(other))
    assert same_words(reading_of(one), reading_of(other))
    assert extends(reading_of(one), reading_of(other))
    assert extends(reading_of(other), reading_of(one))
    assert may_replace(reading_of(one), reading_of(other))


@each_of(
    ("new", "old"),
    [
        ("User works at Bosch", "User works at Siemens"),
        ("User is divorced", "User is married"),
        ("User needs a wheelchair", "User needs a walker"),
        ("User stopped smoking", "User smokes"),
        ("User smokes", "User stopped smoking"),
        ("Użytkownik nie pali", "Użytkownik pali"),
        ("Użytkownik pali", "Użytkownik rzucił palenie"),
        ("Пользователь курит", "Пользователь бросил курить"),
        ("Użytkownik lubi Michała", "Użytkownik lubi Michał i Rafał"),
        ("Użytkownik myśli o Gdyni", "Użytkownik myśli o Łodzi"),
        ("Пользователь живёт в Казани", "Пользователь живёт в Москве"),
        ("Пользователь любит Кирилла", "Пользователь любит Михаила или Кирилла"),
        ("用户住在成都", "用户住在上海"),
        ("ユーザーは京都に住んでいる", "ユーザーは東京に住んでいる"),
    ],
)
def test_present_may_replace_the_present(new, old):
    assert may_replace(reading_of(new), reading_of(old))


@pytest.mark.parametrize(
    ("fuller", "thinner"),
    [
        ("User takes Euthyrox 50 mg", "User takes Euthyrox"),
        ("User's mother has type 2 diabetes", "User's mother has diabetes"),
        ("User lives in Gdańsk, Poland", "User lives in Gdańsk"),
        ("用户在夜校学法语", "用户学法语"),
    ],
)
def test_fuller_wording_extends_the_thinner_one(fuller, thinner):
    assert extends(reading_of(fuller), reading_of(thinner))
    assert not extends(reading_of(thinner), reading_of(fuller))
