"""Twenty chats, two hundred updates, and a worker that is killed many times."""

import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx2
from django.db.models import Count, F, Q

from conversations.models import TelegramUpdate
from conversations.models.thread import LEASE
from people.models import TelegramBot
from tests.openai_server import Answer
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.telegram_server import Call, TelegramServer

CHATS = 20
UPDATES = 200
FIRST_CHAT = 9000
THINKING = 0.3
"""Seconds until the provider's first token; it needs about a second for the rest."""
NUMBER = re.compile(r"number (\d+)")


def reply_to(body: dict[str, Any]) -> Answer:
    """A reply that names the message it answers: every fifth in two parts, every
    fourth with a fact to remember."""
    found = NUMBER.findall(body["messages"][-1]["content"])
    if not found:
        return Answer("A title")
    number = int(found[-1])
    text = f"Answer to number {number}."
    if number % 5 == 0:
        text += "\n\n" + f"And {number}, and so on. " * 300
    if number % 4 == 0:
        facts = {"memory_saves": [f"User has said the number {number} of them all"]}
        text += f"\n\n```json\n{json.dumps(facts)}\n```"
    pieces = (text[:8], text[8:16], text[16:])
    return Answer(text, pieces=pieces, latency=THINKING, pace=0.3)


def chat_of(number: int) -> int:
    return FIRST_CHAT + number % CHATS


@dataclass
class Storm:
    """Delivers messages and kills the worker."""

    bot: TelegramBot
    telegram: TelegramServer
    web: WebProcess
    worker: Program
    seed: int
    kills: list[float] = field(default_factory=list)
    next_number: int = 0

    def __post_init__(self) -> None:
        self.began = self.started = time.time()
        self.random = random.Random(self.seed)  # noqa: S311 -- to be repeatable

    def bring(self, count: int) -> None:
        """Deliver the next messages to the webhook, as Telegram does."""
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.bot.secret}
        for number in range(self.next_number, self.next_number + count):
            update = self.telegram.message(
                f"Hello, this is number {number}", sender=chat_of(number)
            )
            answer = httpx2.post(
                f"{self.web.url}/telegram/{self.bot.bot_id}",
                json=update,
                headers=headers,
                timeout=60,
            )
            assert answer.status_code == 200
        self.next_number += count

    def kill(self) -> None:
        """SIGKILL the worker and start another."""
        self.worker.kill()
        self.kills.append(time.time())
        self.worker.start()
        self.started = time.time()

    def kill_at_random(self) -> None:
        """In the first seconds after the worker has begun to work."""
        since = self.started
        self.wait_for(at_work(since).exists, "a worker at work")
        time.sleep(self.random.uniform(0, 1.5))
        self.kill()

    def kill_in(self, stage: str) -> None:
        """While a worker handles an update in that stage."""
        reached = at_work(self.started).filter(state="running", stage=stage)
        self.wait_for(reached.exists, f"an update in stage {stage}")
        self.kill()

    def kill_between_parts(self) -> None:
        """When one part of an answer has been sent and another has not."""
        sent = Count("parts", filter=Q(parts__sent_at__isnull=False))
        counted = at_work(self.started).annotate(planned=Count("parts"), sent=sent)
        halfway = counted.filter(sent__gt=0, sent__lt=F("planned"))
        self.wait_for(halfway.exists, "an answer sent in part")
        self.kill()

    def wait_for(
        self, what: Callable[[], bool], name: str, seconds: float = 240
    ) -> None:
        deadline = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < deadline, f"timed out: {name}"
            time.sleep(0.003)


def at_work(since: float) -> Any:
    """Unfinished updates of chats whose lease was taken or renewed after a moment, so
    not by a worker that was killed before."""
    moment = datetime.fromtimestamp(since, UTC)
    return TelegramUpdate.objects.unfinished().filter(
        thread__leased_until__gt=moment + LEASE
    )


def all_ended() -> bool:
    return not TelegramUpdate.objects.unfinished().exists()


def deliveries(telegram: TelegramServer) -> dict[int, list[Call]]:
    """What Telegram took, chat by chat, in order."""
    taken: dict[int, list[Call]] = defaultdict(list)
    for call in telegram.calls("sendMessage"):
        if call.done:
            taken[call.chat].append(call)
    return taken


def repeated(calls: list[Call]) -> Iterator[tuple[Call, Call]]:
    """Pairs of deliveries of the same text to the same chat."""
    seen: dict[str, Call] = {}
    for call in calls:
        words = call.params["text"]
        if words in seen:
            yield seen[words], call
        seen[words] = call
