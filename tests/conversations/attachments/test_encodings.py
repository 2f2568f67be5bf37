"""Letters are read as they were written, or a person is asked."""

import pytest

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.encodings import decode
from tests.conversations.attachments.papers import APART, SEEN, UNSURE


@pytest.mark.parametrize(("encoding", "paper"), [*SEEN, *APART])
def test_short_paper_is_read_in_its_encoding(encoding, paper):
    text = paper.replace("|", "\n")
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(("encoding", "other", "text"), UNSURE)
def test_unsure_reading_is_asked_with_two_samples(encoding, other, text):
    with pytest.raises(Unreadable, match="ambiguous") as raised:
        decode(text.encode(encoding))
    samples = dict(raised.value.samples)
    assert set(samples) == {encoding, other}
    assert samples[encoding] == text


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_mark_at_the_beginning_decides(mark):
    assert decode("Zoë nimmt Eisen".encode(mark)) == "Zoë nimmt Eisen"


def test_nul_bytes_are_left_out():
    assert decode(b"Allergy: penicillin\0 confirmed 2024") == (
        "Allergy: penicillin confirmed 2024"
    )


def test_word_that_fits_no_language_is_refused_rather_than_guessed():
    with pytest.raises(Unreadable):
        decode(b"\x9c\x9d \x81\xfe\x1a\x9f \xf0\x98\x00\xb8")


def test_stated_encoding_counts_where_the_bytes_are_possible_in_it():
    raw = "Größe".encode("cp1252")
    assert decode(raw, "iso-8859-1") == "Größe"
    assert decode("Größe".encode(), "us-ascii") == "Größe"
    assert decode("Größe".encode(), "no-such-thing") == "Größe"
