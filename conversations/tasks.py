"""Bells for the worker: each fetches by key and calls one function."""

from collections.abc import Sequence
from uuid import UUID

from celery import shared_task
from celery.signals import worker_shutting_down

from conversations import message_search, titles
from conversations.reply.stale_replies import interrupt_stale
from conversations.telegram import inbox, worker
from meddie import dispatch
from meddie.threads import run_coroutine


@shared_task(name="conversations.title_conversation")
def title_conversation(conversation_id: str) -> None:
    """Give a conversation its title."""
    titles.write_title(UUID(conversation_id))


@shared_task(name="conversations.embed_messages")
def embed_messages(ids: Sequence[str] | None = None) -> int:
    """Embed what was said in a turn, or all that waits for it."""
    if ids is None:
        return message_search.embed()
    return message_search.embed([UUID(value) for value in ids])


@shared_task(name="conversations.sweep_replies")
def sweep_replies() -> None:
    """Interrupt replies that no process writes any more."""
    interrupt_stale()


@shared_task(name="conversations.drain_chat")
def drain_chat(thread_id: str) -> None:
    """Work off what waits in one Telegram chat.

    Threads know no time limit of Celery's, so the drain has one of its own.
    """
    run_coroutine(worker.drain(UUID(thread_id)), worker.LONGEST)


@worker_shutting_down.connect
def end_drains(**_: object) -> None:
    """Celery waits for its tasks and tells them nothing."""
    worker.end()


@shared_task(name="conversations.sweep_inbox")
def sweep_inbox() -> None:
    """Ring for the chats whose bell was not heard."""
    for thread_id in inbox.waiting():
        dispatch.enqueue("conversations.drain_chat", str(thread_id))


@shared_task(name="conversations.clean_up_inbox")
def clean_up_inbox() -> None:
    """Drop updates that ended long ago."""
    inbox.forget_old()
