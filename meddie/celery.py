"""The background worker and its clock. A task is a bell: the row is the job.

A queue for each kind of work, so that workers can be given to one of them (`-Q talk`);
a worker that is given none takes all.
"""

import os

from celery import Celery
from kombu import Queue

from meddie.heartbeat import Heartbeat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")

app = Celery("meddie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.task_queues = [Queue("talk"), Queue("memory"), Queue("upkeep")]
app.conf.task_default_queue = "upkeep"
app.conf.task_routes = {
    "conversations.drain_chat": {"queue": "talk"},
    "conversations.title_conversation": {"queue": "talk"},
    "memory.*": {"queue": "memory"},
    "conversations.embed_messages": {"queue": "memory"},
}
app.steps["worker"].add(Heartbeat)
app.conf.beat_schedule = {
    "interrupt replies whose process died": {
        "task": "conversations.sweep_replies",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "run captures that wait": {
        "task": "memory.sweep_jobs",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "work off chats whose bell was not heard": {
        "task": "conversations.sweep_inbox",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "drop updates that ended long ago": {
        "task": "conversations.clean_up_inbox",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "delete what signing in and inviting leave behind": {
        "task": "people.tidy",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "embed what another model embedded": {
        "task": "memory.reembed",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "embed messages whose bell was not heard": {
        "task": "conversations.embed_messages",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "index the vectors of large scopes": {
        "task": "memory.mark_large_scopes",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "blank what was retracted long ago": {
        "task": "memory.clean_up",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
}
