"""Bells for the worker: each calls one function."""

from celery import shared_task

from people import cleanup


@shared_task(name="people.tidy")
def tidy() -> None:
    """Delete rows that are of no use any more."""
    cleanup.tidy()
