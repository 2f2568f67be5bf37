"""A client that cuts a text in the middle of an emoji is heard at every door."""

import json

import pytest

from conversations.api.models import IngestedMessage
from conversations.models import Message
from memory.models import Memory
from tests.conversations.api.openai.client import COMPLETIONS, api_for
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)
CUTS = {
    "an escape": rb"\ud83d",
    "the second half": rb"\uDE00",
    "halves in the wrong order": rb"\ude00\ud83d",
    "bytes": "\U0001f600".encode()[:2],
    "more bytes": "\U0001f600".encode()[:3],
    "bytes of a half": "\ud83d".encode("utf-8", "surrogatepass"),
}
TEXT = "I live in Bergen @ now."
SAID = [{"role": "user", "content": TEXT}]
JSON = {"Content-Type": "application/json"}
MCP = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}
REMEMBER = {"name": "remember", "arguments": {"text": TEXT, "user_words": TEXT}}
DOORS = {
    "chat": (COMPLETIONS, {"model": "m", "messages": SAID}, Message),
    "memories": ("/api/memories", {"text": TEXT}, Memory),
    "ingest": (
        "/api/ingest",
        {"channel": "discord", "thread": "t", "text": TEXT, "external_id": "1"},
        IngestedMessage,
    ),
    "mem0": ("/v3/memories/add/", {"messages": SAID, "infer": False}, Memory),
    "MCP": (
        "/mcp",
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": REMEMBER},
        Memory,
    ),
}


@pytest.fixture
def api(openai_server):
    return api_for(MembershipFactory())


def send(api, door, cut):
    path, document, model = DOORS[door]
    body = json.dumps(document).encode().replace(b"@", cut)
    answer = api.send("POST", path, content=body, headers=JSON | MCP)
    assert answer.status_code in {200, 201, 202}, answer.text
    return model.objects.order_by("pk")


def text_of(row):
    return row.payload["text"] if isinstance(row, IngestedMessage) else row.content


@pytest.mark.parametrize("door", DOORS)
def test_half_an_emoji_is_stored_as_the_replacement_character(api, door):
    rows = send(api, door, CUTS["an escape"])
    assert TEXT.replace("@", "\ufffd") in map(text_of, rows)


@pytest.mark.parametrize("cut", CUTS)
def test_emoji_may_be_cut_at_any_place(api, cut):
    (row,) = send(api, "memories", CUTS[cut])
    told, _, rest = row.content.partition("\ufffd")
    assert (told, rest.strip("\ufffd")) == ("I live in Bergen ", " now.")


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (rb"\ud83d\ude00", "\U0001f600"),
        (rb"\\ud83d", "\\ud83d"),
        (rb"\\\ud83d", "\\\ufffd"),
    ],
)
def test_whole_emoji_and_written_escapes_stay(api, written, stored):
    (row,) = send(api, "memories", written)
    assert row.content == TEXT.replace("@", stored)
