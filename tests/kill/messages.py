"""What the twenty chats of a storm say, and what they are answered."""

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Queue
from typing import Any

import httpx2

from conversations.models import Message
from conversations.telegram.models import TelegramBot
from tests.openai_answers import Answer
from tests.telegram_server import Call, TelegramServer

CHATS = 20
MESSAGES = 200
FIRST_CHAT = 9000
ALL_CHATS = range(FIRST_CHAT, FIRST_CHAT + CHATS)
THINKING = 0.3
"""Seconds until the provider's first token; it needs about a second for the rest."""
NUMBER = re.compile(r"number (\d+)")
AGAIN = 0.5
"""Seconds until Telegram brings a message again that was not taken."""


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


def numbers_of(chat: int) -> list[int]:
    """The numbers of a chat's messages, in order."""
    return [number for number in range(MESSAGES) if chat_of(number) == chat]


def chat_of(number: int) -> int:
    return FIRST_CHAT + number % CHATS


class Messages:
    """Brings messages to the webhook as Telegram does: those of a chat in order, each
    again until it is taken; or has them fetched. A context manager."""

    def __init__(self, bot: TelegramBot, telegram: TelegramServer, url: str) -> None:
        self.telegram = telegram
        self.bot = bot
        self.url = f"{url}/telegram/{bot.bot_id}"
        self.headers = {"X-Telegram-Bot-Api-Secret-Token": bot.secret}
        self.next_number = 0
        self.taken = 0
        self.lock = threading.Lock()
        self.closing = False
        self.waiting: dict[int, Queue[dict[str, Any] | None]] = defaultdict(Queue)
        self.threads = ThreadPoolExecutor(CHATS)

    def __enter__(self) -> "Messages":
        for chat in ALL_CHATS:
            self.threads.submit(self._bring_chat, self.waiting[chat])
        return self

    def __exit__(self, *_: object) -> None:
        self.closing = True
        for waiting in self.waiting.values():
            waiting.put(None)
        self.threads.shutdown()

    def bring(self, count: int) -> None:
        """Hand over the next messages; returns at once."""
        for number in range(self.next_number, self.next_number + count):
            chat = chat_of(number)
            text = f"Hello, this is number {number}"
            update = self.telegram.message(text, sender=chat)
            if self.bot.polled:
                self.telegram.feed(update)
            else:
                self.waiting[chat].put(update)
        self.next_number += count

    def all_brought(self) -> bool:
        if self.bot.polled:
            return not self.telegram.bots[self.bot.token].waiting
        return self.taken == self.next_number

    def _bring_chat(self, waiting: "Queue[dict[str, Any] | None]") -> None:
        with httpx2.Client(headers=self.headers, timeout=20) as http:
            while update := waiting.get():
                while not (self.closing or self._is_taken(http, update)):
                    time.sleep(AGAIN)

    def _is_taken(self, http: httpx2.Client, update: dict[str, Any]) -> bool:
        with suppress(httpx2.TransportError):
            if http.post(self.url, json=update).status_code == 200:
                with self.lock:
                    self.taken += 1
                return True
        return False


def stored_in(chat: int) -> list[int]:
    """The numbers of a chat's messages, as they are stored."""
    messages = Message.objects.filter(
        role="user", thread__channel="telegram", thread__external_id=str(chat)
    )
    found = messages.in_order().values_list("content", flat=True)
    return [int(NUMBER.findall(text)[-1]) for text in found]


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
