"""The admin of conversations and files."""

from conversations.desk.admin import conversations, files

__all__ = ["conversations", "files"]
