"""Celery tasks; each calls one function."""

from collections.abc import Sequence
from uuid import UUID

from celery import shared_task
from celery.signals import worker_shutting_down
from django.utils import timezone

from conversations import message_search, titles
from conversations.attachments import removal, texts
from conversations.attachments import worker as derivation_worker
from conversations.episodes import switching
from conversations.episodes import worker as summaries
from conversations.inbox import store, worker
from conversations.reply.stale_replies import clear_deleted, interrupt_stale
from meddie import dispatch
from meddie.threads import run_coroutine

SWEEP_TIMEOUT = 10.0  # seconds


@shared_task(name="conversations.title_conversation")
def title_conversation(conversation_id: str) -> None:
    titles.write_title(UUID(conversation_id))


@shared_task(name="conversations.embed_messages")
def embed_messages(ids: Sequence[str] | None = None) -> int:
    """Embed these messages, or all without a current vector."""
    if ids is None:
        return message_search.embed_messages()
    return message_search.embed_messages([UUID(value) for value in ids])


@shared_task(name="conversations.sweep_replies")
def sweep_replies() -> None:
    interrupt_stale()
    run_coroutine(clear_deleted(), SWEEP_TIMEOUT)


@worker_shutting_down.connect
def shut_down_chats(**_: object) -> None:
    # Celery waits for its tasks but does not tell them.
    worker.shut_down()


@shared_task(name="conversations.sweep_inbox")
def sweep_inbox() -> None:
    """Enqueue threads with due updates and without a worker."""
    for channel in worker.CHANNELS.values():
        for thread_id in store.waiting_threads(channel.inbox):
            dispatch.enqueue(channel.task, str(thread_id))


@shared_task(name="conversations.derive")
def derive(key: str) -> None:
    derivation_worker.run_derivation(UUID(key))


@shared_task(name="conversations.sweep_derivations")
def sweep_derivations() -> int:
    return derivation_worker.announce_due()


@shared_task(name="conversations.embed_files")
def embed_files() -> int:
    return texts.embed_attachments()


@shared_task(name="conversations.remove_files")
def remove_files() -> int:
    return removal.remove_files()


@shared_task(name="conversations.clean_up_files")
def clean_up_files() -> int:
    return removal.clean_up()


@shared_task(name="conversations.clean_up_inbox")
def clean_up_inbox() -> None:
    for name, channel in worker.CHANNELS.items():
        store.delete_old(name, channel.inbox)


@shared_task(name="conversations.close_idle_episodes")
def close_idle_episodes() -> int:
    return switching.close_idle(timezone.now())


@shared_task(name="conversations.run_summary_job")
def run_summary_job(key: str) -> None:
    summaries.run_summary_job(UUID(key))


@shared_task(name="conversations.sweep_summaries")
def sweep_summaries() -> int:
    return summaries.announce_summaries()


@shared_task(name="conversations.clean_up_summaries")
def clean_up_summaries() -> int:
    return summaries.delete_done_summaries()
