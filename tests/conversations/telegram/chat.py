"""One private chat with a space's bot: its webhook, its worker's work, its answers."""

import json
from typing import Any

from asgiref.sync import async_to_sync
from django.test import Client

from conversations.models import TelegramUpdate, Thread
from conversations.telegram.worker import drain
from people.models import TelegramBot
from tests.telegram_server import TelegramServer
from tests.telegram_updates import ANNA, Update


class Chat:
    """Speaks for one Telegram id."""

    def __init__(
        self, telegram: TelegramServer, bot: TelegramBot, sender: int = ANNA
    ) -> None:
        self.telegram, self.bot, self.sender = telegram, bot, sender

    def say(self, text: str, **how: Any) -> list[str]:
        """Send a message, have it worked off, and return what came back."""
        return self.bring(self.telegram.message(text, sender=self.sender, **how))

    def bring(self, *updates: Update) -> list[str]:
        """Have updates delivered and worked off; what came back to this chat."""
        before = len(self.answers())
        for update in updates:
            assert post(self.bot, update).status_code == 200
        self.work()
        return self.answers()[before:]

    def work(self) -> None:
        """What a worker does when the bell rings."""
        for thread in Thread.objects.filter(channel="telegram"):
            async_to_sync(drain)(thread.pk)

    def answers(self) -> list[str]:
        sent = self.telegram.calls("sendMessage", self.sender)
        return [call.params["text"] for call in sent if call.done]

    def states(self) -> list[str]:
        """Of all updates, in their order."""
        return list(TelegramUpdate.objects.in_order().values_list("state", flat=True))


def post(bot: TelegramBot, payload: object, secret: str | None = None) -> Any:
    """The webhook's answer to Telegram."""
    return Client().post(
        f"/telegram/{bot.bot_id}",
        payload if isinstance(payload, bytes | str) else json.dumps(payload),
        content_type="application/json",
        headers={"X-Telegram-Bot-Api-Secret-Token": secret or bot.secret},
    )
