"""Where sentences end, in texts as people type them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.wording.dialogue import lasting
from memory.wording.splitting import sentence_places, split_clauses, split_sentences

APART = "# kept apart"
LISTED = re.compile(r"^\s*(?:- |\d\. )?")
TEXTS, KEPT_APART = (
    [line.partition(" ")[2] for line in part.splitlines() if line[:1] not in "#"]
    for part in Path(__file__).with_name("sentences.txt").read_text().split(APART)
)


def expected(marked: str) -> list[str]:
    return [LISTED.sub("", part).strip() for part in marked.split("¦")]


@pytest.mark.parametrize("line", TEXTS)
def test_sentences_end_where_a_reader_ends_them(line):
    marked = line.replace("\\n", "\n")
    assert split_sentences(marked.replace("¦", "")) == expected(marked)


def test_sentences_that_were_kept_apart_end_as_well():
    marked = [line.replace("\\n", "\n") for line in KEPT_APART]
    right = [split_sentences(m.replace("¦", "")) == expected(m) for m in marked]
    assert sum(right) >= 0.95 * len(right)


@pytest.mark.parametrize(
    "message",
    [
        "Biorę 20 mg. atorwastatyny na noc.",
        "Ich nehme seit dem 3. Mai Eisen.",
        "My cardiologist is Dr. Novak.",
        "I take aspirin, approx. 100 mg a day.",
    ],
)
def test_fact_in_own_words_is_kept_whole(message):
    assert lasting(message) == [message.rstrip(".")]


@given(st.text(alphabet='aA1. \n?!。,Dr-3"«', max_size=60))
def test_places_are_in_order_and_lose_no_letter(text):
    places = sentence_places(text)
    bounds = [0, *(bound for place in places for bound in place), len(text)]
    assert bounds == sorted(bounds)
    kept = "".join(text[start:end] for start, end in places)
    assert re.sub(r"[\W\d]", "", kept) == re.sub(r"[\W\d]", "", text)


def test_numbers_are_no_places_to_cut():
    assert split_clauses("I weigh 72,5 kg, take it at 7:30, daily") == [
        "I weigh 72,5 kg",
        "take it at 7:30",
        "daily",
    ]
