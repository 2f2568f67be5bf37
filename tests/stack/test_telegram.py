"""Telegram with real processes: a web process, a worker and polling."""

import httpx2
import pytest

from conversations.models import Conversation
from conversations.telegram.models import TelegramBot, TelegramUpdate
from memory.models import Memory
from tests.conversations.turns import noting
from tests.factories import MembershipFactory, TelegramBotFactory, TelegramLinkFactory
from tests.openai_answers import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bot(transactional_db, telegram):
    member = MembershipFactory()
    bot = TelegramBotFactory(space=member.space, token=TOKEN, api_url=telegram.url)
    TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)
    return bot


def bring(web, bot, update):
    """Post an update as Telegram does."""
    answer = httpx2.post(
        f"{web.url}/telegram/{bot.bot_id}",
        json=update,
        headers={"X-Telegram-Bot-Api-Secret-Token": bot.secret},
    )
    assert answer.status_code == 200


@pytest.mark.req("S0-46")
def test_conversation_through_webhook_and_worker(bot, telegram, openai_server):
    openai_server.chat.queue(noting("Noted.", memory_saves=["User likes tea"]))
    with WebProcess() as web, Program("chat"):
        bring(web, bot, telegram.message("I like tea.", sender=ANNA))
        stored = ["Noted.\n\nRemembered: Likes tea"]
        telegram.wait_until(lambda: telegram.texts(ANNA) == stored)
        openai_server.chat.default = lambda _body: says("Tea.")
        bring(web, bot, telegram.message("What do I like?", sender=ANNA))
        telegram.wait_until(lambda: telegram.texts(ANNA) == [*stored, "Tea."])
    assert Memory.objects.get().content == "User likes tea"
    assert Conversation.objects.get().messages.count() == 5


def test_polling_ends_at_once_on_sigterm(bot, telegram, tmp_path):
    """Also during a long poll of 25 seconds."""
    TelegramBot.objects.update(polled=True)
    telegram.feed(telegram.message("One", sender=ANNA))
    log = tmp_path / "polling.log"
    with Program("chat", log) as polling:
        telegram.wait_until(TelegramUpdate.objects.exists)
        polling.process.terminate()
        assert polling.process.wait(20) == 0
    assert "Traceback" not in log.read_text()
