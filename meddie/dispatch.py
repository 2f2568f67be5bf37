"""Bells: telling a worker that a row waits for it. Never blocks, never fails anybody.

The row is the job, and a sweep finds what no bell was rung for. So a bell is handed to
a thread of its own, which a broker that is away or hangs may hold up as long as it
likes; when too many wait there, the next are not rung.
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

_waiting: "queue.Queue[tuple[str, tuple[object, ...]]]" = queue.Queue(MOST_WAITING)


def enqueue(task: str, *arguments: object) -> None:
    """Ring for a task by its name; the arguments are what JSON can say.

    To be called when the row has been committed.
    """
    _ringer()
    try:
        _waiting.put_nowait((task, arguments))
    except queue.Full:
        logger.warning("Too many bells wait to be rung; the sweep will find the work")


@cache
def _ringer() -> threading.Thread:
    thread = threading.Thread(target=_ring_for_ever, name="bells", daemon=True)
    thread.start()
    return thread


def _ring_for_ever() -> None:
    while True:
        task, arguments = _waiting.get()
        try:
            current_app.send_task(task, args=arguments)
        except (OperationalError, RedisError, OSError):
            logger.warning("No broker to ring for %s; the sweep will find it", task)
        except Exception:  # the outermost edge: there is only this one thread
            logger.exception("The bell for %s could not be rung", task)
        finally:
            _waiting.task_done()


def all_rung() -> None:
    """Wait until no bell waits. Only tests need it."""
    _waiting.join()
