"""Words that wrap statements and questions, and what is kept without a model."""

from pathlib import Path

import pytest

from memory.wording.corrections import corrects
from memory.wording.dialogue import lasting
from memory.wording.evidence import Quote, refusal_of
from memory.wording.frames import telling_clauses, unframed
from memory.wording.words import plain

APART = "# kept apart"
SEEN, KEPT_APART = (
    [
        line.split(" => ")
        for line in part.splitlines()
        if " => " in line and line[:1] != "#"
    ]
    for part in Path(__file__).with_name("own_statements.txt").read_text().split(APART)
)


def is_right(message: str, facts: str) -> bool:
    expected = [] if facts == "-" else facts.split("; ")
    kept = lasting(message.replace("\\n", "\n"))
    return list(map(plain, kept)) == list(map(plain, expected))


@pytest.mark.parametrize("rows", [SEEN, KEPT_APART], ids=["seen", "kept apart"])
def test_statements_are_kept_without_their_frames(rows):
    kept = [is_right(*row) for row in rows if row[1] != "-"]
    assert kept.count(False) <= 3, rows


@pytest.mark.parametrize("rows", [SEEN, KEPT_APART], ids=["seen", "kept apart"])
def test_questions_lists_and_files_are_not_kept(rows):
    assert [row for row in rows if row[1] == "-" and not is_right(*row)] == []


@pytest.mark.parametrize(
    ("message", "evidence"),
    [
        ("My daughter's name is Tove, can you remember it?", "name is Tove"),
        ("Did you know that I am allergic to iodine?", "I am allergic to iodine"),
        ("Since I am pregnant, may I take ibuprofen?", "I am pregnant"),
        ("May I take ibuprofen, since I am pregnant?", "I am pregnant"),
        ("I moved to Turku in May, is the water fine?", "I moved to Turku in May"),
    ],
)
def test_quoted_words_before_a_question_are_a_statement(message, evidence):
    assert refusal_of(evidence, message, Quote(evidence)) is None


@pytest.mark.parametrize(
    ("message", "evidence"),
    [
        ("Am I allergic to iodine?", "allergic to iodine"),
        ("I have asthma, may I take aspirin?", "may I take aspirin"),
        ("List my allergies to iodine", "allergies to iodine"),
    ],
)
def test_quoted_question_is_no_statement(message, evidence):
    assert refusal_of(evidence, message, Quote(evidence)) == "asked"


@pytest.mark.parametrize(
    "message",
    [
        "I'm actually 46, sorry",
        "I was wrong, Leo can eat peanuts",
        "Eigentlich nehme ich 88 mg",
        "Pomyliłam się, to było w maju",
        "En realidad peso 70 kilos",
        "На самом деле мне 46 лет",  # noqa: RUF001
        "其实我今年46岁",
        "update my weight to 70 kg",
    ],
)
def test_correction_is_known_by_its_frame(message):
    assert corrects(message)
    assert not corrects(unframed(message).text)


def test_words_inside_a_sentence_are_no_frame():
    for said in ["I can't remember that", "I have a shopping list", "Name: Anna"]:
        assert unframed(said).text == said


def test_wish_to_be_shown_something_tells_nothing():
    assert telling_clauses("Show my medicines, please") == []
