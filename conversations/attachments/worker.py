"""Run derivation jobs."""

import uuid

from conversations.attachments import derivations
from conversations.attachments.storage import DERIVE
from conversations.models import Attachment, DerivationJob
from meddie import dispatch, jobs

BATCH = 500
HANDLERS: jobs.Handlers[DerivationJob] = {DERIVE: derivations.derive}


def run_derivation(key: uuid.UUID) -> None:
    """Run a job if it is due."""
    job = DerivationJob.objects.claim(key)
    if job is not None:
        jobs.run(job, HANDLERS)
        if job.state == DerivationJob.State.DEAD:
            job.attachment.fail(job.error)


def announce_due() -> int:
    """Announce the due jobs, and end the files of those that crashed; return how many."""
    dead = DerivationJob.objects.filter(state=DerivationJob.State.DEAD)
    for job in dead.filter(attachment__state=Attachment.State.PENDING):
        job.attachment.fail(job.error)
    keys = list(
        DerivationJob.objects.due().in_order().values_list("pk", flat=True)[:BATCH]
    )
    for key in keys:
        dispatch.enqueue("conversations.derive", str(key))
    return len(keys)
