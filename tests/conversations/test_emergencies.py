# ruff: noqa: RUF001 - Russian letters are meant
"""What is found of an emergency in a text, and what the note says.

`tests/memory/judgement` measures which sentences are found.
"""

import pytest

from conversations.emergencies import (
    emergency_note,
    emergency_sentences,
    find_emergency,
    may_be_kept,
    without_emergency,
)
from tests.corpus import each_of

CHEST = "I have chest pain and my left arm is numb."
DESPAIR = "I want to kill myself."


def note(text, locale):
    return emergency_note(text, find_emergency(text), locale)


@pytest.mark.parametrize("form", [str.upper, str.lower, lambda text: f"  {text}!!"])
def test_case_and_punctuation_do_not_matter(form):
    assert find_emergency(form(CHEST))
    assert find_emergency(form("Nie mogę oddychać"))


def test_accents_and_apostrophes_may_be_missing():
    assert find_emergency("nie moge oddychac")
    assert find_emergency("i cant breathe")
    assert find_emergency("i can’t breathe")


def test_only_the_sentences_of_the_emergency_are_found():
    text = f"Hello. I can't breathe! {CHEST} Thanks."
    emergency = find_emergency(text)
    assert emergency_sentences(text, emergency) == ["I can't breathe!", CHEST]
    assert (emergency["medical"], emergency["crisis"]) == (True, False)
    assert find_emergency("I take ramipril.") == {}


@each_of(
    ("text", "locale", "numbers"),
    [
        (CHEST, "pl", ["112"]),
        (CHEST, "en", ["112", "US 911", "UK 999"]),
        (CHEST, "de", ["112 (US 911, UK 999)"]),
        (DESPAIR, "pl", ["112", "116 123 for adults", "116 111"]),
        (DESPAIR, "en", ["112", "US 988", "UK 116 123", "findahelpline.com"]),
        ("Chcę się zabić.", "pl", ["112", "116 123 (dorośli)", "116 111"]),
        ("Chcę się zabić.", "en", ["112", "Polska 116 123", "findahelpline.com"]),
        ("Хочу умереть.", "ru", ["112", "8-800-2000-122", "findahelpline.com"]),
        ("Хочу умереть.", "pl", ["112", "116 123 (взрослые)"]),
    ],
)
def test_note_names_the_numbers_of_the_locale(text, locale, numbers):
    told = note(text, locale)
    assert [number for number in numbers if number in told] == numbers


def test_note_is_in_the_language_of_the_message():
    assert note("Nie mogę oddychać!", "en").startswith("**To może być stan nagły.")
    assert note("Я задыхаюсь!", "pl").startswith("**Это может быть")
    assert note("Ich bekomme keine Luft!", "en").startswith("**This may be")


def test_crisis_line_belongs_to_despair_and_overdose_only():
    assert "116 123" not in note(CHEST, "pl")
    overdose = note("I have swallowed all of the sleeping pills in the bottle.", "pl")
    assert "may be an emergency" in overdose
    assert "116 123" in overdose
    assert "may be an emergency" not in note(DESPAIR, "pl")


@pytest.mark.parametrize(
    "text",
    [
        "Leo swallowed a button battery",
        "My son swallowed a button battery",
        "Staś połknął baterię z pilota",
        "Emil hat eine kleine Batterie verschluckt",
        "Louise a avalé une pile bouton",
        "Mateo se ha tragado una pila de botón",
        "Вова выпил уксус",
        "ハルトがボタン電池を飲み込んだ",
    ],
)
def test_child_by_name_that_swallowed_something_is_a_medical_emergency(text):
    emergency = find_emergency(text)
    assert (emergency.get("medical"), emergency.get("crisis")) == (True, False)


def test_food_of_a_child_by_name_is_no_emergency():
    for text in ("Noah drank his milk", "Mia lost a baby tooth", "Kuba ma katar"):
        assert find_emergency(text) == {}


def test_ordinary_message_has_no_note():
    assert note("I take ramipril.", "pl") == ""


def test_only_the_emergency_is_taken_out_of_a_text():
    text = f"I am allergic to latex. {CHEST} I live in Gdynia."
    assert without_emergency(text) == "I am allergic to latex.  I live in Gdynia."


@pytest.mark.parametrize(
    ("message", "kept", "withheld"),
    [
        (
            "Jestem uczulona na lateks. Boli mnie w klatce i drętwieje mi ręka.",
            "Użytkowniczka jest uczulona na lateks",
            "Użytkowniczka ma ból w klatce piersiowej",
        ),
        (
            "Живу в Казани. Сильно болит грудь и немеет рука.",
            "Пользователь живёт в Казани",
            "У пользователя инфаркт",
        ),
        (
            "I lost my job at the bakery. I want to kill myself.",
            "User lost a job at a bakery",
            "User is depressed",
        ),
    ],
)
def test_fact_of_another_sentence_is_kept_in_each_language(message, kept, withheld):
    rest = without_emergency(message)
    assert may_be_kept(kept, message, rest)
    assert not may_be_kept(withheld, message, rest)


@each_of(
    ("fact", "kept"),
    [
        ("User is allergic to latex", True),
        ("User likes tea", True),
        ("User is 45", True),
        ("User has chest pain", False),
        ("User has chest pain and is allergic to latex", False),
        ("User may have had a heart attack", False),
    ],
)
def test_fact_is_kept_if_the_rest_of_the_message_has_it(fact, kept):
    rest = "I am 45 and allergic to latex. I like tea."
    assert may_be_kept(fact, f"{CHEST} {rest}", rest) is kept
