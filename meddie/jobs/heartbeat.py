"""A worker's heartbeat: an expiring key in Redis with its queues."""

import os
import socket
from typing import Any

import redis
from celery import bootsteps
from django.conf import settings

PREFIX = "meddie:worker:"


class Heartbeat(bootsteps.StartStopStep):
    """A step of the worker: a full queue would delay a task."""

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        self.client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2)
        self.key = f"{PREFIX}{socket.gethostname()}:{os.getpid()}"
        self.queues = ",".join(parent.app.amqp.queues.consume_from)
        self.beat()
        self.timer = parent.timer.call_repeatedly(5.0, self.beat)

    def stop(self, parent: Any) -> None:
        self.timer.cancel()
        try:
            self.client.delete(self.key)
        except redis.RedisError:
            return  # the key expires

    def beat(self) -> None:
        """Without Redis one beat is lost, not the timer."""
        try:
            self.client.set(self.key, self.queues, ex=20)
        except redis.RedisError:
            return
