"""Calls under way at every door while their account, space or user goes."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from meddie.ai import embeddings
from memory.models import Memory
from people.deletion import delete_spaces
from people.members import delete_accounts
from people.models import User
from tests.conversations.api.mcp.test_http import ACCEPT, VERSION
from tests.conversations.api.memories.client import PATH, named
from tests.conversations.api.memories.conftest import ann, member, proxy
from tests.conversations.api.openai.client import COMPLETIONS, said
from tests.memory.embedders import WordEmbedder
from tests.waiting import PATIENCE

__all__ = ["ann", "member", "proxy"]

pytestmark = pytest.mark.django_db(transaction=True)
TEXT, WISH = {"text": "I play the cello"}, {"text": "that I play the violin"}
QUESTION = {"model": "m", "messages": [said("Which instrument do I play?")]}
SAID = {"messages": [said("I play the cello")], "infer": False}
TOLD = {"channel": "a", "thread": "b", "external_id": "1", "text": "I play the cello"}


def tool(name, **arguments):
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def rest_calls(key):
    yield "POST", PATH, TEXT
    yield "GET", f"{PATH}/search?q=violin", None
    yield "POST", f"{PATH}/forget", WISH
    yield "PATCH", f"{PATH}/{key}", TEXT


def mem0_calls(key):
    yield "POST", "/v3/memories/add/", SAID
    yield "POST", "/v3/memories/search/", {"query": "violin"}
    yield "PUT", f"/v1/memories/{key}/", TEXT


def other_calls(key):
    yield "POST", "/mcp", tool("remember", **TEXT)
    yield "POST", "/mcp", tool("recall", query="violin")
    yield "POST", "/mcp", tool("forget", **WISH)
    yield "POST", "/mcp", tool("correct", id=str(key), **TEXT)
    yield "POST", COMPLETIONS, QUESTION
    yield "POST", COMPLETIONS, QUESTION | {"stream": True}


class Gate(WordEmbedder):
    """Holds up each call, between its admission and its work, until it is opened."""

    def __init__(self):
        super().__init__()
        self.entered, self.opened = threading.Semaphore(0), threading.Event()

    def embed(self, texts):
        if not self.opened.is_set():
            self.entered.release()
            self.opened.wait(PATIENCE)
        return super().embed(texts)


def is_told(answer):
    """Whether the answer says that it is gone; a search may find nothing instead."""
    reads = ("search", "recall")
    if answer.status_code != 200:
        return answer.status_code in {404, 410}
    if any(word in f"{answer.url} {answer.request.content}" for word in reads):
        return "I play" not in answer.text
    return "(gone)" in answer.text or "(not_found)" in answer.text


@pytest.fixture
def keys(ann, proxy, openai_server):
    """An ordinary key and, for true, that of a proxy."""
    return {False: ann.api, True: proxy}


GONE = {
    "account": lambda member, user: delete_accounts([member.user]),
    "space": lambda member, user: delete_spaces([member.space_id]),
    "user": lambda member, user: delete_accounts([user]),
}


CASES = [
    *(("account", False), ("space", False)),
    *(("account", True), ("space", True), ("user", True)),
]


@pytest.mark.req("S0-38")
@pytest.mark.parametrize("door", [rest_calls, mem0_calls, other_calls])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_calls_under_way_are_told_that_it_is_gone(
    keys, member, monkeypatch, caplog, door, case
):
    what, as_proxy = case
    headers = {**ACCEPT, **VERSION, **(named("carl") if as_proxy else {})}
    api = keys[as_proxy]
    api.send("POST", PATH, json={"text": "I play the violin"}, headers=headers)
    row, gate = Memory.objects.get(), Gate()
    monkeypatch.setattr(embeddings, "current_embedder", lambda: gate)
    each = list(door(row.pk))
    with ThreadPoolExecutor(len(each)) as pool:
        running = []
        for method, path, body in each:
            named_too = (
                {"user_id": "carl"} if as_proxy and path.startswith("/v3") else {}
            )
            sent = body | named_too if body else None
            send = partial(api.send, method, path, json=sent, headers=headers)
            running.append(pool.submit(send))
        try:
            entered = [gate.entered.acquire(timeout=PATIENCE) for _ in each]
            GONE[what](member, User.objects.get(pk=row.user_id))
        finally:
            gate.opened.set()
        answers = [call.result() for call in running]
    assert all(entered)
    untold = [(one.url, one.text) for one in answers if not is_told(one)]
    assert not untold
    assert not Memory.objects.exists()
    assert "Traceback" not in caplog.text
