"""Celery tasks; each calls one function."""

from uuid import UUID

from celery import shared_task

from conversations.inbox import worker
from conversations.telegram import links
from conversations.telegram.early_notes import send_early_notes
from conversations.telegram.process import TELEGRAM
from meddie.threads import run_coroutine


@shared_task(name="conversations.work_on_chat")
def work_on_chat(thread_id: str) -> None:
    run_coroutine(send_early_notes(UUID(thread_id)), worker.WORK_LIMIT)
    # Celery's time limits do not work in a pool of threads.
    run_coroutine(worker.work_on(UUID(thread_id), TELEGRAM), worker.TASK_TIMEOUT)


@shared_task(name="telegram.clean_up")
def clean_up() -> None:
    links.delete_expired_codes()
