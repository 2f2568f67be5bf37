"""Bells for the worker: each fetches by key and calls one function."""

from uuid import UUID

from celery import shared_task

from conversations import titles
from conversations.reply.interruption import interrupt_stale


@shared_task(name="conversations.title_conversation")
def title_conversation(conversation_id: str) -> None:
    """Give a conversation its title."""
    titles.write_title(UUID(conversation_id))


@shared_task(name="conversations.sweep_replies")
def sweep_replies() -> None:
    """Interrupt replies that no process writes any more."""
    interrupt_stale()
