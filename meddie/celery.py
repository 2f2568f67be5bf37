"""Workers, their heartbeat, and the schedule. Each kind of work has a queue (`-Q chat`)."""

import os
import socket
from typing import Any

import redis
from celery import Celery, bootsteps
from celery.signals import setup_logging, worker_init
from django.conf import settings
from kombu import Queue

from meddie.ai import embeddings

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


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")

DAY, HOUR = 24 * 3600.0, 3600.0
SCHEDULE = {  # tasks, and how often they run, in seconds
    "jobs.sweep": 15.0,
    "jobs.daily": DAY,
    "conversations.sweep_replies": 10.0,
    "conversations.close_idle_episodes": 300.0,
    "conversations.remove_files": 60.0,
    "memory.embed": 30.0,
    "memory.mark_large_scopes": 300.0,
    "memory.write_journals": 5.0,
    "memory.refresh_snapshots": 300.0,
    "memory.archive_surplus": HOUR,
    "memory.save_tombstones": HOUR,
}

app = Celery("meddie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["meddie.jobs"])
app.conf.task_queues = [Queue("chat"), Queue("memory"), Queue("upkeep")]
app.conf.task_default_queue = "upkeep"
app.conf.task_routes = {
    "conversations.title_conversation": {"queue": "chat"},
    "memory.*": {"queue": "memory"},
}
app.steps["worker"].add(Heartbeat)
app.conf.beat_schedule = {
    task: {"task": task, "schedule": every, "options": {"expires": min(every, HOUR)}}
    for task, every in SCHEDULE.items()
}


@setup_logging.connect
def keep_logging(**kwargs: Any) -> None:
    """Else Celery's level would silence our own loggers, and its handlers show all paths."""


@worker_init.connect
def load_encoder(**kwargs: Any) -> None:
    """Before the first job, which would wait for it in a transaction."""
    embeddings.load_model()
