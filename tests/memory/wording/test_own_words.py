"""The user's own words in messages that hold another's; written before the rules."""

import re
from pathlib import Path

import pytest

from memory.wording.own_words import marked_words, own_words
from memory.wording.quoted_parts import quoted_parts
from memory.wording.words import tokens

FILE = Path(__file__).parent / "own_words.txt"
ANOTHERS = re.compile("⟦([^⟧]*)⟧")


def messages(kept_apart=None):
    """Title and text of each message, in which another's words are between ⟦ and ⟧."""
    for record in FILE.read_text().split("=== ")[1:]:
        title, text = record.split("\n", 1)
        if kept_apart is None or (" apart:" in title) == kept_apart:
            yield title, text.rstrip("\n")


def is_right(marked):
    text = marked.replace("⟦", "").replace("⟧", "")
    own = " ".join(ANOTHERS.sub(" ", marked).split())
    return tokens(own_words(text)) == tokens(own)


def wrong(kept_apart):
    return [title for title, text in messages(kept_apart) if not is_right(text)]


@pytest.mark.req("S0-12")
def test_own_words_of_messages_are_found():
    """Of the 36 that were kept apart 35 were right before one rule was mended."""
    assert wrong(kept_apart=False) == []
    assert wrong(kept_apart=True) == []


def test_places_are_those_of_the_message():
    text = "I cook.\n> I am pregnant\nAnd you?"
    assert [text[start:end] for start, end in quoted_parts(text)] == ["> I am pregnant"]


def test_own_words_of_own_words_are_the_same():
    for _title, marked in messages():
        own = own_words(marked.replace("⟦", "").replace("⟧", ""))
        assert own_words(own).split() == own.split()


def test_marked_words_are_told_as_anothers():
    marked = marked_words("I cook.\n> I am pregnant\nAnd you?")
    assert "The user quotes another's words:\n> I am pregnant\n" in marked
    assert marked_words("I am 9", "Ann").splitlines()[0].endswith("what Ann wrote:")
    assert own_words(marked).split() == ["I", "cook.", "And", "you?"]
