"""Celery tasks of people."""

from celery import shared_task

from people import cleanup


@shared_task(name="people.tidy")
def tidy() -> None:
    cleanup.delete_expired()
