import pytest
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai.tokens import cut, estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    # About the count of current models' tokenisers.
    [
        ("", 0),
        ("Hello, world!", 4),
        ("The quick brown fox jumps over the lazy dog. " * 10, 101),
        ("Zażółć gęślą jaźń", 11),
        ("Вчера мы ходили в лес за грибами.", 10),
    ],
)
def test_the_estimate_is_near_and_rather_too_high(text, tokens):
    assert tokens <= estimate(text) <= tokens * 3 + 1


@given(st.text(), st.text())
def test_more_text_never_takes_fewer_tokens(first, second):
    assert estimate(first) <= estimate(first + second)
    assert estimate(first + second) <= estimate(first) + estimate(second)


@given(st.text(), st.integers(0, 40))
def test_cutting_keeps_the_beginning_and_the_limit(text, size):
    short = cut(text, size)

    assert len(short.encode()) <= size
    assert text.encode(errors="replace").decode().startswith(short)


def test_half_a_surrogate_pair_is_replaced():
    assert estimate("\ud83d") == 1
    assert cut("a\ud83db", 10) == "a?b"
