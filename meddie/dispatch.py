"""Enqueue tasks in a thread. Sweeps find rows whose task was lost."""

import logging
import queue
import threading
from functools import cache

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

MOST_WAITING = 1000  # further tasks are dropped

_waiting: "queue.Queue[tuple[str, tuple[object, ...]]]" = queue.Queue(MOST_WAITING)


def enqueue(task: str, *arguments: object) -> None:
    """Call it after the commit, with JSON arguments."""
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
