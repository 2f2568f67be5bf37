"""Bodies that are too large, or have too many values, get 413 at every door."""

import pytest

from memory.models import Memory
from tests.conversations.api.openai.client import COMPLETIONS, api_for
from tests.factories import MembershipFactory
from tests.hostile_json import LARGE_VALUES, MANY_VALUES, MEGABYTE, field, filled

pytestmark = pytest.mark.django_db(transaction=True)
JSON = {"Content-Type": "application/json"}
MCP = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-06-18",
}
TOLD = b'"text": "I live in Gdynia"'
DOORS = {
    COMPLETIONS: b'{"model": "m", "messages": [{"role": "user", "content": "Hi"}], "x": %s}',
    "/api/memories": b'{%s, "x": %%s}' % TOLD,
    "/api/memories/forget": b'{%s, "x": %%s}' % TOLD,
    "/api/ingest": b'{"channel": "c", "thread": "t", "external_id": "1", %s, "x": %%s}'
    % TOLD,
    "/v3/memories/add/": b'{"messages": [{"role": "user", "content": "Hi"}], "x": %s}',
    "/v3/memories/search/": b'{"query": "x", "filters": {}, "x": %s}',
    "/mcp": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}, "x": %s}',
}


@pytest.fixture
def send():
    api = api_for(MembershipFactory())

    def send(path, body):
        answer = api.send("POST", path, content=body, headers=JSON | MCP)
        return answer.status_code, answer.json()

    return send


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("shape", MANY_VALUES)
def test_many_values_are_refused_at_every_door(send, door, shape):
    body = DOORS[door] % filled(MANY_VALUES[shape], 1_900_000)
    status, told = send(door, body)
    assert status == 413, told
    assert "too many values" in str(told)
    assert not Memory.objects.exists()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("size", [3 * MEGABYTE, 26 * MEGABYTE])
def test_large_bodies_are_413_and_say_so(send, door, size):
    status, told = send(door, DOORS[door] % (b'"%s"' % (b"x" * size)))
    assert status == 413
    assert any(word in str(told) for word in ("too large", "at most"))
    assert not Memory.objects.exists()


def test_chat_takes_pictures_of_many_megabytes_beside_an_emoji(send):
    url = b"data:image/png;base64," + b"A" * 20 * MEGABYTE
    parts = (
        '[{"type": "text", "text": "😀"}, {"type": "image_url", "image_url": {"url": "'
    )
    body = b'{"model": "m", "messages": [{"role": "user", "content": %s%s"}}]}]}'
    assert send(COMPLETIONS, body % (parts.encode(), url))[0] == 200


@pytest.mark.parametrize("shape", MANY_VALUES)
def test_values_in_messages_are_counted_too(send, shape):
    values = filled(MANY_VALUES[shape], 8 * MEGABYTE)
    said = b'{"model": "m", "messages": [{"role": "user", "content": %s}]}' % values
    assert send(COMPLETIONS, said)[0] == 413


@pytest.mark.parametrize("shape", LARGE_VALUES)
def test_other_fields_of_a_chat_have_at_most_a_megabyte(send, shape):
    body = field(LARGE_VALUES[shape](2 * MEGABYTE))
    assert send(COMPLETIONS, body)[0] == 413
