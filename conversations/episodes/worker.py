"""Run the jobs that write summaries."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from conversations.episodes.writing import write_chunks, write_final, write_running
from conversations.models import Summary, SummaryJob
from meddie import dispatch, jobs

BATCH = 500
DONE_KEPT = timedelta(days=30)
HANDLERS: jobs.Handlers[SummaryJob] = {
    Summary.Kind.RUNNING: write_running,
    Summary.Kind.CHUNK: write_chunks,
    Summary.Kind.FINAL: write_final,
}


def run_summary_job(key: UUID) -> None:
    """Run a job if it is due."""
    job = SummaryJob.objects.claim(key)
    if job is not None:
        jobs.run(job, HANDLERS)


def announce_summaries() -> int:
    """Enqueue due jobs, whose task may be lost; return how many."""
    due = SummaryJob.objects.due().in_order()[:BATCH]
    keys = list(due.values_list("pk", flat=True))
    for key in keys:
        dispatch.enqueue("conversations.run_summary_job", str(key))
    return len(keys)


def delete_done_summaries() -> int:
    """Delete the rows of jobs that were done long ago; return how many."""
    before = timezone.now() - DONE_KEPT
    done = SummaryJob.objects.filter(state=SummaryJob.State.DONE, updated_at__lt=before)
    return done.delete()[0]
