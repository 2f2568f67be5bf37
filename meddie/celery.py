"""Workers, their heartbeat, and the schedule. Each kind of work has a queue (`-Q chat`)."""

import os
import socket
from typing import Any

import click
import redis
from celery import Celery, bootsteps
from celery.beat import EmbeddedService, PersistentScheduler
from celery.signals import celeryd_after_setup, celeryd_init, setup_logging
from django.conf import settings
from kombu import Queue

from meddie.ai import embeddings
from meddie.tracing import start_tracing

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


class Beside(bootsteps.StartStopStep):
    """A thread of the worker that has `stop`, started again if it ends by itself.

    A process of its own would hold 100 MB more.
    """

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        self.obj.start()
        self.timer = parent.timer.call_repeatedly(5.0, self.watch, [parent])

    def watch(self, parent: Any) -> None:
        if not self.obj.is_alive():
            self.obj = self.create(parent)
            self.obj.start()

    def create(self, parent: Any) -> Any:
        raise NotImplementedError

    def stop(self, parent: Any) -> None:
        self.timer.cancel()
        self.obj.stop()


class Beat(Beside):
    """`--with-beat FILE`: the schedule. The file keeps when each task last ran."""

    def __init__(self, parent: Any, with_beat: str = "", **options: Any) -> None:
        super().__init__(parent, **options)
        self.enabled, self.file = bool(with_beat), with_beat

    def create(self, parent: Any) -> Any:
        return EmbeddedService(
            parent.app, thread=True, schedule_filename=self.file, scheduler_cls=Schedule
        )


class Schedule(PersistentScheduler):
    """Goes on when the clock is put back: what ran in the future has run now."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = self.app.now()
        entries = self.schedule.values()
        ahead = [
            entry for entry in entries if entry.last_run_at and entry.last_run_at > now
        ]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            self._heap = None  # its times are those of the old clock
        return float(super().tick(*args, **kwargs))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")

DAY, HOUR = 24 * 3600.0, 3600.0
SCHEDULE = {  # tasks, and how often they run, in seconds
    "jobs.sweep": 15.0,
    "jobs.daily": DAY,
    "conversations.sweep_replies": 10.0,
    "conversations.close_idle_episodes": 300.0,
    "conversations.remove_files": 60.0,
    "people.finish_deletions": 60.0,
    "memory.embed": 30.0,
    "memory.read_subjects": 30.0,
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
app.steps["worker"] |= {Heartbeat, Beat}
app.user_options["worker"] |= {
    click.Option(["--with-beat"], metavar="FILE"),
    click.Option(["--with-polling"], is_flag=True, help="Poll for Telegram's updates."),
}
app.conf.beat_scheduler = "meddie.celery:Schedule"
app.conf.beat_schedule = {
    task: {"task": task, "schedule": every, "options": {"expires": min(every, HOUR)}}
    for task, every in SCHEDULE.items()
}


@setup_logging.connect
def keep_logging(**kwargs: Any) -> None:
    """Else Celery's level would silence our own loggers, and its handlers show all paths."""


@celeryd_init.connect
def trace_worker(**kwargs: Any) -> None:
    start_tracing()


@celeryd_after_setup.connect
def load_encoder(instance: Any, **kwargs: Any) -> None:
    """Before the first job of memory, which would wait for it in a transaction."""
    if "memory" in instance.app.amqp.queues.consume_from:
        embeddings.load_model()
