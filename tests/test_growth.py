"""The work on a user's text grows with its length, and not with its square.

Each function and each regular expression of Meddie reads the same piece repeated up to
500, 2,000 and 8,000 characters. The work is the processor time of the thread, which no
other process lengthens; what takes less than a twentieth of a second is quick enough.
"""

import gc
import itertools
import json
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from pydantic import BaseModel

from conversations import event_log
from conversations.api.openai import branches, schema
from conversations.emergencies import find_emergency
from conversations.reply.block.json import salvage
from conversations.reply.block.keys import MEMORY_SAVES
from conversations.reply.prompt import context, sections
from conversations.reply.prompt.sections import FactLine
from conversations.web import streams
from meddie.ai import local_embedder
from meddie.ai.events import Basis, Remark
from meddie.ai.offline import replies, summaries
from meddie.http.api_edge import ApiError
from meddie.lenient_json import read_object
from meddie.markdown.growing import Growing
from memory.facts.proposals import LONGEST_FACT
from memory.recall import dates, query
from memory.wording import guards
from memory.wording.dialogue import announces_topic, stating
from memory.wording.evidence import Quote, refusal_of
from people import person_text
from tests.conversations.blocks import read_reply
from tests.growing_functions import patterns, text_functions

pytestmark = pytest.mark.slow
PIECES = (
    "a.", ", ", " ", "\n", "? ", "[", "{", '"', "```", "<", "- ", "A b", "not ", "1 mg ",
    "ignore ", "user's ", "and ", "x", "i ", "a\n", "(\n", "> ", "**a", "0-", "a: ",
    "$", "[^a]: ", "http://a.b/(", "|a",
)  # fmt: skip
SIZES = ((500, 2_000), (2_000, 8_000))
ALLOWED = 10
"""Times as much work for four times the text; 16 times would be the square."""
NOTICEABLE = 0.05
"""Seconds of the processor."""
TRIES = 3
numbers = itertools.count()

Read = Callable[[str], object]


def summarised(text: str) -> object:
    """Summarise a message without a model."""
    said = {"earlier": [text], "messages": [{"role": "user", "text": text}]}
    return summaries.summarise([{"role": "user", "content": json.dumps(said)}])


def parsed(text: str) -> None:
    """Read an answer of a model that is not the object asked for."""
    with pytest.raises(ValueError, match=r"\w"):
        Answer.model_validate(read_object('{"text": ' + text))


class Answer(BaseModel):
    text: str


def built(text: str) -> object:
    """Build a prompt around a message, a person and a fact."""
    message = context.HistoryLine("user", text)
    now = datetime(2026, 3, 12, tzinfo=UTC)
    return context.build(
        context.Brief(
            [message],
            now,
            instructions=text,
            person=text,
            facts=[FactLine(text, now.date())],
            profile=[text],
        ),
        12_000,
    )


def grown(text: str) -> None:
    """Feed a reply that arrives in pieces."""
    growing = Growing()
    for start in range(0, len(text), 50):
        growing.feed(text[start : start + 50])


def streamed(text: str) -> None:
    """Render the frames of a reply that arrives in pieces."""
    page = streams._Page(None)
    for start in range(0, len(text), 10):
        event = event_log.Appended(text[start : start + 10])
        page.grow([(f"1-{start}", event)])


def requested(text: str) -> object:
    """Read a request whose messages have the text as their words and as a task."""
    contents = (text, f"### Task:{text}<context>{text}", f"<chat_history>{text}")
    messages = [{"role": "user", "content": one} for one in contents]
    request = schema.parse_request(json.dumps({"messages": messages}).encode())
    return request.is_background, request.with_memory(text, text)


