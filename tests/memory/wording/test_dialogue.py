# ruff: noqa: RUF001 - Russian letters are meant
"""What a short message is read together with."""

import pytest

from memory.wording.answers import agrees
from memory.wording.dialogue import (
    announces_topic,
    in_context,
    lasting,
    wants_reminder,
    with_confirmed,
)
from tests.corpus import each_of

QUESTION = "Shall I list painkillers without ibuprofen?"
REPLY = f"You are allergic to ibuprofen. {QUESTION}"


@pytest.mark.req("B-40")
@each_of(
    "message",
    ["Yes, please", "OK", "Tak", "Tak, poproszę", "Да", "Да, пожалуйста", "👍", "好的"],
)
def test_short_message_is_read_after_the_last_question(message):
    assert in_context(message, REPLY) == f"{QUESTION}\n{message}"


@each_of(
    "message",
    [
        "My left knee hurts",
        "Czy mogę brać ibuprofen?",
        "У меня болит левое колено",
        "What did we say about databases?",
        "Co mówiliśmy o bazach?",
        "Что мы говорили о базах?",
    ],
)
def test_message_with_content_is_read_alone(message):
    assert in_context(message, REPLY) == message


def test_message_of_20_000_characters_is_read_alone():
    message = "My left knee hurts. " * 1000
    assert in_context(message, REPLY) == message


@each_of(
    ("reply", "context"),
    [
        ("First part.\n\nTake it with food.", "Take it with food."),
        (f"{QUESTION}\n\nIt may wait.", QUESTION),
        (f"Is it your heart? {QUESTION} It may wait.", QUESTION),
        (f"**{QUESTION}**", f"**{QUESTION}**"),
        ("您需要我列出止痛药吗？请告诉我。", "您需要我列出止痛药吗？请告诉我。"),
        ("You take warfarin daily. Is that right?",) * 2,
        ("Hello.\n\nYou see Dr. Kowalska. Right?", "You see Dr. Kowalska. Right?"),
        ("", ""),
        (" \n\n ", ""),
    ],
)
def test_without_a_telling_question_the_paragraph_is_read(reply, context):
    assert in_context("Yes", reply) == f"{context}\nYes".strip()


@each_of("message", ["Yes", "YES!", "ok", "Yes. Go ahead!", "Tak, proszę", "Ja", "Sí"])
def test_yes_confirms(message):
    assert agrees(message)


@pytest.mark.req("S2-25", "B-29")
@pytest.mark.parametrize(
    "message",
    [
        "By the way, what is the capital of Portugal?",
        "Thanks! By the way, can I take ibuprofen with it?",
        "Кстати, какая завтра погода?",
    ],
)
def test_new_topic_is_announced_by_a_sentence_or_its_first_clause(message):
    assert announces_topic(message)


@pytest.mark.req("S2-25")
def test_topic_is_announced_near_the_beginning():
    pasted = "The minutes of our meeting, as I promised to send them. " * 5
    assert not announces_topic(f"{pasted}\nBy the way, he said that too.")


def test_short_message_without_a_reply_is_read_alone():
    assert in_context("Yes, please", "") == "Yes, please"


def test_empty_message_confirms_nothing():
    assert in_context("", REPLY) == ""


@each_of(
    "message",
    [
        "No",
        "No!",
        "No! Do not forget anything",
        "Yes, but keep my allergies",
        "Forget it",
        "Don't do it",
        "Yes, no",
        "Yes?",
        "OK, stop",
        "Thanks",
        "Summarise this letter",
        "Nie",
        "Nie, proszę",
        "Tak nie",
        "Нет",
        "Да нет",
        "Не надо",
        "Nein",
        "Ja, aber nicht alles",
        "👍",
        "?",
        "",
        "…",
    ],
)
def test_other_message_does_not_confirm(message):
    assert not agrees(message)


PENICILLIN = "Are you allergic to penicillin?"


