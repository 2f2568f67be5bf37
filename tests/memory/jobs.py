"""Capture jobs for tests: made by hand, and run here instead of in a worker."""

import uuid
from functools import partial

from django.utils import timezone

from meddie.jobs.registry import attempt
from memory.facts import deferred, worker
from memory.models import CaptureJob


def make_job(scope, *, at=None, **fields):
    """A waiting job without facts."""
    return CaptureJob.objects.create(
        **{
            "origin": "inline",
            "kind": deferred.REMEMBER,
            "source_id": uuid.uuid4(),
            "user_id": scope.user_id,
            "space_id": scope.space_id,
            "channel": "web",
            "stated_at": at or timezone.now(),
            "payload": {"candidates": [], "text": "I am vegan"},
            **fields,
        }
    )


def run_due(embedder=None, handlers=None):
    """Run all jobs that are due, one after another; how many are done, besides
    resolutions."""
    handlers = handlers or {
        deferred.REMEMBER: partial(worker.run_remember, embedder=embedder),
        deferred.FORGET: partial(worker.run_forget, embedder=embedder),
        deferred.RESOLVE: worker.run_resolve,
        deferred.EXTRACT: partial(worker.run_extract, embedder=embedder),
        CaptureJob.TIDY: partial(worker.run_tidy, embedder=embedder),
    }
    done = 0
    while (job := CaptureJob.objects.claim()) is not None:
        attempt(job, handlers)
        done += job.state == "done" and job.kind != deferred.RESOLVE
    return done
