"""The channel of the bots."""

from conversations.channels import Channel
from conversations.telegram.models import TelegramUpdate

TELEGRAM = Channel("telegram", "Telegram", inbox=TelegramUpdate, captures=True)