@each_of(
    "message",
    [
        "Yes",
        "ok",
        "Yes I am",
        "Yes, since childhood",
        "Yes, you got that exactly right, save it",
        "Tak, od dziecka",
        "Да, с детства",
        "Ja - seit Jahren",
    ],
)
def test_yes_confirms_the_last_question(message):
    reply = f"Latex is in many gloves. {PENICILLIN} I can keep it."
    assert with_confirmed(message, reply) == f"{PENICILLIN}\n{message}"


@each_of(
    "message",
    [
        "No",
        "Nie",
        "Нет",
        "Nein",
        "Thanks, bye",
        "stop it",
        "Yes, but not to penicillin",
        "Yes?",
        "OK, why?",
        "OK, describe hiking trails near Gdynia",
        "Ja dziękuję",
        "",
    ],
)
def test_other_message_confirms_no_question(message):
    assert with_confirmed(message, PENICILLIN) == message


@pytest.mark.parametrize(
    "reply",
    ["Penicillin is an antibiotic.", "You take penicillin.\n\nKeep it cool.", ""],
)
def test_yes_confirms_nothing_without_a_question(reply):
    assert with_confirmed("Yes", reply) == "Yes"


def test_yes_to_a_short_question_confirms_no_sentence_before_it():
    reply = "Penicillin is an antibiotic. Anything else?"
    assert with_confirmed("Yes", reply) == "Anything else?\nYes"


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Remind me tomorrow to call the dentist.", []),
        ("Remind me to take my pills every evening", []),
        ("Kannst du mich morgen an die Tabletten erinnern?", []),
        ("Przypomnij mi jutro, żebym zadzwonił do lekarza.", []),
        ("Recuérdame mañana llamar al médico.", []),
        (
            "Remind me of my appointment with Dr. Berg on 3 December at 10.",
            ["My appointment with Dr. Berg on 3 December at 10"],
        ),
        (
            "Recuérdame que tengo cita con el dentista el 3 de diciembre a las 10.",
            ["Tengo cita con el dentista el 3 de diciembre a las 10"],
        ),
        ("My mother has diabetes, remind me to call her", ["My mother has diabetes"]),
        ("I have asthma and please remind me to buy it", ["I have asthma"]),
        ("Sag mir am 20. Januar nochmal Bescheid", []),
        ("Let me know on Friday, will you?", []),
        ("Daj mi znać w poniedziałek", []),
    ],
)
def test_reminder_is_wanted_and_only_what_it_tells_is_kept(message, kept):
    assert wants_reminder(message)
    assert lasting(message) == kept


@pytest.mark.parametrize(
    "message",
    [
        "Remind me what I am allergic to",
        "Let me know if aspirin is safe",
        "Sag mir bitte Bescheid, wenn das gefährlich ist",
        "Remind me of my allergies",
        "Erinnere mich, welche Tabletten ich nehme",
        "Przypomnij mi, jakie leki biorę",
        "She reminds me of my sister",
        "Kannst du dich an meine Allergien erinnern?",
    ],
)
def test_asking_for_what_is_known_wants_no_reminder(message):
    assert not wants_reminder(message)


@each_of(
    ("said", "is_kept"),
    [
        ("My blood pressure is 128/82 today", True),
        ("My blood pressure was 135/86 on 5 June", True),
        ("Ważę 68 kg dzisiaj", True),
        ("Moje ciśnienie dziś 130/85", True),
        ("Mein TSH ist heute 2,4 mIU/l", True),
        ("Blutdruck heute Morgen 140/90", True),
        ("Mi tensión es 120/80 hoy", True),
        ("Ma tension est de 13/8 aujourd'hui", True),
        ("Is 140/90 too high?", False),
        ("Is 128/82 good", False),
        ("Ciśnienie 130/85, czy to dużo?", False),
        ("Take 500 mg if your pressure is above 140/90", False),
        ("I read that TSH above 4 mIU/l is high", False),
        ("Normal is 120/80", False),
    ],
)
def test_measured_value_is_kept_on_any_day(said, is_kept):
    assert bool(lasting(said)) is is_kept
