"""Enqueuing Celery tasks without blocking the request.

A task only announces a row, and a sweep finds rows that were not announced. So publishing
runs in a thread of its own, which a slow broker may hold up, and may fail.
"""

import logging
import queue
import threading
from functools import cache

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

MOST_WAITING = 1000
"""Tasks that wait to be published; further ones are dropped."""

_waiting: "queue.Queue[tuple[str, tuple[object, ...]]]" = queue.Queue(MOST_WAITING)


def enqueue(task: str, *arguments: object) -> None:
    """Enqueue a task by its name, after the commit; the arguments must be JSON."""
    _publisher()
    try:
        _waiting.put_nowait((task, arguments))
    except queue.Full:
        logger.warning("Too many tasks wait; the sweep will find the work of %s", task)


@cache
def _publisher() -> threading.Thread:
    thread = threading.Thread(target=_publish, name="dispatch", daemon=True)
    thread.start()
    return thread


def _publish() -> None:
    while True:
        task, arguments = _waiting.get()
        try:
            current_app.send_task(task, args=arguments)
        except (OperationalError, RedisError, OSError):
            logger.warning("No broker for %s; the sweep will find the work", task)
        except Exception:  # the outermost edge: this thread must not end
            logger.exception("%s could not be enqueued", task)
        finally:
            _waiting.task_done()


def wait_until_published() -> None:
    """Wait until all tasks are with the broker. Only tests need it."""
    _waiting.join()
