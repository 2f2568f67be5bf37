"""Celery tasks of memory."""

from collections.abc import Sequence

from celery import shared_task
from celery.signals import worker_ready
from django.apps import apps
from django.core.management import call_command

from meddie import dispatch
from meddie.ai import embeddings
from meddie.jobs.registry import DAILY
from memory import reembedding
from memory.facts import archiving, older
from memory.facts.message_edits import delete_withdrawn
from memory.facts.retraction import blank_old_texts
from memory.operators import snapshots
from memory.recall import large_scopes
from memory.recall.calibration import request_calibration

DAILY += [blank_old_texts, delete_withdrawn]


@shared_task(name="memory.embed")
def embed(table: str = "", ids: Sequence[str] = ()) -> int:
    """Embed these rows of a model, or all rows without a current vector."""
    if not table:
        request_calibration(embeddings.current_model().name)
        return reembedding.reembed_all()
    rows = apps.get_model(table).to_embed().filter(pk__in=ids)
    return reembedding.reembed_rows(rows)


@shared_task(name="memory.save_tombstones")
def save_tombstones() -> None:
    call_command("tombstones", "save")


@shared_task(name="memory.archive_surplus")
def archive_surplus() -> int:
    return archiving.archive_surplus()


@shared_task(name="memory.read_subjects")
def read_subjects() -> int:
    return older.read_older_subjects()


@shared_task(name="memory.mark_large_scopes")
def mark_large_scopes() -> int:
    return large_scopes.mark_large_scopes()


@shared_task(name="memory.write_journals")
def write_journals() -> int:
    return snapshots.write_changes()


@shared_task(name="memory.refresh_snapshots")
def refresh_snapshots() -> int:
    return snapshots.refresh_snapshots()


@worker_ready.connect
def refresh_at_start(**_: object) -> None:
    dispatch.enqueue("memory.refresh_snapshots")
