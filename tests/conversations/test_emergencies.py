# ruff: noqa: RUF001 - Russian letters are meant
"""Which messages raise the note about an emergency, and what the note says."""

import pytest

from conversations.emergencies.detect import find_emergency
from conversations.emergencies.notes import emergency_note
from conversations.emergencies.withhold import may_be_kept, without_emergencies
from tests.conversations import harmless_sentences as harmless
from tests.conversations import urgent_sentences as urgent

CHEST = "I have chest pain and my left arm is numb."
DESPAIR = "I want to kill myself."


def table(*groups):
    return [
        (language, line)
        for group in groups
        for language, lines in group.items()
        for line in lines.strip().splitlines()
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    table(
        urgent.FIRST,
        urgent.FURTHER,
        urgent.LATER,
        urgent.EVERYDAY,
        urgent.QUOTED,
        urgent.PLAIN,
        urgent.ALLERGY,
        urgent.SPOKEN,
    ),
)
def test_red_flag_is_recognised_in_its_language(language, sentence):
    emergency = find_emergency(sentence)
    assert emergency is not None
    assert emergency.language == language


@pytest.mark.parametrize(
    ("language", "sentence"),
    table(
        harmless.FIRST,
        harmless.FURTHER,
        harmless.LATER,
        harmless.EVERYDAY,
        harmless.QUOTED,
        harmless.PLAIN,
        harmless.ALLERGY,
        harmless.SPOKEN,
    ),
)
def test_past_denied_told_and_recurring_signs_raise_nothing(language, sentence):
    assert find_emergency(sentence) is None, language


def test_tables_hold_sixty_sentences_of_each_kind_in_three_languages():
    for group in (urgent.FIRST, harmless.FIRST):
        assert len(set(table(group))) >= 60
        assert {language for language, _ in table(group)} == {"en", "pl", "ru"}


@pytest.mark.parametrize("form", [str.upper, str.lower, lambda text: f"  {text}!!"])
def test_case_and_punctuation_do_not_matter(form):
    assert find_emergency(form(CHEST))
    assert find_emergency(form("Nie mogę oddychać"))


def test_accents_and_apostrophes_may_be_missing():
    assert find_emergency("nie moge oddychac")
    assert find_emergency("i cant breathe")
    assert find_emergency("i can’t breathe")


def test_sign_may_spread_over_two_sentences():
    emergency = find_emergency("Hello. My chest hurts. My left arm is numb. Thanks.")
    assert emergency is not None
    assert emergency.sentences == (" My chest hurts.", " My left arm is numb.")


@pytest.mark.parametrize(
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
    note = emergency_note(text, locale)
    assert [number for number in numbers if number in note] == numbers


def test_note_is_in_the_language_of_the_message():
    assert emergency_note("Duszę się!", "en").startswith("**To może być stan nagły.")
    assert emergency_note("Я задыхаюсь!", "pl").startswith("**Это может быть")


def test_crisis_line_belongs_to_despair_and_overdose_only():
    assert "116 123" not in emergency_note(CHEST, "pl")
    overdose = emergency_note("I took 30 paracetamol tablets.", "pl")
    assert "may be an emergency" in overdose
    assert "116 123" in overdose
    assert "may be an emergency" not in emergency_note(DESPAIR, "pl")


def test_ordinary_message_has_no_note():
    assert emergency_note("I take ramipril.", "pl") == ""


def test_only_the_emergency_is_taken_out_of_a_message():
    text = f"I am allergic to latex. {CHEST} I live in Gdynia."
    rest = without_emergencies(text)
    assert "allergic to latex." in rest
    assert "I live in Gdynia." in rest
    assert "chest" not in rest


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
    rest = without_emergencies(message)
    assert may_be_kept(kept, message, rest)
    assert not may_be_kept(withheld, message, rest)


@pytest.mark.parametrize(
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
