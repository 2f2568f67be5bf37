"""Celery tasks; each calls one function."""

from uuid import UUID

from celery import shared_task
from celery.signals import worker_shutting_down
from django.utils import timezone

from conversations import inbox, titles
from conversations.attachments import derivations, file_removal
from conversations.episodes import summaries, switching
from conversations.event_log import clear_deleted
from conversations.models import Receipt, SheetLink
from conversations.reply.idle_threads import interrupt_stale
from meddie.ai.errors import NoCallsLeft
from meddie.jobs.registry import DAILY
from meddie.threads import run_coroutine
from memory import service
from memory.models import MemoryPolicy


def archive_expired_facts() -> None:
    """In the spaces whose policy sets a time to live."""
    now = timezone.now()
    for policy in MemoryPolicy.objects.filter(time_to_live_days__isnull=False):
        service.archive_expired(policy, Receipt.objects.count_uses, now, dry_run=False)


DAILY += [
    archive_expired_facts,
    file_removal.clean_up_files,
    inbox.delete_empty_threads,
    derivations.read_unread_files,
    SheetLink.clean_up,
]


@shared_task(name="conversations.title_conversation")
def title_conversation(conversation_id: str) -> None:
    try:
        titles.write_title(UUID(conversation_id))
    except NoCallsLeft:
        summaries.put_title_job(UUID(conversation_id))


@shared_task(name="conversations.sweep_replies")
def sweep_replies() -> None:
    interrupt_stale()
    run_coroutine(clear_deleted(), 10.0)


@worker_shutting_down.connect
def shut_down_chats(**_: object) -> None:
    # Celery waits for its tasks but does not tell them.
    inbox.shut_down()


@shared_task(name="conversations.remove_files")
def remove_files() -> int:
    return file_removal.remove_files()


@shared_task(name="conversations.close_idle_episodes")
def close_idle_episodes() -> int:
    return switching.close_idle(timezone.now())
