"""JSON is measured before it is parsed: memory is bounded by values, not by bytes alone."""

import json
import sys
import tracemalloc
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meddie import bounded_json
from meddie.bounded_json import TooMuch, check_json, parse_json
from tests.hostile_json import LARGE_VALUES, MANY_VALUES, MEGABYTE, field, filled

MOST = 10_000
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
).filter(lambda value: "inf" not in repr(value))


def peak_of(work):
    """What it returns or raises, and the bytes that it took at most."""
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    except ValueError as error:
        return error, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@given(VALUES, st.booleans())
def test_json_within_the_bounds_is_parsed_like_by_the_standard_library(
    value, ascii_only
):
    raw = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert parse_json(raw, MOST) == json.loads(json.dumps(value))


@pytest.mark.parametrize("shape", MANY_VALUES)
def test_many_values_are_refused_before_they_are_made(shape):
    raw = field(filled(MANY_VALUES[shape], 2 * MEGABYTE))
    found, peak = peak_of(lambda: parse_json(raw, MOST))
    assert isinstance(found, TooMuch)
    assert peak < MEGABYTE


@pytest.mark.parametrize("shape", MANY_VALUES)
def test_messages_are_bounded_in_values_too(shape):
    raw = b'{"messages": %s}' % filled(MANY_VALUES[shape], 2 * MEGABYTE)
    found, peak = peak_of(lambda: parse_json(raw, MOST))
    assert isinstance(found, TooMuch)
    assert peak < MEGABYTE


@pytest.mark.parametrize("shape", LARGE_VALUES)
def test_field_of_more_than_a_megabyte_is_refused(shape):
    raw = field(LARGE_VALUES[shape](2 * MEGABYTE))
    found, peak = peak_of(lambda: parse_json(raw, MOST))
    assert isinstance(found, TooMuch)
    assert peak < 5 * MEGABYTE


@pytest.mark.parametrize("shape", LARGE_VALUES)
def test_large_messages_take_no_more_than_a_few_times_their_bytes(shape):
    size = 3 * MEGABYTE
    raw = b'{"messages": [%s]}' % LARGE_VALUES[shape](size)
    _found, peak = peak_of(lambda: parse_json(raw, MOST))
    assert peak < 6 * size


def steps_of(work):
    """The lines of Python that run."""
    count = 0

    def trace(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except ValueError:
        pass
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "raw",
    [
        b"}" * MEGABYTE * 2,
        b"[" + b"]" * MEGABYTE * 2,
        b'{"messages": ["' + b"\xed" * MEGABYTE + b'"]}',
        b'{"messages": ["' + b"\xf0" * MEGABYTE + b'"]}',
        b'{"messages": ["' + rb"\udz" * (MEGABYTE // 4) + b'"]}',
    ],
    ids=["closings", "one opening", "half a character", "bad bytes", "bad escapes"],
)
def test_invalid_json_is_not_gone_through_byte_by_byte(raw):
    assert steps_of(lambda: parse_json(raw, MOST)) < 500_000


def test_text_that_would_take_four_bytes_for_each_is_bounded_by_them(settings):
    settings.MAX_BODY_MB = 8
    picture = b'"%s", "\xf0\x9f\x98\x80"' % (b"A" * 7 * MEGABYTE)
    assert parse_json(b'{"messages": [%s]}' % picture)["messages"][1] == "\U0001f600"
    for sign in (b"\xf0\x9f\x98\x80", rb"\ud83d\ude00"):
        text = b'"%s%s"' % (b"a" * 3 * MEGABYTE, sign)
        with pytest.raises(TooMuch):
            check_json(b'{"messages": [%s]}' % text)


@pytest.mark.parametrize("window", [12, 13, 40])
def test_places_where_looks_end_make_no_difference(monkeypatch, window):
    monkeypatch.setattr(bounded_json, "WINDOW", window)
    monkeypatch.setattr(bounded_json, "LARGEST_FIELD", 10)
    text = (
        rb"a\\\"\ud83d\ude00 \ud83d \\ud83d \u00e9" + "é😀한".encode() + b"\xed\xa0\x80"
    )
    raw = b'{"messages": ["%s", {"a": "]}"}]}' % (text * 20)
    told = 'a\\"😀 \ufffd \\ud83d éé😀한\ufffd' * 20
    assert parse_json(raw) == {"messages": [told, {"a": "]}"}]}
    with pytest.raises(TooMuch):
        check_json(raw, 5)
    with pytest.raises(TooMuch):
        check_json(raw.replace(b"messages", b"message"))


@pytest.mark.parametrize(
    "raw", [b"", b'"', b'"\\', b"{", b"[1,]", b"NaN", b"[1e999]", b"\xff"]
)
def test_broken_json_is_a_value_error(raw):
    for whole in (raw, b'{"messages": [%s, %s' % (b"0" * MEGABYTE, raw)):
        found, _peak = peak_of(partial(parse_json, whole))
        assert isinstance(found, ValueError)
