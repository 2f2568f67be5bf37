"""What staff see of users, spaces, people and Telegram: never notes, never tokens."""

from people.admin import people, telegram

__all__ = ["people", "telegram"]
