"""Celery tasks; each calls one function."""

from uuid import UUID

from celery import shared_task
from celery.signals import worker_shutting_down
from django.utils import timezone

from conversations import titles
from conversations.attachments import removal
from conversations.episodes import switching
from conversations.inbox import store, worker
from conversations.reply.event_log import clear_deleted
from conversations.reply.turn import interrupt_stale
from meddie.jobs.registry import DAILY
from meddie.threads import run_coroutine

SWEEP_TIMEOUT = 10.0  # seconds
DAILY += [removal.clean_up_files, store.delete_empty_threads]


@shared_task(name="conversations.title_conversation")
def title_conversation(conversation_id: str) -> None:
    titles.write_title(UUID(conversation_id))


@shared_task(name="conversations.sweep_replies")
def sweep_replies() -> None:
    interrupt_stale()
    run_coroutine(clear_deleted(), SWEEP_TIMEOUT)


@worker_shutting_down.connect
def shut_down_chats(**_: object) -> None:
    # Celery waits for its tasks but does not tell them.
    worker.shut_down()


@shared_task(name="conversations.remove_files")
def remove_files() -> int:
    return removal.remove_files()


@shared_task(name="conversations.close_idle_episodes")
def close_idle_episodes() -> int:
    return switching.close_idle(timezone.now())
