"""Requests to /mcp: whose memory they are about, and what is refused."""

import json

import pytest
from django.utils import timezone

from memory.models import Memory
from tests.conversations.api.memories.client import Memories, named
from tests.conversations.api.memories.conftest import ann, bob, member, proxy

__all__ = ["ann", "bob", "member", "proxy"]

pytestmark = pytest.mark.django_db(transaction=True)
ACCEPT = {"Accept": "application/json, text/event-stream"}
SECURITY_HEADERS = (
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Content-Security-Policy",
)
VERSION = {"MCP-Protocol-Version": "2025-06-18"}


def call(api, tool, headers=None, **arguments):
    """The structured result of a tool; the text of an error."""
    params = {"name": tool, "arguments": arguments}
    answer = send(api, "tools/call", params, headers=headers or {})
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    if result.get("isError"):
        return result["content"][0]["text"]
    return result["structuredContent"]


def send(api, method, params, headers, **how):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return api.send(
        "POST", "/mcp", json=body, headers=ACCEPT | VERSION | headers, **how
    )


def test_tools_are_about_the_user_of_the_key(ann, bob):
    key = call(ann.api, "remember", text="I play the violin")["id"]
    assert call(bob.api, "list_memories")["memories"] == []
    assert "violin" not in json.dumps(call(bob.api, "recall", query="violin"))
    for tool, arguments in (
        ("correct", {"id": key, "text": "I play the cello"}),
        ("forget", {"id": key}),
    ):
        assert "not_found" in call(bob.api, tool, **arguments)
    assert ann.texts() == ["I play the violin"]


def test_tools_act_for_the_user_whom_a_proxy_names(proxy):
    for name in ("carl", "dora"):
        call(proxy, "remember", named(name), text=f"I am {name} of Gdynia")
    listed = call(proxy, "list_memories", named("carl"))["memories"]
    assert [one["text"] for one in listed] == ["I am carl of Gdynia"]
    assert Memories(proxy, named("dora")).texts() == ["I am dora of Gdynia"]
    assert send(proxy, "tools/list", {}, {}).status_code == 400


def test_memory_is_forgotten_by_its_id(ann):
    key = call(ann.api, "remember", text="I play the violin")["id"]
    (decision,) = call(ann.api, "forget", id=key)["decisions"]
    assert (decision["action"], decision["target"]) == ("retract", key)
    assert ann.texts() == []


def test_model_alone_does_not_bring_back_what_was_forgotten(ann):
    key = call(ann.api, "remember", text="I play the violin")["id"]
    call(ann.api, "forget", id=key)
    again = call(ann.api, "remember", text="I play the violin")
    assert (again["action"], again["reason"]) == ("reject", "retracted")
    said = call(ann.api, "remember", text="I play the violin", user_words="Hello")
    assert said["action"] == "reject"
    assert not Memory.objects.active().exists()


def test_arguments_that_are_not_valid_are_an_error_of_the_tool(ann):
    for tool, arguments in (
        ("remember", {}),
        ("remember", {"text": "x" * 2001}),
        ("recall", {"query": "x", "limit": 0}),
        ("correct", {"id": "x", "text": "y"}),
        ("list_memories", {"kind": "x"}),
    ):
        assert isinstance(call(ann.api, tool, **arguments), str)


def test_times_have_one_form_in_all_doors(ann):
    key = call(ann.api, "remember", text="I play the violin")["id"]
    (listed,) = call(ann.api, "list_memories", detail=True)["memories"]
    assert ann.send("GET", f"/{key}")["stated_at"] == listed["stated_at"]


class TestPagesOfOtherOrigins:
    """A web page calls Meddie from a browser."""

    ORIGIN = "https://pages.example.com"

    def ask(self, api, path, **headers):
        asks = {"Access-Control-Request-Method": "POST", "Origin": self.ORIGIN}
        return api.send("OPTIONS", path, headers=asks | headers)

    @pytest.mark.parametrize(
        "path",
        [
            *("/api/memories", "/v1/models", "/mcp", "/mcp/", "/token", "/register"),
            *("/.well-known/oauth-authorization-server", "/revoke"),
        ],
    )
    def test_they_may_call_where_they_are_named(self, ann, settings, path):
        assert "Access-Control-Allow-Origin" not in self.ask(ann.api, path).headers
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]
        headers = self.ask(ann.api, path).headers
        assert headers["Access-Control-Allow-Origin"] == self.ORIGIN
        assert "authorization" in headers["Access-Control-Allow-Headers"]
        assert "Access-Control-Allow-Credentials" not in headers
        other = self.ask(ann.api, path, Origin="https://evil.example.com").headers
        assert "Access-Control-Allow-Origin" not in other

    @pytest.mark.parametrize("path", ["/", "/chat", "/people/", "/authorize"])
    def test_pages_of_people_are_not_for_them(self, ann, settings, path):
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]
        assert "Access-Control-Allow-Origin" not in self.ask(ann.api, path).headers

    def test_mcp_answers_them(self, ann, settings):
        asking = {"Origin": self.ORIGIN}
        assert send(ann.api, "tools/list", {}, asking).status_code == 403
        settings.CORS_ALLOWED_ORIGINS = [self.ORIGIN]
        answer = send(ann.api, "tools/list", {}, asking)
        assert answer.status_code == 200
        assert answer.headers["Access-Control-Allow-Origin"] == self.ORIGIN
        refused = send(ann.api, "tools/list", {}, asking, authorization="Bearer x")
        assert refused.headers["WWW-Authenticate"].startswith("Bearer ")
        assert refused.headers["Access-Control-Expose-Headers"] == "*"