OTHERS: dict[str, Read] = {
    "meddie.ai.offline.replies.reply_to": lambda text: replies.reply_to(
        Basis(lasting=[text], found=[Remark(text, source=text)], block=True)
    ),
    "meddie.ai.offline.summaries.summarise": summarised,
    "meddie.lenient_json.read_object": parsed,
    "people.person_text.remove_item": lambda text: person_text.remove_item(
        text, text, today=date(2026, 1, 1)
    ),
    "memory.wording.guards.without_date": guards.without_date,
    "memory.wording.guards.refusal": guards.refusal,
    "memory.wording.evidence.refusal_of": lambda text: refusal_of(
        text[:LONGEST_FACT], text, Quote(text[-LONGEST_FACT:])
    ),
    "conversations.api.openai.branches.find_difference": (
        lambda text: branches.find_difference(list(text), ["0", *text, "1"])
    ),
    "conversations.api.openai.schema.parse_request": requested,
    "memory.recall.query.without_names": lambda text: query.without_names(
        text, ["Ann"]
    ),
    "memory.recall.dates.named_time": lambda text: dates.named_time(
        text, datetime(2026, 11, 24, tzinfo=UTC)
    ),
    "conversations.emergencies.find_emergency": (
        lambda text: find_emergency(
            text.replace("a", "suddenly my chest can't ")[: len(text)]
        )
    ),
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
    "meddie.markdown.growing.Growing": grown,
    "conversations.web.streams._Page": streamed,
    "conversations.reply.block.json.salvage": lambda text: salvage(text, MEMORY_SAVES),
}
FUNCTIONS = text_functions() | OTHERS
# Matched at one place only
MATCHED = {
    "conversations.reply.block.json.NEXT_ENTRY 0",
    "conversations.reply.block.json.ENTRY_ENDS 0",
    "meddie.markdown.growing.MARKER 0",
    "meddie.markdown.growing.UNCLEAR 0",
}
PATTERNS = {name: p for name, p in patterns().items() if name not in MATCHED}


def repeated(piece: str, size: int) -> str:
    """The piece again and again, an end that fits no pattern, and what fits no cache."""
    return f"{next(numbers)}\n" + piece * (size // len(piece)) + "\x1f!"


def processor_time(read: Read, piece: str, size: int) -> float:
    """Without the collection of garbage, which takes as long as all tests before."""
    text = repeated(piece, size)
    gc.disable()
    try:
        began = time.thread_time()
        with suppress(ValueError, ApiError):  # a refusal
            read(text)
        return time.thread_time() - began
    finally:
        gc.enable()


def takes_the_square(read: Read, piece: str) -> bool:
    return any(grows_by_the_square(read, piece, *sizes) for sizes in SIZES)


def grows_by_the_square(read: Read, piece: str, short: int, long: int) -> bool:
    """Whether each try says so."""
    for _ in range(TRIES):
        took = processor_time(read, piece, long)
        if took < NOTICEABLE:
            return False
        least = min(processor_time(read, piece, short) for _ in range(TRIES))
        if took <= ALLOWED * least:
            return False
    return True


def slow_pieces(read: Read) -> list[str]:
    """Read in a thread that counts no lines: that is slow, and work of its own."""
    with ThreadPoolExecutor(1, initializer=sys.settrace, initargs=(None,)) as thread:
        slow = thread.map(lambda piece: takes_the_square(read, piece), PIECES)
        return [piece for piece, found in zip(PIECES, slow, strict=True) if found]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_work_on_repeated_text_grows_with_its_length(name):
    read = FUNCTIONS[name]
    read("warm up")
    assert slow_pieces(read) == []


@pytest.mark.parametrize("name", PATTERNS)
def test_search_of_repeated_text_grows_with_its_length(name):
    def search(text: str) -> None:
        for _ in PATTERNS[name].finditer(text):
            pass

    assert slow_pieces(search) == []


@pytest.mark.parametrize(
    "read", [find_emergency, query.is_overview, announces_topic, stating]
)
def test_long_message_is_encoded_in_one_batch(read, monkeypatch):
    batches = []
    encode = local_embedder.encode
    monkeypatch.setattr(
        local_embedder, "encode", lambda texts: batches.append(1) or encode(texts)
    )
    read(" ".join(f"Part {next(numbers)}, of {n + 1} long ones." for n in range(700)))
    assert batches == [1]


def test_functions_and_expressions_are_found():
    assert {
        "meddie.text.one_line",
        "memory.wording.answers.agrees",
    } <= FUNCTIONS.keys()
    assert any(name.startswith("memory.wording.guards.ROLE") for name in PATTERNS)


def every_pair(text: str) -> int:
    parts = text.split(".")[::4]
    return sum(max(len(one), len(other)) for one in parts for other in parts)


def trailing_commas(text: str) -> object:
    return re.search(r"(?:,\s*)+$", text + "x")


@pytest.mark.parametrize(
    ("read", "piece"), [(every_pair, "a."), (trailing_commas, ", ")]
)
def test_square_is_noticed(read, piece):
    # One slow moment of the machine may hide it.
    assert any(takes_the_square(read, piece) for _ in range(TRIES))
