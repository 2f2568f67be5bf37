"""The channel of the bots."""

from conversations.channels import Channel
from conversations.telegram.models import TelegramUpdate
from conversations.telegram.notices import put_notice

TELEGRAM = Channel(
    "telegram", "Telegram", inbox=TelegramUpdate, captures=True, notify=put_notice
)
