"""How many recalls a second for users who all ask at once, beside others who do the same.

Threads of one process, each of a user of its own, ask without a pause; every question is
embedded by the same model, which keeps none. Each way has its turns of some seconds.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connections

from benchmarks import rows
from benchmarks.recall import COMPARED, LIMIT, OTHER_USERS, OTHERS, Rivals, fill
from benchmarks.scene import Scene
from benchmarks.sentences import questions
from benchmarks.stores.bare import MODEL
from benchmarks.stores.chroma import Chroma
from benchmarks.stores.mem0 import Mem0
from benchmarks.stores.store import Store
from memory.recall.recall import prepare_query, recall
from people.scope import Scope

OWN = 1_000
"""Rows of each user who asks."""
USERS = (1, 2, 4, 8, 16)
TURNS = 2
SECONDS = 2.0
"""Of one turn."""
ASKED = questions(200)
Ask = Callable[[Scope, str], object]


def run(scene: Scene) -> dict[str, Any]:
    """Recalls a second by how many ask, for each way."""
    rivals: Rivals = {"mem0": Mem0(scene.folder), "chroma": Chroma(scene.folder)}
    base = rows.base()
    asking = rows.scopes(max(USERS))
    fill(rows.scopes(OTHER_USERS), OTHERS, base, rivals)
    fill(asking, OWN * len(asking), base, rivals)
    ways: dict[str, Ask] = {name: partial(_meddie, name) for name in COMPARED}
    ways |= {name: partial(_rival, store) for name, store in rivals.items()}
    done = {str(users): _in_turns(ways, asking[:users]) for users in USERS}
    return {"others": OTHERS, "own": OWN, "a second": done}


def _meddie(ranking: str, scope: Scope, text: str) -> None:
    recall(scope, prepare_query(text, embedder=MODEL), ranking=ranking)


def _rival(store: Store, scope: Scope, text: str) -> None:
    store.search(str(scope.user_id), text, LIMIT)


def _in_turns(ways: dict[str, Ask], asking: list[Scope]) -> dict[str, float]:
    for ask in ways.values():
        ask(asking[0], ASKED[0])
    done = dict.fromkeys(ways, 0)
    for _ in range(TURNS):
        for name, ask in ways.items():
            done[name] += _together(ask, asking)
    return {name: round(many / (TURNS * SECONDS), 1) for name, many in done.items()}


def _together(ask: Ask, asking: list[Scope]) -> int:
    """How often they were answered within a turn. Raises what any of them met."""
    answered: list[int] = []
    ends = time.monotonic() + SECONDS
    threads = [
        threading.Thread(target=_talk, args=(ask, scope, ends, answered))
        for scope in asking
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(answered) != len(asking):
        raise RuntimeError("a request got no answer")
    return sum(answered)


def _talk(ask: Ask, scope: Scope, ends: float, answered: list[int]) -> None:
    many = 0
    try:
        while time.monotonic() < ends:
            ask(scope, ASKED[many % len(ASKED)])
            many += 1
    finally:
        connections.close_all()
    answered.append(many)
