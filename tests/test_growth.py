"""The work on a user's text grows with its length, and not with its square.

Each function reads the same piece repeated up to 5,000 and up to 20,000 characters. The
work is the number of calls and the processor time of the thread, which no other process
lengthens; regular expressions show only in the second.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

import pytest
from pydantic import BaseModel

from conversations import markdown, titles
from conversations.emergencies.detect import find_emergency
from conversations.emergencies.withhold import may_be_kept
from conversations.reply.block.json import load_object, salvage
from conversations.reply.prompt import context, sections
from conversations.reply.prompt.facts import FactLine
from conversations.telegram.format import to_parts
from meddie import text as storing
from meddie.ai import structured
from meddie.ai import tokens as counting
from meddie.ai.offline import replies, statements
from meddie.ai.offline.resolution import find_replacements
from memory import words
from memory.capture import grounding, guards, normalise, same_fact
from memory.recall import dates, query
from people import person_text
from tests.conversations.blocks import read_reply

PIECES = (
    "a.", ", ", " ", "\n", "a, ", "? ", "[", "{", '"', "'", "```", "<", "- ", "A b",
    "not ", "1 mg ", "ignore ", "user's ", "and ", "x",
)  # fmt: skip
SHORT, LONG = 5_000, 20_000
ALLOWED = 10
"""Times as much work for four times the text; 16 times would be the square."""
TRIES = 5
"""Comparisons of processor time: all of them must show the square."""

Read = Callable[[str], object]


def compared(text: str) -> object:
    """Resolve a fact against a fact."""
    fact = {"n": 1, "text": text, "stated_at": "2026"}
    document = json.dumps({"new": [fact], "known": [fact]})
    return find_replacements([{"role": "user", "content": document}])


def parsed(text: str) -> None:
    """Read an answer of a model that is not the object asked for."""
    with pytest.raises(ValueError, match=r"\w"):
        structured.parse_object(Answer, '{"text": ' + text)


class Answer(BaseModel):
    text: str


def built(text: str) -> object:
    """Build a prompt around a message, a person and a fact."""
    message = context.HistoryLine("user", text)
    now = datetime(2026, 3, 12, tzinfo=UTC)
    return context.build(
        context.Brief([message], now, text, [FactLine(text, now.date())]), 12_000
    )


def grown(text: str) -> None:
    """Feed a reply that arrives in pieces."""
    growing = markdown.Growing()
    for start in range(0, len(text), 50):
        growing.feed(text[start : start + 50])


FUNCTIONS: dict[str, Read] = {
    "meddie.text.storable": storing.storable,
    "meddie.text.one_line": storing.one_line,
    "meddie.ai.tokens.estimate": counting.estimate,
    "meddie.ai.offline.resolution": compared,
    "meddie.ai.offline.statements.sentences": statements.sentences,
    "meddie.ai.offline.statements.facts_of": statements.facts_of,
    "meddie.ai.offline.replies.reply_to": lambda text: replies.reply_to(
        [{"role": "user", "content": text}]
    ),
    "meddie.ai.structured.parse_object": parsed,
    "people.person_text.clean_line": person_text.clean_line,
    "people.person_text.append_item": lambda text: person_text.append_item(text, text),
    "people.person_text.remove_item": lambda text: person_text.remove_item(
        text, text, today=date(2026, 1, 1)
    ),
    "memory.words.tokens": words.tokens,
    "memory.words.content_tokens": words.content_tokens,
    "memory.words.stem": words.stem,
    "memory.capture.normalise.content_hash": normalise.content_hash,
    "memory.capture.normalise.without_date": normalise.without_date,
    "memory.capture.guards.refusal": guards.refusal,
    "memory.capture.grounding.stated_again": lambda text: grounding.stated_again(
        text, text
    ),
    "memory.capture.grounding.stated_again: a short fact": (
        lambda text: grounding.stated_again("User is allergic to ibuprofen", text)
    ),
    "memory.capture.same_fact.differ": lambda text: same_fact.differ(text, text),
    "memory.capture.same_fact.same_words": lambda text: same_fact.same_words(
        text, text
    ),
    "memory.capture.grounding.grounded": lambda text: grounding.grounded(text, text),
    "memory.capture.grounding.denied": lambda text: grounding.denied(text, text),
    "memory.capture.same_fact.extends": lambda text: same_fact.extends(text, text),
    "memory.capture.same_fact.may_replace": (
        lambda text: same_fact.may_replace(text, text)
    ),
    "memory.recall.query.is_overview": query.is_overview,
    "memory.recall.query.terms": query.terms,
    "memory.recall.query.without_names": lambda text: query.without_names(
        text, ["Ann"]
    ),
    "memory.recall.dates.date_parts": lambda text: dates.date_parts(
        text, words.tokens(text)
    ),
    "conversations.emergencies.detect.find_emergency": (
        lambda text: find_emergency(
            text.replace("a", "suddenly my chest can't ")[: len(text)]
        )
    ),
    "conversations.emergencies.withhold.may_be_kept": (
        lambda text: may_be_kept(text, text, text)
    ),
    "conversations.titles.first_words": titles.first_words,
    "conversations.titles.clean_title": titles.clean_title,
    "conversations.markdown.render": markdown.render,
    "conversations.telegram.format.to_parts": to_parts,
    "conversations.reply.block.reader.read_reply": read_reply,
    "conversations.reply.block.reader: inside a block": (
        lambda text: read_reply('```json\n{"memory_saves": ["' + text)
    ),
    "conversations.reply.block.reader: after a block": (
        lambda text: read_reply('```json\n{"memory_saves": []}' + text)
    ),
    "conversations.reply.prompt.context.build": built,
    "conversations.reply.prompt.context.shortened": (
        lambda text: context.shortened(text, 3500)
    ),
    "conversations.reply.prompt.sections.fit": (
        lambda text: sections.fit([sections.Section("key", "", list(text), 1)], 9000)
    ),
    "conversations.markdown.Growing": grown,
    "conversations.reply.block.json.load_object": load_object,
    "conversations.reply.block.json.salvage": lambda text: salvage(
        text, "memory_saves"
    ),
}


def repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    calls = [0]

    def count(_frame: object, event: str, _arg: object) -> None:
        calls[0] += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def calls_for(read: Read, text: str) -> int:
    with counted_calls() as calls:
        read(text)
    return calls[0]


def processor_time(read: Read, text: str) -> float:
    began = time.thread_time()
    read(text)
    return time.thread_time() - began


def takes_the_square(read: Read, short: str, long: str) -> bool:
    return all(
        processor_time(read, long) > ALLOWED * processor_time(read, short)
        for _ in range(TRIES)
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_work_on_repeated_text_grows_with_its_length(name):
    read = FUNCTIONS[name]
    read("warm up")
    for piece in PIECES:
        short, long = repeated(piece, SHORT), repeated(piece, LONG)
        assert calls_for(read, long) <= ALLOWED * calls_for(read, short) + 1000, piece
        assert not takes_the_square(read, short, long), piece


def every_pair(text: str) -> int:
    parts = text.split(".")[::20]
    return sum(max(len(one), len(other)) for one in parts for other in parts)


def trailing_commas(text: str) -> object:
    return re.search(r"(?:,\s*)+$", text + "x")


def test_square_of_calls_is_noticed():
    short, long = repeated("a.", SHORT), repeated("a.", LONG)
    assert calls_for(every_pair, long) > ALLOWED * calls_for(every_pair, short) + 1000


def test_square_inside_a_regular_expression_is_noticed():
    short, long = repeated(", ", SHORT), repeated(", ", LONG)
    assert takes_the_square(trailing_commas, short, long)
