"""Attacks on the API: ended keys, headers that name others, hostile headers and bodies."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from people.models import ApiKey, Membership, User
from tests.fuzz.actors import UNOWNED, Actor
from tests.fuzz.checks import comparable
from tests.fuzz.door import Answer
from tests.fuzz.values import BODIES, HOSTILE
from tests.fuzz.world import ADMINS, EXTERNAL, MEMBERS, STRANGER, World

MODELS, COMPLETIONS = "/v1/models", "/v1/chat/completions"
INGEST, MEMORIES = "/api/ingest", "/api/memories"
OPERATORS = (
    ("GET", "/api/memory", b""),
    ("POST", "/api/memory/refresh", b""),
    ("GET", "/api/memory/search", b"q=User+likes"),
)
JSON = "application/json"
USER_ID = "X-OpenWebUI-User-Id"
QUESTION = {"model": "m", "messages": [{"role": "user", "content": "User likes"}]}
"""Like every fact of the world, without its canary."""
DOCUMENT = {"channel": "group", "thread": "all", "external_id": "1", "text": "Hi all"}
FACT = {"text": "User likes to sing"}
LONGEST = 8000


@dataclass(frozen=True)
class Caller:
    """Whom a key and headers name, and where."""

    name: str
    space: str
    headers: Mapping[str, str]
    is_proxy: bool = False

    def own(self, world: World) -> set[str]:
        space = world.spaces[self.space]
        return world.own_of(self.name) | {str(space.pk)}


def attack_endpoint(actor: Actor) -> None:
    for caller in all_callers(actor.world):
        _ask_for_facts(actor, caller)
        _ingest(actor, caller)
    _read_as_operators(actor)
    _try_ended_keys(actor)
    _send_hostile_values(actor)


def all_callers(world: World) -> Iterator[Caller]:
    for label, key in world.keys.items():
        name, space = label.split()
        bearer = {"Authorization": f"Bearer {key}", "Cookie": ""}
        ids = {external: _id_of(world, external) for external in EXTERNAL.values()}
        ids |= {STRANGER: str(world.users[MEMBERS[space][0]].pk)}
        for external, external_id in ids.items():
            named = bearer | {USER_ID: external_id}
            if name != "proxy":
                continue  # it names no users
            if external == EXTERNAL[space]:
                yield Caller(external, space, named, is_proxy=True)
            else:
                yield Caller(STRANGER, space, named, is_proxy=True)
        is_proxy = name == "proxy"
        yield Caller(STRANGER if is_proxy else name, space, bearer, is_proxy)


def _id_of(world: World, external: str) -> str:
    return str(world.users[external].external.external_id)


def _ask_for_facts(actor: Actor, caller: Caller) -> None:
    """Only the caller's own facts in the key's space are in the prompt or the answer."""
    world, asking = actor.world, replace(actor, name=caller.name)
    for more in ({}, {"stream": True}):
        answer = post(asking, caller.headers, QUESTION | more)
        shown = set(actor.checks.canary.findall(answer.text)) & world.texts.keys()
        mine = f"qx{caller.name}{caller.space}"
        for word in sorted(word for word in shown if not word.startswith(mine)):
            asking.report(caller, f"shows {word}")
        for word in sorted(set(actor.checks.canary.findall(answer.text))):
            if world.lore.get(word, caller.space) != caller.space:
                asking.report(caller, f"shows the lore {word}")
        if caller.name in world.users and f"{mine}fact" not in shown:
            asking.report(caller, f"finds no fact: {answer}")
    settle(asking, caller, caller.own(world))


def _ingest(actor: Actor, caller: Caller) -> None:
    """A message is stored for the key's user, or for whom the key of a proxy names."""
    asking = replace(actor, name=caller.name)
    named = {"author": {"id": caller.headers.get(USER_ID, STRANGER)}}
    for document in (DOCUMENT, DOCUMENT | named):
        post(asking, caller.headers, document, INGEST)
    settle(asking, caller, caller.own(actor.world))


def _read_as_operators(actor: Actor) -> None:
    """An admin of the space reads what is their own, all others and proxies nothing."""
    for label, key in actor.world.keys.items():
        name, space = label.split()
        expected = 200 if name == ADMINS[space] else 403
        name = ADMINS[space] if name == "proxy" else name
        asking = replace(actor, name=name)
        bearer = {"Authorization": f"Bearer {key}", "Cookie": ""}
        for method, path, query in OPERATORS:
            answer = asking.ask(method, path, query=query, headers=bearer)
            if answer.status != expected:
                asking.report(path, f"gets {answer.status}, not {expected}")
            shown = (
                set(actor.checks.canary.findall(answer.text)) & actor.world.texts.keys()
            )
            for word in sorted(shown):
                if expected == 403 or not word.startswith(f"qx{name}{space}"):
                    asking.report(path, f"shows {word} of another user or space")
            if expected == 200 and not shown:
                asking.report(path, f"shows no fact: {answer}")
        settle(asking, "the operators' pages", asking.world.own_of(name))


