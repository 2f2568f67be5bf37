"""Celery tasks of people. Each calls one function."""

from celery import shared_task

from people import cleanup


@shared_task(name="people.tidy")
def tidy() -> None:
    """Delete expired codes, invitations and sign-in attempts."""
    cleanup.delete_expired()
