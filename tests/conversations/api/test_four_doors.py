"""One story through chat, REST, mem0's protocol and MCP ends in the same memory.

The real clients of mem0 and MCP have tests of their own in tests/stack.
"""

import json
from dataclasses import dataclass, field

import pytest

from memory.models import Memory
from tests.conversations.api.mcp.test_http import call as call_tool
from tests.conversations.api.mem0.test_dialect import call as call_mem0
from tests.conversations.api.memories.client import Memories
from tests.conversations.api.openai.client import api_for, facts_of
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

VIOLIN, CELLO = "I play the violin", "I play the cello"
GDYNIA, OSLO = "I live in Gdynia", "I live in Oslo"
PEANUTS, CATS = "I am allergic to peanuts", "I have two cats"
BAKERY, TEA, POLISH = "I work at a bakery", "I like green tea", "I speak Polish"
STORY = (
    ("tell", VIOLIN),
    ("tell", GDYNIA),
    ("tell", VIOLIN),
    ("tell", PEANUTS),
    ("finds", VIOLIN),
    ("correct", VIOLIN, CELLO),
    ("finds", CELLO),
    ("tell", CATS),
    ("forget", CATS),
    ("misses", CATS),
    ("tell", BAKERY),
    ("correct", GDYNIA, OSLO),
    ("tell", OSLO),
    ("forget", PEANUTS),
    ("tell", TEA),
    ("finds", TEA),
    ("tell", POLISH),
    ("forget", TEA),
    ("tell", TEA),
    ("exports", {CELLO, OSLO, BAKERY, TEA, POLISH}),
)
ROWS = {
    (VIOLIN, "superseded"),
    (CELLO, ""),
    (GDYNIA, "superseded"),
    (OSLO, ""),
    (PEANUTS, "retracted"),
    (CATS, "retracted"),
    (BAKERY, ""),
    (TEA, ""),
    (POLISH, ""),
}


@dataclass
class Model:
    """Extracts each message of the user as it is, and replaces what it is told to."""

    replaced: dict[str, str] = field(default_factory=dict)
    forgets: str = ""
    asked: list[str] = field(default_factory=list)

    def answer(self, body):
        name = body.get("response_format", {}).get("json_schema", {}).get("name")
        if name == "memory_extraction":
            said = self.asked[-1]
            fact = {"text": said, "evidence": said, "about": "user"}
            facts = [] if self.forgets else [fact]
            wished = [self.forgets] if self.forgets else []
            return says(json.dumps({"facts": facts, "forgets": wished}))
        if name == "memory_resolution":
            known = json.loads(body["messages"][-1]["content"])["known"]
            old = self.replaced.get(self.asked[-1])
            decisions = [ruling(target=one["n"]) for one in known if one["text"] == old]
            return says(json.dumps({"decisions": decisions}))
        return says("Noted.")


class Door:
    """What a story does through one of the ways to the same memory."""

    def __init__(self, api, model):
        self.api, self.model = api, model
        self.memories = Memories(api)

    def finds(self, text):
        assert text in self.found(text)

    def misses(self, text):
        assert text not in self.found(text)

    def found(self, text):
        return self.memories.found(text)

    def exports(self, texts):
        lines = self.memories.send("GET", "/export").splitlines()
        assert {json.loads(line)["text"] for line in lines} == texts

    def key_of(self, text):
        listed = self.memories.send("GET")["memories"]
        return next(one["id"] for one in listed if one["text"] == text)


class Chat(Door):
    def say(self, text):
        self.model.asked.append(text)
        self.api.ask(text, chat=f"chat {len(self.model.asked)}")
        run_due()

    def tell(self, text):
        self.say(text)

    def correct(self, old, new):
        self.model.replaced[new] = old
        self.say(new)

    def forget(self, text):
        self.model.forgets = text
        self.say(f"Please forget that {text}")
        self.model.forgets = ""

    def found(self, text):
        answer = self.api.ask(text, save_memories=False, chat="asking")
        return [one["text"] for one in facts_of(answer)]