def post(
    actor: Actor, headers: Mapping[str, str], body: object, path: str = COMPLETIONS
) -> Answer:
    sent = (JSON, json.dumps(body).encode())
    return actor.ask("POST", path, body=sent, headers=headers)


def settle(actor: Actor, request: object, own: set[str]) -> None:
    """Look for changed rows of others, and undo all changes."""
    changed = actor.rows.changed()
    counted = {table for table in changed if not table.startswith(UNOWNED)}
    if actor.name == STRANGER:  # a call without a user counts for the key's owner
        counted.discard("conversations_dailyuse")
    for row in actor.rows.changed_of_others(counted, own):
        actor.report(request, f"changed the {row}")
    actor.rows.restore(changed)


def _revoke(key: ApiKey) -> None:
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=key.created_at)


def _deactivate(key: ApiKey) -> None:
    User.objects.filter(pk=key.user_id).update(is_active=False)


def _leave(key: ApiKey) -> None:
    Membership.objects.filter(user=key.user_id, space=key.space_id).delete()


ENDS: tuple[Callable[[ApiKey], None], ...] = (_revoke, _deactivate, _leave)


def _try_ended_keys(actor: Actor) -> None:
    """An ended key, and what is shown or stored of a key, is answered like no key."""
    unknown = _answers_to(actor, "sk-meddie-unknown")
    row = ApiKey.objects.get(user=actor.world.users["anna"])
    for part in ("", row.prefix, row.hash, str(row.pk), actor.world.sessions["anna"]):
        _compare(actor, part, unknown)
    for end in ENDS:
        end(row)
        _compare(actor, actor.world.keys["anna home"], unknown)
        actor.rows.restore(actor.rows.changed())


def _answers_to(actor: Actor, key: str) -> list[tuple[object, ...]]:
    headers = {"Authorization": f"Bearer {key}", "Cookie": ""}
    asked = ((COMPLETIONS, QUESTION), (INGEST, DOCUMENT), (MEMORIES, FACT))
    return [comparable(post(actor, headers, body, path)) for path, body in asked]


def _compare(actor: Actor, key: str, unknown: list[tuple[object, ...]]) -> None:
    if (answers := _answers_to(actor, key)) != unknown:
        actor.report(key, f"tells of a key: {answers}")


def _send_hostile_values(actor: Actor) -> None:
    asking = replace(actor, name=STRANGER)
    bearer = {"Authorization": f"Bearer {actor.world.keys['proxy home']}", "Cookie": ""}
    short = [value[:LONGEST] for value in HOSTILE]
    values = [value.decode("latin1") for value in short]
    for name in (USER_ID, "X-OpenWebUI-User-Name", "X-OpenWebUI-User-Jwt"):
        for value in values:
            asking.ask("GET", MODELS, headers={USER_ID: "x"} | bearer | {name: value})
    for value in values:
        asking.ask("GET", MODELS, headers={"Authorization": value, "Cookie": ""})
        asking.ask("GET", MODELS, headers={"Authorization": f"Bearer {value}"})
        named = bearer | {USER_ID: "x", "X-OpenWebUI-Chat-Id": value}
        post(asking, named, QUESTION)
    texts = [value.decode(errors="replace") for value in short]
    bodies = [QUESTION | {key: text} for key in QUESTION for text in texts]
    bodies += [{"messages": [{"role": text, "content": text}]} for text in texts]
    sent = [(JSON, json.dumps(body).encode()) for body in bodies]
    for body in (*BODIES, *sent):
        asking.ask("POST", COMPLETIONS, body=body, headers=bearer | {USER_ID: "x"})
    whole = DOCUMENT | {"author": {"id": "x", "name": "x"}, "trace": {}}
    whole |= {"at": "2026-01-01T00:00:00Z", "source": "voice"}
    changes: list[dict[str, object]] = [{key: t} for key in whole for t in texts]
    changes += [{"author": {"id": text, "name": text}} for text in texts]
    changes += [{"trace": {text: text}} for text in texts]
    documents = [json.dumps(whole | change).encode() for change in changes]
    for body in (*BODIES, *((JSON, document) for document in documents)):
        asking.ask("POST", INGEST, body=body, headers=bearer)
    home = {str(asking.world.spaces["home"].pk)}
    settle(asking, "hostile values for the API", home)
