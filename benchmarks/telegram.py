"""How fast the Telegram channel takes messages in, and how fast it works them off.

Real processes: a web process, three workers; a local Bot API and a local provider
whose first token comes after 300 ms. First the webhook alone, at 50 requests a second;
then a heap of waiting updates, worked off by the two workers.
"""

import asyncio
import time
from typing import Any

import httpx2

from benchmarks.scene import Scene
from benchmarks.timing import spread
from conversations.telegram.models import TelegramBot, TelegramUpdate
from conversations.telegram.process import INBOX
from conversations.telegram.updates import receive
from tests import factories
from tests.openai_answers import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.telegram_server import TOKEN, TelegramServer

RATE = 50
"""Requests a second."""
SECONDS = 15
CHATS = 40
UPDATES = 600
THINKING = 0.3
STARTING = 8.0
"""Seconds in which workers start and read the local model."""
FIRST_CHAT = 9000
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def run(scene: Scene) -> dict[str, Any]:
    """The webhook's milliseconds, and updates worked off a second."""
    scene.server.latency = THINKING
    scene.server.chat.default = lambda _body: says("A short answer.")
    with TelegramServer() as telegram:
        bot = prepare(telegram)
        with WebProcess() as web:
            taken = asyncio.run(webhook(web, bot, telegram))
        return {
            "rate": RATE,
            "requests": len(taken),
            "webhook": spread([1000 * seconds for seconds in taken]),
            "updates": UPDATES,
            "chats": CHATS,
            "thinking": 1000 * THINKING,
            "updates a second": round(UPDATES / work(bot, telegram), 1),
        }


def prepare(telegram: TelegramServer) -> TelegramBot:
    """A bot with one linked member for each chat."""
    bot = factories.TelegramBotFactory(token=TOKEN, api_url=telegram.url)
    for number in range(CHATS):
        user = factories.MembershipFactory(space=bot.space).user
        factories.TelegramLinkFactory(
            space=bot.space, user=user, telegram_id=FIRST_CHAT + number
        )
    return bot


async def webhook(
    web: WebProcess, bot: TelegramBot, telegram: TelegramServer
) -> list[float]:
    """Seconds that each request took, sent at a steady rate."""
    headers = {HEADER: bot.secret}
    async with httpx2.AsyncClient(
        base_url=web.url, headers=headers, timeout=30
    ) as client:

        async def bring(number: int) -> float:
            chat = FIRST_CHAT + number % CHATS
            update = telegram.message(f"Message {number}", sender=chat)
            began = time.perf_counter()
            answer = await client.post(f"/telegram/{bot.bot_id}", json=update)
            answer.raise_for_status()
            return time.perf_counter() - began

        for number in range(20):
            await bring(number)
        tasks = []
        for number in range(RATE * SECONDS):
            tasks.append(asyncio.create_task(bring(number)))
            await asyncio.sleep(1 / RATE)
        return await asyncio.gather(*tasks)


def work(bot: TelegramBot, telegram: TelegramServer) -> float:
    """In how many seconds two workers work the updates off."""
    TelegramUpdate.objects.all().delete()
    with Program("chat"), Program("chat"), Program("worker"):
        time.sleep(STARTING)
        for number in range(UPDATES):
            chat = FIRST_CHAT + number % CHATS
            receive(bot, telegram.message(f"Message {number}", sender=chat))
        began = time.perf_counter()
        INBOX.ring(INBOX.due_keys())
        unfinished = TelegramUpdate.objects.unfinished()
        while unfinished.exists():
            time.sleep(0.05)
        return time.perf_counter() - began
