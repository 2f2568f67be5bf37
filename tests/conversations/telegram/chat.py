"""One private chat with a space's bot: deliver updates, run a worker, read answers."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from conversations.models import Thread
from conversations.telegram.models import TelegramBot, TelegramUpdate
from conversations.telegram.process import INBOX
from tests.telegram_server import TelegramServer
from tests.telegram_updates import ANNA, Update

STRANGER = 4242  # a Telegram ID that no user has
ZINC = {"field": "supplements", "action": "append", "text": "Zinc <30 mg>"}


class Chat:
    """The private chat of one Telegram id."""

    def __init__(
        self, telegram: TelegramServer, bot: TelegramBot, sender: int = ANNA
    ) -> None:
        self.telegram, self.bot, self.sender = telegram, bot, sender

    def say(self, text: str, **how: Any) -> list[str]:
        """Send a message, run a worker, and return the answers."""
        return self.bring(self.telegram.message(text, sender=self.sender, **how))

    def bring(self, *updates: Update) -> list[str]:
        """Deliver updates and run a worker; the answers in this chat."""
        before = len(self.answers())
        for update in updates:
            assert post(self.bot, update).status_code == 200
        self.work()
        return self.answers()[before:]

    def work(self) -> None:
        """Do what a worker does for each chat."""
        for thread in Thread.objects.filter(channel="telegram"):
            INBOX.run(thread.pk)

    def answers(self) -> list[str]:
        sent = self.telegram.calls("sendMessage", self.sender)
        return [call.params["text"] for call in sent if call.done]

    def states(self) -> list[str]:
        """Of all updates, in order."""
        return list(TelegramUpdate.objects.in_order().values_list("state", flat=True))

    def make_due(self) -> None:
        """End the pause of updates that wait for another attempt."""
        waiting = TelegramUpdate.objects.filter(state="waiting")
        waiting.update(available_at=timezone.now())


def post(bot: TelegramBot, payload: object, secret: str | None = None) -> Any:
    """The webhook's answer to Telegram."""
    return Client().post(
        f"/telegram/{bot.bot_id}",
        payload if isinstance(payload, bytes | str) else json.dumps(payload),
        content_type="application/json",
        headers={"X-Telegram-Bot-Api-Secret-Token": secret or bot.secret},
    )


def lease_chat():
    """The chat's thread and a new lease of it."""
    thread = Thread.objects.get(channel="telegram")
    lease = uuid4()
    assert Thread.objects.filter(pk=thread.pk).lease_to(lease)
    return thread, lease


def end_leases():
    """What the database looks like when workers were killed long ago."""
    past = timezone.now() - timedelta(seconds=1)
    Thread.objects.update(leased_until=past)
    TelegramUpdate.objects.filter(state="running").update(leased_until=past)
