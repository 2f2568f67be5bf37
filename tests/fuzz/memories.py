"""Attacks on memories by REST, mem0 and MCP: each caller has only their own."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any
from urllib.parse import quote_from_bytes

from memory.models import Memory, ProfileFact
from tests.fuzz.actors import Actor
from tests.fuzz.endpoint import (
    FACT,
    JSON,
    MEMORIES,
    USER_ID,
    Caller,
    all_callers,
    post,
    settle,
)
from tests.fuzz.mcp import send_hostile_calls
from tests.fuzz.values import BODIES, HOSTILE
from tests.fuzz.world import EXTERNAL, STRANGER

LISTS = ((MEMORIES, b"limit=100"), (f"{MEMORIES}/search", b"q=User+likes&limit=24"))
EXPORT = (f"{MEMORIES}/export", b"")
MEM0 = ("/v3/memories/", "/v3/memories/search/", "/v3/memories/add/")
FILTERS: tuple[Any, ...] = (
    *(None, 5, "x", True, [], [None], {"AND": 5}, {"AND": None}, {"AND": {}}),
    *({"AND": [5]}, {"AND": [[]]}, {"OR": []}, {"NOT": {}}, {"AND": [{"AND": []}]}),
)
"""Filters of mem0 in no form that it has."""
NAMES: tuple[Any, ...] = (
    *(True, 5, 1.5, [], ["x"], {}, {"in": ["x"]}, {"gt": 1}, "x" * 256, "a\x00b"),
    *("\u202ex", "\x85", "\u00a0", "\ud800", "\ufffd", "x\u200b", "x\ny"),
)
"""What is no name of a user."""
MEM0_CHANGES = (
    ("GET", "", b"", None),
    ("GET", "history/", b"", None),
    ("PUT", "", b"", FACT),
    ("DELETE", "", b"", None),
)
CHANGES = (
    ("GET", "", b"", None),
    ("GET", "/history", b"", None),
    ("PATCH", "", b"", FACT),
    ("DELETE", "", b"", None),
    ("DELETE", "", b"erase=true", None),
)


def attack_memories(actor: Actor) -> None:
    for caller in all_callers(actor.world):
        _read(actor, caller)
        _ask_as_mem0(actor, caller)
        _call_tools(actor, caller)
        _name_rows_of_others(actor, caller)
        _add(actor, caller)
    _send_hostile_bodies(actor)


def _read(actor: Actor, caller: Caller) -> None:
    """Only the caller's own facts and the lore of the key's space are shown."""
    world, asking = actor.world, replace(actor, name=caller.name)
    mine = f"qx{caller.name}{caller.space}"
    for path, query in (*LISTS, EXPORT):
        answer = asking.ask("GET", path, query=query, headers=caller.headers)
        shown = set(actor.checks.canary.findall(answer.text))
        for word in sorted(shown & world.texts.keys()):
            if not word.startswith(mine):
                asking.report(path, f"shows {word}")
        for word in sorted(shown):
            if world.lore.get(word, caller.space) != caller.space:
                asking.report(path, f"shows the lore {word}")
        if caller.name in world.users and f"{mine}fact" not in shown:
            asking.report(path, f"finds no fact: {answer}")
    settle(asking, "lists of memories", caller.own(world))


def _ask_as_mem0(actor: Actor, caller: Caller) -> None:
    """By the addresses of mem0's clients, whose proxies name users in the body."""
    world, asking = actor.world, replace(actor, name=caller.name)
    mine = f"qx{caller.name}{caller.space}"
    for named in (caller.headers.get(USER_ID), STRANGER, None):
        for path in MEM0:
            body = {
                "filters": {"user_id": named},
                "query": "User likes",
                "messages": [{"role": "user", "content": "User likes to sing"}],
                "infer": False,
            }
            answer = post(asking, caller.headers, body, path)
            for word in set(actor.checks.canary.findall(answer.text)):
                if word in world.texts and not word.startswith(mine):
                    asking.report(path, f"shows {word}")
    users = {str(world.users[name].pk) for name in EXTERNAL.values()}
    settle(asking, "mem0's addresses", caller.own(world) | users)


def _call_tools(actor: Actor, caller: Caller) -> None:
    """Tools of /mcp, also with the keys of others' memories."""
    asking = replace(actor, name=caller.name)
    mine = f"qx{caller.name}{caller.space}"
    headers = {**caller.headers, "Accept": f"{JSON}, text/event-stream"}
    others = [str(pk) for pk in Memory.objects.values_list("pk", flat=True)]
    texts = [value[:2000].decode(errors="replace") for value in HOSTILE]
    calls: list[tuple[str, Any]] = [
        ("recall", {"query": "User likes", "limit": 24}),
        ("list_memories", {"limit": 100}),
        ("get_profile", {}),
        *(("remember", {"text": text, "user_words": text}) for text in texts),
        *(("correct", {"id": pk, "text": "User likes to sing"}) for pk in others),
        *(("forget", {"id": pk}) for pk in others),
    ]
    for tool, arguments in calls:
        params = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = post(asking, headers, body, "/mcp")
        for word in set(actor.checks.canary.findall(answer.text)):
            if word in actor.world.texts and not word.startswith(mine):
                asking.report(tool, f"shows {word}")
    settle(asking, "tools", caller.own(actor.world))


