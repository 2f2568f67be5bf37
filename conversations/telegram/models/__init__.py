"""Bots, linked accounts, and the inbox of a bot."""

from conversations.telegram.models.link import (
    TelegramBot,
    TelegramLink,
    TelegramLinkCode,
)
from conversations.telegram.models.notice import TelegramNotice
from conversations.telegram.models.update import TelegramPart, TelegramUpdate

__all__ = [
    "TelegramBot",
    "TelegramLink",
    "TelegramLinkCode",
    "TelegramNotice",
    "TelegramPart",
    "TelegramUpdate",
]