class Rest(Door):
    def tell(self, text):
        self.memories.add(text)

    def correct(self, old, new):
        self.memories.send("PATCH", f"/{self.key_of(old)}", json={"text": new})

    def forget(self, text):
        self.memories.send("POST", "/forget", json={"text": text})


class Mem0(Door):
    def call(self, method, path, **body):
        return call_mem0(self.api, method, path, json=body)

    def tell(self, text):
        said = [{"role": "user", "content": text}]
        self.call("POST", "/v3/memories/add/", messages=said, infer=False)

    def correct(self, old, new):
        self.call("PUT", f"/v1/memories/{self.key_of(old)}/", text=new)

    def forget(self, text):
        self.call("DELETE", f"/v1/memories/{self.key_of(text)}/")

    def found(self, text):
        found = self.call("POST", "/v3/memories/search/", query=text)["results"]
        return [one["memory"] for one in found]

    def exports(self, texts):
        listed = self.call("POST", "/v3/memories/")["results"]
        assert {one["memory"] for one in listed} == texts


class Mcp(Door):
    def tell(self, text):
        call_tool(self.api, "remember", text=text, user_words=text)

    def correct(self, old, new):
        call_tool(self.api, "correct", id=self.key_of(old), text=new)

    def forget(self, text):
        call_tool(self.api, "forget", text=text)

    def found(self, text):
        found = call_tool(self.api, "recall", query=text)["memories"]
        return [one["text"] for one in found]

    def exports(self, texts):
        listed = call_tool(self.api, "list_memories")["memories"]
        assert {one["text"] for one in listed} == texts


def play(door_class, openai_server):
    """The rows and the prompt at the end of the story."""
    member = MembershipFactory()
    model = Model()
    openai_server.titles.default = model.answer
    door = door_class(api_for(member, name=door_class.__name__), model)
    for verb, *arguments in STORY:
        getattr(door, verb)(*arguments)
        model.asked.append("")
        run_due()
    rows = Memory.objects.filter(user=member.user)
    model.asked.append("What do you know of me?")
    door.api.ask("What do you know of me?", save_memories=False, chat="last")
    prompt = openai_server.titles.requests[-1].body["messages"][0]["content"]
    return set(rows.values_list("content", "retired_reason")), prompt


def test_story_ends_in_the_same_rows_and_the_same_prompt(
    transactional_db, openai_server
):
    ends = {door: play(door, openai_server) for door in (Chat, Rest, Mem0, Mcp)}
    for door, (rows, prompt) in ends.items():
        assert rows == ROWS, door
        assert all(text in prompt for text in (CELLO, OSLO, BAKERY, TEA, POLISH)), door
    assert len({prompt for _rows, prompt in ends.values()}) == 1


@pytest.mark.parametrize(
    ("method", "path", "scheme", "reason"),
    [
        ("GET", "/v1/models", "Bearer", ("error", "code")),
        ("POST", "/v1/chat/completions", "Bearer", ("error", "code")),
        ("POST", "/v1/embeddings", "Bearer", ("error", "code")),
        ("GET", "/api/memories", "Bearer", ("reason",)),
        ("GET", "/api/memory", "Bearer", ("reason",)),
        ("POST", "/api/ingest", "Bearer", ("reason",)),
        ("POST", "/v3/memories/", "Token", ("reason",)),
        ("GET", "/v1/ping/", "Token", ("reason",)),
        ("POST", "/mcp", "Bearer", ("reason",)),
    ],
)
def test_refusal_at_each_door_tells_when_a_key_may_call_again(
    method, path, scheme, reason
):
    api = api_for(MembershipFactory(), calls_per_minute=0)
    key = f"{scheme} {api.secret}"
    content = {"json": {"text": "x"}} if method == "POST" else {}
    answer = api.send(method, path, authorization=key, **content)
    assert answer.status_code == 429, answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert answer.headers["RateLimit-Policy"] == '"calls";q=0;w=60'
    assert answer.headers["RateLimit"].startswith('"calls";r=0;t=')
    told = answer.json()
    for name in reason:
        told = told[name]
    assert told == "rate_limit_exceeded"
