import unicodedata

import pytest
from hypothesis import given

from meddie.markdown.html import render
from meddie.text import markdown_escaped, one_line, storable
from tests.corpus import each_of
from tests.drawn import unruly_texts


@each_of(
    ("text", "stored"),
    [
        ("Two lines\r\nand\ta tab", "Two lines\r\nand\ta tab"),
        ("nul\x00 bell\x07 escape\x1b[31m", "nul bell escape[31m"),
        ("lone \ud83d surrogate", "lone \ufffd surrogate"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
        ("", ""),
    ],
)
def test_control_characters_are_not_stored(text, stored):
    assert storable(text) == stored


@given(unruly_texts)
def test_stored_text_can_be_encoded_and_has_no_nul(text):
    stored = storable(text)
    stored.encode()
    assert "\x00" not in stored
    assert storable(stored) == stored


@pytest.mark.req("B-18")
@each_of(
    ("text", "line"),
    [
        ("  two\n\tlines \r\n here ", "two lines here"),
        ("a\u2028b\x85c", "a b c"),
        ("zero\u200bwidth \ufeffmark", "zerowidth mark"),
        ("\u202eright to left\u202c", "right to left"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_white_space_collapses_into_one_visible_line(text, line):
    assert one_line(text) == line


@given(unruly_texts)
def test_one_line_is_storable_and_stays_as_it_is(text):
    line = one_line(text)
    assert one_line(line) == storable(line) == line == line.strip()
    assert not any(unicodedata.category(c) in {"Cc", "Zl", "Zp", "Cs"} for c in line)


def test_text_that_begins_with_a_number_is_no_list_in_markdown():
    for text in ("12. Dezember 2026:", "1) First", "Then\n2. Second"):
        assert "<ol>" not in render(markdown_escaped(text))
