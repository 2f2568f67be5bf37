"""Celery tasks."""

from uuid import UUID

from celery import shared_task

from meddie.jobs import registry


@shared_task(name="jobs.run")
def run(queue: str, key: str) -> None:
    registry.run(queue, UUID(key))


@shared_task(name="jobs.sweep")
def sweep() -> None:
    registry.sweep()


@shared_task(name="jobs.daily")
def daily() -> None:
    registry.clean_up()
    registry.do_each(registry.DAILY)
