"""The background worker and its clock. A task is a bell: the row is the job."""

import os

from celery import Celery

from meddie.heartbeat import Heartbeat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")

app = Celery("meddie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
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
    "embed what another model embedded": {
        "task": "memory.reembed",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "blank what was retracted long ago": {
        "task": "memory.clean_up",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
}