@pytest.mark.parametrize("bearer", ["Bearer x", "Basic x", "x"])
def test_unknown_key_is_refused(ann, bearer):
    answer = send(ann.api, "tools/list", {}, {}, authorization=bearer)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert answer.json()["reason"] == "invalid_api_key"


def test_calls_of_the_key_are_limited(ann):
    ann.api.key.calls_per_minute = 1
    ann.api.key.save()
    assert send(ann.api, "tools/list", {}, {}).status_code == 200
    assert send(ann.api, "tools/list", {}, {}).status_code == 429


@pytest.mark.parametrize("size", [1, 3])
def test_body_without_a_length_is_refused_once(ann, settings, size):
    settings.MAX_BODY_MB = 2

    async def pieces():
        for _ in range(4 * size):
            yield b" " * 2**18

    headers = ACCEPT | VERSION | {"Content-Type": "application/json"}
    answer = ann.api.send("POST", "/mcp", content=pieces(), headers=headers)
    assert answer.status_code == (413 if size == 3 else 400), answer.text


def test_body_that_is_too_large_is_refused(ann, settings):
    settings.MAX_BODY_MB = 1
    answer = send(ann.api, "tools/call", {"name": "x" * 2**21}, {})
    assert (answer.status_code, answer.json()["status"]) == (413, 413)


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_only_calls_are_answered_and_no_stream_is_opened(ann, method, path):
    answer = ann.api.send(method, path, headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_nothing_can_be_listened_to(ann, version):
    answer = ann.api.send(
        "POST", "/mcp", json=listen(version), headers=listening(version)
    )
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json()["error"]["code"] == -32601


def listen(version):
    about = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    wanted = {"toolsListChanged": True, "resourcesListChanged": True}
    params = {"notifications": wanted, "_meta": about}
    method = "subscriptions/listen"
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


def listening(version):
    named = {"MCP-Protocol-Version": version, "Mcp-Method": "subscriptions/listen"}
    return ACCEPT | named


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": "127.0.0.1.evil.example:8000"}, 400),
        ({"Host": "127.0.0.1:1@evil.example"}, 400),
        ({"X-Forwarded-Host": "evil.example"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:8001"}, 403),
        ({"Origin": "https://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "https://meddie.example"}, 200),
        ({}, 200),
    ],
    ids=str,
)
def test_host_and_origin_are_checked_and_the_headers_are_those_of_all_doors(
    ann, settings, headers, status
):
    settings.CSRF_TRUSTED_ORIGINS = ["https://meddie.example"]
    answer = send(ann.api, "tools/list", {}, headers)
    assert answer.status_code == status, answer.text
    assert ("remember" in answer.text) == (status == 200)
    door = ann.api.send("GET", "/v1/models", headers=headers)
    for name in SECURITY_HEADERS:
        assert answer.headers.get(name) == door.headers.get(name), name
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_remembered_fact_is_about_whom_the_model_names(ann):
    mine = call(ann.api, "remember", text="Takes ramipril 5 mg")
    theirs = call(ann.api, "remember", text="Takes ramipril 10 mg", about="my mother")
    assert (mine["subject"], theirs["subject"]) == ("", "mother")
    found = call(ann.api, "recall", query="ramipril", about="my mum")["memories"]
    assert [fact["subject"] for fact in found] == ["mother"]
    call(ann.api, "correct", id=theirs["id"], about="my father")
    listed = call(ann.api, "list_memories", about="my father")["memories"]
    assert [fact["id"] for fact in listed] == [theirs["id"]]
    assert call(ann.api, "list_memories", about="Leo")["memories"] == []
    told = call(ann.api, "correct", id=theirs["id"])
    assert "Send a text, or whom it is about." in told


def list_weight(api, count, **arguments):
    """Bytes of the text that a model reads."""
    params = {"name": "list_memories", "arguments": {"limit": count, **arguments}}
    answer = send(api, "tools/call", params, {}).json()["result"]
    assert len(answer["structuredContent"]["memories"]) == count
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
    return len(answer["content"][0]["text"])


def test_answers_weigh_little_more_than_the_facts(ann):
    count = 20
    texts = [f"I have seen the film number {n} in Gdynia" for n in range(count)]
    ann.add(*texts)
    facts = sum(map(len, ann.texts()))
    assert list_weight(ann.api, count) < facts + 110 * count
    assert list_weight(ann.api, count, detail=True) > 1.5 * list_weight(ann.api, count)
    tools = send(ann.api, "tools/list", {}, {}).text
    assert len(tools) < 11_000
    assert "Arguments" not in tools


def test_row_has_only_its_words_unless_more_is_asked_for(ann):
    key = call(ann.api, "remember", text="I play the violin")["id"]
    today = timezone.localdate().isoformat()
    short = {"id": key, "text": "I play the violin", "day": today}
    assert call(ann.api, "list_memories")["memories"] == [short]
    assert call(ann.api, "recall", query="violin")["memories"] == [short]
    (row,) = call(ann.api, "list_memories", detail=True)["memories"]
    assert row.items() >= short.items()
    assert (row["confidence"], row["channel"]) == (1.0, "api")
    assert None not in row.values()


def test_metadata_of_a_memory_is_a_detail(ann):
    ann.add("I play the violin", metadata={"topic": "music"})
    (row,) = call(ann.api, "list_memories", detail=True)["memories"]
    assert row["metadata"] == {"topic": "music"}


def test_recall_can_be_of_a_kind_and_a_day(ann):
    call(ann.api, "remember", text="I live in Gdynia")
    found = call(ann.api, "recall", query="Gdynia", kind="profile")["memories"]
    assert found == []
    assert call(ann.api, "recall", query="Gdynia", kind="memory")["memories"]
    past = call(ann.api, "recall", query="Gdynia", as_of="2020-05-31")
    assert past["memories"] == []
    assert "as_of" in call(ann.api, "recall", query="Gdynia", as_of="May")


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("remember", {}, "text: Field required"),
        ("recall", {"query": "x", "limit": 0}, "limit: "),
        ("correct", {"id": "secret", "text": "y"}, "id: "),
        ("forget", {}, "Send a text or an id."),
    ],
)
def test_wrong_argument_is_told_by_one_sentence(ann, tool, arguments, told):
    text = call(ann.api, tool, **arguments)
    assert told in text
    for noise in ("pydantic", "secret", "\n", "Arguments"):
        assert noise not in text


def test_each_tool_has_a_title_and_tells_what_it_may_do(ann):
    tools = send(ann.api, "tools/list", {}, {}).json()["result"]["tools"]
    hints = {tool["name"]: tool["annotations"] for tool in tools}
    assert all(tool["title"] for tool in tools)
    assert all(hint["openWorldHint"] is False for hint in hints.values())
    assert all("idempotentHint" in hint for hint in hints.values())
    assert {n for n, hint in hints.items() if hint.get("destructiveHint")} == {"forget"}
    reads = {name for name, hint in hints.items() if hint["readOnlyHint"]}
    assert reads == {"recall", "list_memories", "get_profile"}


def test_announced_capabilities_are_kept(ann, caplog):
    client = {"name": "x", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    result = send(ann.api, "initialize", params, {}).json()["result"]
    announced = result["capabilities"]
    assert not any((part or {}).get("listChanged") for part in announced.values())
    prompts = send(ann.api, "prompts/list", {}, {}).json()["result"]["prompts"]
    assert {prompt["title"] for prompt in prompts} == {
        "What should I tell the doctor?",
        "What do you know about someone?",
    }
    leo = {"name": "person", "arguments": {"name": "Leo"}}
    shown = send(ann.api, "prompts/get", leo, {}).json()["result"]["messages"]
    assert "Leo" in shown[0]["content"]["text"]
    for method, wrong in (
        ("prompts/get", {"name": "x"}),
        ("prompts/get", {"name": "person"}),
        ("resources/read", {"uri": "memory://x"}),
    ):
        assert send(ann.api, method, wrong, {}).json()["error"]["code"] == -32602
    assert "Traceback" not in caplog.text
    assert not [line for line in caplog.records if line.levelname == "ERROR"]
