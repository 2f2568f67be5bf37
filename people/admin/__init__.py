"""The admin of users, spaces, people and Telegram, without notes and tokens."""

from people.admin import people, telegram

__all__ = ["people", "telegram"]
