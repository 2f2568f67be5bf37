"""A background fact is stored if its message has the words that are quoted for it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.wording.evidence import Quote, refusal_of
from tests.corpus import each_of

ROWS = Path(__file__).with_name("quoted.txt")
MOST_MISSED = 0.03
NOW = datetime(2026, 11, 24, tzinfo=UTC)
NUMBER = re.compile(r"\d+")


def read_rows():
    """Messages, what is quoted from them, and the facts."""
    for line in ROWS.read_text().splitlines():
        if not line.startswith("#"):
            _, message, fact = line.split("|")
            evidence = re.search(r"\[(.*)\]", message)[1]
            yield re.sub(r"[][]", "", message), evidence, fact


def refused(message, evidence, fact, **quote):
    return refusal_of(fact, message, Quote(evidence, **quote), stated_at=NOW)


@pytest.mark.req("S3-34", "S3-38", "S3-39", "S2-39")
def test_quoted_facts_of_many_languages_are_kept():
    rows = list(read_rows())
    missed = [row for row in rows if refused(*row)]
    assert len(rows) >= 200
    assert len(missed) <= MOST_MISSED * len(rows), missed


def test_facts_without_a_quotation_are_mostly_kept():
    """An old model names no evidence."""
    rows = list(read_rows())
    missed = [row for row in rows if refusal_of(row[2], row[0], stated_at=NOW)]
    assert len(missed) <= 0.15 * len(rows), missed


def test_changed_number_is_refused():
    changed = [
        (message, evidence, NUMBER.sub(lambda n: str(int(n[0]) + 3), fact, count=1))
        for message, evidence, fact in read_rows()
        if NUMBER.search(fact)
    ]
    assert len(changed) >= 25
    assert [row for row in changed if refused(*row) != "other_number"] == []


def test_quotation_from_another_message_is_refused():
    rows = list(read_rows())
    others = [*rows[1:], rows[0]]
    pairs = [(m, e, fact) for (m, _, fact), (_, e, _) in zip(rows, others, strict=True)]
    kept = [pair for pair in pairs if not refused(*pair)]
    assert len(kept) <= 0.03 * len(pairs), kept


def test_fact_of_another_message_is_refused():
    rows = list(read_rows())
    others = [*rows[1:], rows[0]]
    pairs = [(m, e, fact) for (m, e, _), (_, _, fact) in zip(rows, others, strict=True)]
    kept = [pair for pair in pairs if not refused(*pair)]
    assert len(kept) <= 0.1 * len(pairs), kept


@each_of(
    ("message", "evidence", "fact", "reason"),
    [
        (
            "Am I allergic to nuts?",
            "allergic to nuts",
            "User is allergic to nuts",
            "asked",
        ),
        ("Czy mam astmę?", "mam astmę", "Użytkownik ma astmę", "asked"),
        ("I'm not diabetic", "I'm not diabetic", "User is diabetic", "denied"),
        ("Ich rauche nicht", "Ich rauche nicht", "Nutzer raucht", "denied"),
        ("我不吃肉", "我不吃肉", "用户吃肉", "denied"),
        ("I smoke", "I smoke", "User does not smoke", "denied"),
        ("I take 5 mg", "I take 5 mg", "User takes 5 mcg", "other_number"),
        (
            "Jadę do Oslo w maju",
            "Jadę do Oslo w maju",
            "Użytkownik jedzie do Oslo w lipcu",
            "other_number",
        ),
        (
            "I have three cats",
            "I have three cats",
            "User has four cats",
            "other_number",
        ),
        ("I like tea", "I love coffee", "User loves coffee", "no_evidence"),
        ("I like tea", "I like tea", "User has a horse", "ungrounded"),
    ],
)
def test_refusal_names_its_reason(message, evidence, fact, reason):
    assert refused(message, evidence, fact) == reason


@pytest.mark.parametrize("mode", ["asked", "supposed", "quoted", "joke"])
def test_only_what_is_stated_is_kept(mode):
    row = ("I'm vegan", "I'm vegan", "User is vegan")
    assert refused(*row, mode=mode) == "not_stated"
    assert not refused(*row, mode="stated")


@each_of(
    ("fact", "about", "kept"),
    [
        ("User is vegan", "user", True),
        ("User is vegan", "", True),
        ("User is vegan", "brother", False),
        ("User is vegan", "Anna", False),
        ("User is vegan", "other", False),
        ("User's name is Ann", "other", False),
        ("User's brother is vegan", "brother", True),
        ("User's sister Anna is vegan", "Anna", True),
        ("User's sister is vegan", "other", True),
        ("Użytkownik jest weganinem", "brat", False),
        ("Brat użytkownika jest weganinem", "brat", True),
        ("用户是素食者", "哥哥", False),
    ],
)
def test_fact_of_the_user_needs_evidence_about_the_user(fact, about, kept):
    refusal = refused(fact, fact, fact, about=about)
    assert refusal == (None if kept else "about_another")


@each_of(
    ("message", "fact", "kept"),
    [
        ("My exam is tomorrow", "User has an exam on 25 November", True),
        ("My exam is tomorrow", "User has an exam on 12 March", False),
        ("I broke it four years ago", "User broke it in 2022", True),
        ("I broke it four years ago", "User broke it in 2019", False),
        ("I was away last month", "User was away in October", True),
        ("I was away in May", "User was away in October", False),
    ],
)
def test_date_is_said_or_follows_from_the_time_of_the_message(message, fact, kept):
    assert bool(refused(message, message, fact)) != kept


def test_context_names_what_the_message_is_about():
    fact, message = "User takes 10 mg of ramipril daily", "I'm on 10 mg now"
    assert not refusal_of(fact, message, earlier="I take 5 mg of ramipril")
