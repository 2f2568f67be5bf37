"""Bells: the rows are the work. Each calls one function."""

import uuid
from collections.abc import Sequence

from celery import shared_task

from memory import large_scopes, reembedding
from memory.capture import worker
from memory.capture.forgetting import blank_old_texts


@shared_task(name="memory.sweep_jobs")
def sweep_jobs() -> int:
    """Run the captures that wait."""
    return worker.run_due()


@shared_task(name="memory.reembed")
def reembed(ids: Sequence[str] | None = None) -> int:
    """Re-embed stale rows: all there are, or the few that a recall came across."""
    if ids is None:
        return reembedding.reembed_all()
    return reembedding.reembed([uuid.UUID(value) for value in ids])


@shared_task(name="memory.clean_up")
def clean_up() -> int:
    """Blank the texts that were retracted long ago."""
    return blank_old_texts()


@shared_task(name="memory.mark_large_scopes")
def mark_large_scopes() -> int:
    """Let scopes that outgrew the exact scan into the approximate index."""
    return large_scopes.mark_large_scopes()
