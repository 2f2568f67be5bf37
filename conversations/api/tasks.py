"""Celery tasks; each calls one function."""

from uuid import UUID

from celery import shared_task

from conversations.api.ingest.process import INGEST
from conversations.inbox import worker
from meddie.threads import run_coroutine


@shared_task(name="conversations.work_on_ingested")
def work_on_ingested(thread_id: str) -> None:
    run_coroutine(worker.work_on(UUID(thread_id), INGEST), worker.TASK_TIMEOUT)
