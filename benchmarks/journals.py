"""Whether journals and snapshots slow the turns of a space with 50 messages a second.

Two spaces get the same messages, and turns in both are timed in the same rounds: one
keeps a journal of all messages, the other none. A thread does the work of the worker.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections

from benchmarks.scene import Scene
from benchmarks.sentences import facts
from benchmarks.timing import Way, interleaved, ratio, spread
from conversations.models import Message
from conversations.new_conversation import Start
from conversations.reply.turn import begin
from memory.facts.imports import import_facts
from memory.models import JournalLine, MemoryPolicy
from memory.operators.snapshots import refresh_snapshots, write_changes
from memory.values import Candidate, ImportedFact
from people.models import Membership, Space, User
from people.scope import scope_for

A_SECOND = 50
"""Messages in all, half of them in each space."""
FACTS, MEMBERS = 200, 10
ROUNDS = 1_500
JOURNALS, REFRESH = 5.0, 10.0
"""Seconds between the tasks; snapshots every 5 minutes, but here there are fewer."""
SAID = facts(1_000)


def run(_scene: Scene) -> dict[str, Any]:
    """Milliseconds until a turn has begun, and of the tasks."""
    spaces = {name: _space(name) for name in ("all", "never")}
    ends = threading.Event()
    tasks: dict[str, list[float]] = {"journals": [], "snapshots": []}
    threads = [
        _every(1 / A_SECOND, ends, _Talker(list(spaces.values()))),
        _every(JOURNALS, ends, _timed(tasks["journals"], write_changes)),
        _every(REFRESH, ends, _timed(tasks["snapshots"], refresh_snapshots)),
    ]
    ways: dict[str, Way] = {
        name: _asked(members[0]) for name, members in spaces.items()
    }
    began = time.perf_counter()
    before = Message.objects.count()
    taken = interleaved(ways, ROUNDS)
    seconds = time.perf_counter() - began
    stored = (Message.objects.count() - before) / 2
    ends.set()
    for thread in threads:
        thread.join()
    refresh_snapshots()
    return {
        "messages a second": round(stored / seconds, 1),
        "turn": {name: spread(times) for name, times in taken.items()},
        "with to without": ratio(taken["all"], taken["never"]),
        "task": {name: spread(times) for name, times in tasks.items()},
        "lines": JournalLine.objects.count(),
        "bytes": sum(
            path.stat().st_size for path in Path(settings.JOURNALS_FOLDER).rglob("*.md")
        ),
    }


def _space(journal: str) -> list[Membership]:
    """Members with facts."""
    space = Space.objects.create(name=journal)
    MemoryPolicy.objects.create(space=space, journal=journal)
    members = []
    for number in range(MEMBERS):
        user = User.objects.create_user(f"{journal}{number}@benchmark.invalid")
        members.append(Membership.objects.create(user=user, space=space))
        scope = scope_for(user, space.pk, channel="web")
        texts = facts(FACTS // MEMBERS, seed=number)
        known = [ImportedFact(Candidate(text), user.date_joined) for text in texts]
        list(import_facts(scope, known))
    return members


def _asked(member: Membership) -> Way:
    """A turn of this number. Its reply is ended at once."""

    def ask(number: int) -> None:
        begin(member.user, member.space_id, SAID[number % len(SAID)], start=Start())

    return ask


class _Talker:
    """One more message, of each space in turn."""

    def __init__(self, spaces: list[list[Membership]]) -> None:
        self.ways = [_asked(member) for space in spaces for member in space[1:]]
        self.number = 0

    def __call__(self) -> None:
        self.ways[self.number % len(self.ways)](self.number)
        self.number += 1


def _timed(taken: list[float], work: Callable[[], object]) -> Callable[[], None]:
    def timed() -> None:
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))

    return timed


def _every(
    seconds: float, ends: threading.Event, work: Callable[[], object]
) -> threading.Thread:
    def repeat() -> None:
        due = time.monotonic()
        try:
            while not ends.wait(max(due - time.monotonic(), 0)):
                work()
                due += seconds
        finally:
            connections.close_all()

    thread = threading.Thread(target=repeat)
    thread.start()
    return thread
