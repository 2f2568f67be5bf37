"""The admin of users, spaces, people, API keys and Telegram, without notes and secrets."""

from people.admin import api_keys, people, telegram

__all__ = ["api_keys", "people", "telegram"]
