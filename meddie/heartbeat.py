"""A worker's sign of life: a key in Redis that fades when the worker does.

Each worker has its own, and says there which queues it works on: one that takes only
memories is no help to somebody who waits in a chat.
"""

import os
import socket
from typing import Any

import redis
from celery import bootsteps
from django.conf import settings

PREFIX = "meddie:worker:"
EVERY = 5.0
FADES_AFTER = 20


class Heartbeat(bootsteps.StartStopStep):
    """A step of the worker, not a task: a full queue is not a dead worker."""

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        """Beat now, and from then on by the worker's own timer."""
        self.client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)
        self.key = f"{PREFIX}{socket.gethostname()}:{os.getpid()}"
        self.queues = ",".join(parent.app.amqp.queues.consume_from)
        self.beat()
        self.timer = parent.timer.call_repeatedly(EVERY, self.beat)

    def stop(self, parent: Any) -> None:
        """A worker that is ended says so at once."""
        self.timer.cancel()
        try:
            self.client.delete(self.key)
        except redis.RedisError:
            return  # then the key fades by itself

    def beat(self) -> None:
        """An absent Redis costs one beat, not the timer."""
        try:
            self.client.set(self.key, self.queues, ex=FADES_AFTER)
        except redis.RedisError:
            return
