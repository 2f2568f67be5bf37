"""How fast the Telegram channel takes messages in, and how fast it works them off.

    python -m benchmarks.telegram [--seconds 20] [--chats 40] [--updates 800]

Real processes: a web process, two workers, beat; a local Bot API and a local provider
whose first token comes after 300 ms. First the webhook alone, under 50 requests a
second; then a heap of waiting updates, worked off by the two workers.
"""

import argparse
import asyncio
import time

import httpx2

from benchmarks.stage import stage
from tests.openai_server import OpenAIServer, says
from tests.telegram_server import TOKEN, TelegramServer

RATE = 50
"""Requests a second."""
THINKING = 0.3
FIRST_CHAT = 9000
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--chats", type=int, default=40)
    parser.add_argument("--updates", type=int, default=800)
    options = parser.parse_args()
    with OpenAIServer(latency=THINKING) as server, stage(server):
        server.chat.default = lambda _body: says("A short answer.")
        with TelegramServer() as telegram:
            bot = prepare(telegram, options.chats)
            taken = asyncio.run(webhook(bot, telegram, options))
            report_webhook(taken)
            report_work(work(bot, telegram, options), options)


def prepare(telegram: TelegramServer, chats: int):
    """A bot whom so many members write to."""
    from django.core.management import call_command  # noqa: PLC0415 -- after setup

    from tests import factories  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    bot = factories.TelegramBotFactory(token=TOKEN, api_url=telegram.url)
    for number in range(chats):
        user = factories.MembershipFactory(space=bot.space).user
        factories.TelegramLinkFactory(
            space=bot.space, user=user, telegram_id=FIRST_CHAT + number
        )
    return bot


async def webhook(bot, telegram: TelegramServer, options) -> list[float]:
    """Seconds that each request took, sent at a steady rate whatever the answers."""
    from tests.stack.web import WebProcess  # noqa: PLC0415 -- after setup

    web = await asyncio.to_thread(WebProcess().__enter__)
    try:
        async with httpx2.AsyncClient(
            base_url=web.url, headers={HEADER: bot.secret}, timeout=30
        ) as client:

            async def bring(number: int) -> float:
                chat = FIRST_CHAT + number % options.chats
                update = telegram.message(f"Message {number}", sender=chat)
                began = time.perf_counter()
                answer = await client.post(f"/telegram/{bot.bot_id}", json=update)
                answer.raise_for_status()
                return time.perf_counter() - began

            for number in range(20):
                await bring(number)
            tasks = []
            for number in range(RATE * options.seconds):
                tasks.append(asyncio.create_task(bring(number)))
                await asyncio.sleep(1 / RATE)
            return await asyncio.gather(*tasks)
    finally:
        await asyncio.to_thread(web.__exit__)


def work(bot, telegram: TelegramServer, options) -> tuple[int, float]:
    """How many updates two workers worked off, and in how many seconds."""
    from conversations.models import TelegramUpdate  # noqa: PLC0415 -- after setup
    from conversations.telegram import inbox  # noqa: PLC0415
    from tests.stack.processes import Program  # noqa: PLC0415

    TelegramUpdate.objects.all().delete()
    with Program("worker"), Program("worker"), Program("beat"):
        time.sleep(8)  # they start, and read the local model
        for number in range(options.updates):
            chat = FIRST_CHAT + number % options.chats
            inbox.receive(bot, telegram.message(f"Message {number}", sender=chat))
        began = time.perf_counter()
        ring()
        unfinished = TelegramUpdate.objects.unfinished()
        while unfinished.exists():
            time.sleep(0.05)
        return options.updates, time.perf_counter() - began


def ring() -> None:
    from conversations.telegram import inbox  # noqa: PLC0415 -- after setup
    from meddie import bells  # noqa: PLC0415

    for thread_id in inbox.waiting():
        bells.ring("conversations.drain_chat", str(thread_id))


def report_webhook(taken: list[float]) -> None:
    taken = sorted(1000 * seconds for seconds in taken)
    p50, p95 = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    print(  # noqa: T201
        f"webhook, {len(taken)} requests at {RATE} a second, ms:"
        f" p50 {p50:.1f}, p95 {p95:.1f}, most {taken[-1]:.1f}"
    )


def report_work(done: tuple[int, float], options) -> None:
    updates, seconds = done
    print(  # noqa: T201
        f"{updates} updates in {options.chats} chats through two workers:"
        f" {seconds:.1f} s, {updates / seconds:.1f} a second"
    )


if __name__ == "__main__":
    main()
