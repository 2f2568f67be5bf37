"""Two hundred messages in twenty chats while parts of Meddie are killed."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.models import Count, F, Q

from conversations.models.conversation import THREAD_LEASE
from conversations.telegram.models import TelegramUpdate
from meddie.outages import replace_connections
from tests.kill.messages import MESSAGES, Messages
from tests.servers import Server
from tests.stack.processes import Program

Victim = Server | Program
CHAT = "chat"
PATIENCE = 240
"""Seconds; a chat waits for 20 after a kill, and then for a sweep."""
AWAY = 2.0
"""Seconds at most that a server is away; programs start again at once."""
LOOK_EVERY = 0.1
QUICKLY = 0.003
"""Seconds between two looks for something that does not last."""
RECORDING = 3.0
"""Seconds at most between Telegram's taking a message and our record of it."""
RETURNING = 5.0
"""The same between PostgreSQL's return and our record."""


@dataclass(frozen=True)
class Death:
    """When a victim was killed, and when it ran again; a program may still load."""

    name: str
    at: float
    until: float


@dataclass(frozen=True)
class Plan:
    """How often each victim is killed at random.

    With `in_stages`, also the chat worker at four moments of its work. With `polled`,
    messages are fetched instead of brought to the webhook.
    """

    seed: int
    kills: Mapping[str, int]
    in_stages: bool = False
    polled: bool = False


@dataclass
class Storm:
    """Brings messages, kills victims, and starts what has ended, as compose does."""

    messages: Messages
    victims: Mapping[str, Victim]
    chance: random.Random = field(default_factory=random.Random)
    began: float = field(default_factory=time.time)
    kills: list[Death] = field(default_factory=list)
    ends: list[Death] = field(default_factory=list)
    """Of programs that ended by themselves."""

    def rage(self, plan: Plan) -> None:
        """Some messages before each kill; then wait until all are done."""
        self.chance.seed(plan.seed)
        kills = self._in_stages() if plan.in_stages else []
        for name, count in plan.kills.items():
            kills += [partial(self.kill_at_random, self.victims[name])] * count
        self.chance.shuffle(kills)
        for kill in kills:
            self.messages.bring(MESSAGES // len(kills))
            kill()
        self.wait_for(self.messages.all_brought, "all messages to be taken")
        self.wait_for(all_ended, "the end of all updates")

    def _in_stages(self) -> list[Callable[[], None]]:
        stages = [
            partial(self.kill_in, stage) for stage in ("received", "turn", "reply")
        ]
        return [*stages, self.kill_between_parts]

    def kill(self, victim: Victim) -> None:
        """SIGKILL it, and start it again."""
        at = time.time()
        victim.kill()
        if isinstance(victim, Server):
            self.pause(AWAY)
        victim.start()
        self.kills.append(Death(victim.name, at, time.time()))

    def kill_at_random(self, victim: Victim) -> None:
        self.pause(4)
        self.kill(victim)

    def kill_in(self, stage: str) -> None:
        """While the chat worker handles an update in that stage."""
        reached = self._at_work().filter(state="running", stage=stage)
        self.wait_for(reached.exists, f"an update in stage {stage}", QUICKLY)
        self.kill(self.victims[CHAT])

    def kill_between_parts(self) -> None:
        """When one part of an answer has been sent and another has not."""
        sent = Count("parts", filter=Q(parts__sent_at__isnull=False))
        counted = self._at_work().annotate(planned=Count("parts"), sent=sent)
        halfway = counted.filter(sent__gt=0, sent__lt=F("planned"))
        self.wait_for(halfway.exists, "an answer sent in part", QUICKLY)
        self.kill(self.victims[CHAT])

    def _at_work(self) -> Any:
        """Unfinished updates of chats whose lease was taken or renewed after the last
        kill of the worker, so not by a worker that was killed before."""
        starts = [kill.until for kill in self.kills if kill.name == CHAT]
        since = datetime.fromtimestamp(max([self.began, *starts]), UTC)
        return TelegramUpdate.objects.unfinished().filter(
            thread__leased_until__gt=since + THREAD_LEASE
        )

    def pause(self, seconds: float) -> None:
        """For a random time up to that."""
        end = time.monotonic() + self.chance.uniform(0, seconds)
        while time.monotonic() < end:
            self._start_ended()
            time.sleep(LOOK_EVERY)

    def wait_for(
        self, what: Callable[[], bool], name: str, every: float = LOOK_EVERY
    ) -> None:
        """`what` may read from the database, also while it is away."""
        deadline = time.monotonic() + PATIENCE
        while not _true_now(what):
            assert time.monotonic() < deadline, f"timed out: {name}"
            self._start_ended()
            time.sleep(every)

    def _start_ended(self) -> None:
        for program in self.victims.values():
            if isinstance(program, Program) and program.process.poll() is not None:
                self.ends.append(Death(program.name, time.time(), time.time()))
                program.start()

    def explains(self, taken_at: float) -> bool:
        """Whether the worker ended before it could store Telegram's receipt."""
        until = taken_at + RECORDING
        for kill in self.kills:
            if kill.name == "postgres" and kill.at <= until and kill.until >= taken_at:
                until = max(until, kill.until + RETURNING)
        worker = [death for death in self.kills + self.ends if death.name == CHAT]
        return any(d.until >= taken_at and d.at <= until for d in worker)


def _true_now(what: Callable[[], bool]) -> bool:
    try:
        return what()
    except (OperationalError, InterfaceError):
        replace_connections()
        return False


def all_ended() -> bool:
    unfinished = TelegramUpdate.objects.unfinished().exists()
    return not unfinished and TelegramUpdate.objects.count() == MESSAGES