def _name_rows_of_others(actor: Actor, caller: Caller) -> None:
    world, asking = actor.world, replace(actor, name=caller.name)
    user, space = world.users.get(caller.name), world.spaces[caller.space]
    expected = 404 if user or USER_ID in caller.headers else 400
    rows: Iterable[Any] = chain(Memory.objects.all(), ProfileFact.objects.all())
    for row in rows:
        lore = row.user_id is None and row.space_id == space.pk
        if lore or (user and row.user_id == user.pk and row.space_id == space.pk):
            continue
        for method, after, query, body in CHANGES:
            sent = ("", b"") if body is None else (JSON, json.dumps(body).encode())
            path = f"{MEMORIES}/{row.pk}{after}"
            answer = asking.ask(
                method, path, query=query, body=sent, headers=caller.headers
            )
            if answer.status != expected:
                asking.report(path, f"{method} gets {answer.status}")
        external = getattr(row.user, "external", None)
        if external and external.space_id == space.pk and caller.is_proxy:
            continue  # all of its users are the proxy's
        for method, after, _query, body in MEM0_CHANGES:
            sent = ("", b"") if body is None else (JSON, json.dumps(body).encode())
            path = f"/v1/memories/{row.pk}/{after}"
            answer = asking.ask(method, path, body=sent, headers=caller.headers)
            if answer.status != 404:
                asking.report(path, f"{method} gets {answer.status}")
    settle(asking, "memories of others", caller.own(world))


def _add(actor: Actor, caller: Caller) -> None:
    """A fact is stored for the key's user, or for whom the key of a proxy names."""
    asking = replace(actor, name=caller.name)
    for path, body in ((MEMORIES, FACT), (f"{MEMORIES}/forget", FACT)):
        post(asking, caller.headers, body, path)
    settle(asking, "an added memory", caller.own(actor.world))


def _send_hostile_bodies(actor: Actor) -> None:
    asking = replace(actor, name=STRANGER)
    bearer = {"Authorization": f"Bearer {actor.world.keys['proxy home']}", "Cookie": ""}
    named = bearer | {USER_ID: "x"}
    texts = [value[:2000].decode(errors="replace") for value in HOSTILE]
    whole = {"kind": "profile", "category": "identity", "key": "a", "value": "b"}
    facts = [whole | {field: text} for field in whole for text in texts]
    bodies: list[dict[str, object]] = [{"memories": [fact]} for fact in facts]
    bodies += [{"text": text, "room": text} for text in texts]
    bodies += [{"text": "a", "stated_at": text} for text in texts]
    bodies += [{"messages": [{"content": text}], "infer": False} for text in texts]
    sent = [(JSON, json.dumps(body).encode()) for body in bodies]
    for body in (*BODIES, *sent):
        asking.ask("POST", MEMORIES, body=body, headers=named)
    _send_hostile_names(asking, named)
    send_hostile_calls(asking, named)
    for value in HOSTILE:
        latin = value[:2000].decode("latin1")
        call = named | {"Idempotency-Key": latin}
        asking.ask("POST", MEMORIES, body=sent[0], headers=call)
        for query in (b"cursor=", b"kind=", b"since=", b"room=", b"user="):
            asking.ask("GET", MEMORIES, query=query + value[:2000], headers=named)
        for path in (f"{MEMORIES}/search", MEMORIES):
            asking.ask("GET", path, query=b"q=" + value[:2000], headers=named)
    home = {str(asking.world.spaces["home"].pk)}
    settle(asking, "hostile values for memories", home)


def _send_hostile_names(asking: Actor, named: Mapping[str, str]) -> None:
    """Names in all places, and filters in no form, are refused by mem0's addresses."""
    asked = {"query": "x", "messages": [{"role": "user", "content": "User likes"}]}
    bodies = [asked | {"user_id": "x", "filters": filters} for filters in FILTERS[1:]]
    for name in NAMES:
        bodies += [asked | {"user_id": name}, asked | {"run_id": name}]
        for place in ("user_id", "run_id"):
            parts = {"filters": {place: name}}, {"filters": {"AND": [{place: name}]}}
            bodies += [asked | part for part in parts]
    for path in MEM0:
        for body in bodies:
            answer = post(asking, named, body, path)
            if answer.status not in {400, 422}:
                asking.report(f"{path} {body}", f"gets {answer.status}")
    for value in HOSTILE:
        sent = quote_from_bytes(value[:300]).encode()
        asking.ask("DELETE", "/v1/memories/", query=b"user_id=" + sent, headers=named)
        for path in (MEMORIES, "/api/memory/search"):
            query = b"user=" + sent + b"&user=x&q=x"
            asking.ask("GET", path, query=query, headers=named)
