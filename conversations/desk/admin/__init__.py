"""The admin of conversations, episodes, summaries and files."""

from conversations.desk.admin import conversations, episodes, files, summaries

__all__ = ["conversations", "episodes", "files", "summaries"]
