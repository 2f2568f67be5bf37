"""Enqueue tasks in a thread (decision 14). Sweeps find rows whose task was lost."""

import logging
import threading
from functools import cache
from queue import Full, Queue

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


# Further tasks are dropped.
_waiting: "Queue[tuple[str, tuple[object, ...], str | None]]" = Queue(1000)


def enqueue(task: str, *arguments: object, queue: str | None = None) -> None:
    """Call it after the commit, with JSON arguments; `queue` is one of Celery."""
    _publisher()
    try:
        _waiting.put_nowait((task, arguments, queue))
    except Full:
        logger.warning("Too many tasks wait; the sweep will find the work of %s", task)


@cache
def _publisher() -> threading.Thread:
    thread = threading.Thread(target=_publish, name="dispatch", daemon=True)
    thread.start()
    return thread


def _publish() -> None:
    while True:
        task, arguments, queue = _waiting.get()
        try:
            current_app.send_task(task, args=arguments, queue=queue)
        except (OperationalError, RedisError, OSError):
            logger.warning("No broker for %s; the sweep will find the work", task)
        except Exception:  # the outermost edge: this thread must not end
            logger.exception("%s could not be enqueued", task)
        finally:
            _waiting.task_done()
