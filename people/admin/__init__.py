"""The admin of users, spaces, people and API keys, without notes and secrets."""

from people.admin import api_keys, people

__all__ = ["api_keys", "people"]
