"""Attacks on /mcp: methods, hosts, origins, headers, bodies, and things to listen to."""

from collections.abc import Mapping
from itertools import product

from tests.fuzz.actors import Actor
from tests.fuzz.endpoint import JSON, post
from tests.fuzz.values import BODIES, HOSTILE

PATH = "/mcp"
METHODS = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE")
FOREIGN = ("evil.example", "https://evil.example", "null", "127.0.0.1.evil.example")
TEXTS = [value[:200].decode("latin1") for value in HOSTILE]
CALLED = ("subscriptions/listen", "resources/subscribe", "x", "", None, 5)
PARAMS: tuple[object, ...] = (
    *(None, [], {}, "x"),
    {"notifications": {"toolsListChanged": True}},
)


def send_hostile_calls(asking: Actor, named: Mapping[str, str]) -> None:
    headers = {**named, "Accept": f"{JSON}, text/event-stream"}
    _from_elsewhere(asking, headers)
    for text in TEXTS:
        for name in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "origin"):
            post(asking, headers | {name: text}, {"method": text, "id": text}, PATH)
    for body in BODIES:
        asking.ask("POST", PATH, body=body, headers=headers)
    for method, params in product(CALLED, PARAMS):
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        post(asking, headers, call, PATH)


def _from_elsewhere(asking: Actor, headers: Mapping[str, str]) -> None:
    for method, path in product(METHODS, (PATH, f"{PATH}/")):
        answer = asking.ask(method, path, headers=headers)
        if answer.status != 405:
            asking.report(f"{method} {path}", f"gets {answer.status}")
    for name, status in (("host", 400), ("origin", 403)):
        for text in FOREIGN:
            answer = post(asking, {**headers, name: text}, {}, PATH)
            if answer.status != status:
                asking.report(f"{name}: {text}", f"gets {answer.status}")
