# ruff: noqa: RUF001 - letters of Turkish are meant
"""What goes for a wish to forget, and which sentences are none, in sixteen languages."""

from pathlib import Path

import pytest

from memory.judgement.judge import judge_sentences
from memory.wording.answers import agrees, declines
from memory.wording.wishes import (
    sharing,
    unwanted,
    wants_all,
    wish_in,
)
from tests.corpus import each_of

WISHES = Path(__file__).parent / "wishes.txt"


def read_wishes():
    """For each sentence whether it was kept apart, what is known, and what goes."""
    known, rows = {}, []
    for line in WISHES.read_text().splitlines():
        if line.startswith("["):
            known = {}
        elif " =" in line and "->" not in line:
            key, _, text = line.partition(" = ")
            known[key] = text
        elif "->" in line and not line.startswith("#"):
            said, _, goes = line.removeprefix("~ ").partition("->")
            rows.append((line.startswith("~"), said.strip(), known, goes.split()))
    return rows


def what_goes(said, known):
    """The names of the facts that go or are offered; "all", "that" or nothing."""
    if wants_all(said):
        return ["all"]
    keys = {text: key for key, text in known.items()}
    found = unwanted(said, list(keys))
    wishes = [wish_in(judged) for _, judged in judge_sentences(said)]
    bare = any(wish and not wish.named for wish in wishes)
    if found == [said]:
        found = sharing(said, list(keys))
    found = found or (["that"] if bare else [])
    return [keys.get(text, text) for text in found]


def result_of(*, apart):
    rows = [row[1:] for row in read_wishes() if row[0] == apart]
    return [
        (said, what_goes(said, known), goes)
        for said, known, goes in rows
        if sorted(what_goes(said, known)) != sorted(goes)
    ], len(rows)


@pytest.mark.req("S4-17")
@each_of(("apart", "most"), [(False, 0), (True, 3)])
def test_facts_that_a_wish_names_go_and_no_others(apart, most):
    wrong, _count = result_of(apart=apart)
    assert len(wrong) <= most, wrong


@each_of(
    ("message", "is_no"),
    [
        *((text, True) for text in ("no", "No thanks", "leave it", "Nein, lass es")),
        *((text, True) for text in ("nie", "Nie, zostaw", "non", "нет, не надо")),
        *(
            (text, True)
            for text in ("不用了", "いいえ", "아니요", "hayır", "No, don't")
        ),
        *((text, False) for text in ("yes", "ok", "thanks", "No?", "delete it")),
        *((text, False) for text in ("No, I take 20 mg", "No, delete everything", "")),
    ],
)
def test_no_is_a_message_that_says_nothing_else(message, is_no):
    assert declines(message) == is_no


@each_of(
    ("message", "is_yes"),
    [
        *((text, True) for text in ("yes", "Yes please!", "ok, delete it", "yep")),
        *((text, True) for text in ("Ja, lösche alles", "tak, zapomnij", "sí", "Oui")),
        *((text, True) for text in ("да, удали", "是的", "はい", "네", "evet sil")),
        *((text, False) for text in ("ok wait", "hmm ok", "sure, later", "yes?")),
        *((text, False) for text in ("yeah right lol", "ja warte", "oui attends")),
        *((text, False) for text in ("да подожди", "ok aspetta", "tamam bekle", "")),
        *((text, False) for text in ("yes but keep my knee", "tak, ale zostaw", "no")),
        *((text, False) for text in ("ok and I take aspirin", "好的等一下", "vale no")),
    ],
)
def test_yes_to_a_question_is_a_message_that_says_nothing_else(message, is_yes):
    assert agrees(message) == is_yes
