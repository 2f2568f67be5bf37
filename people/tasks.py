"""Celery tasks of people."""

from celery import shared_task

from people import cleanup


@shared_task(name="people.clean_up")
def clean_up() -> None:
    cleanup.delete_expired()
