"""Workers and schedule. Each kind of work has a queue (`-Q chat`)."""

import os

from celery import Celery
from kombu import Queue

from meddie.heartbeat import Heartbeat

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")

app = Celery("meddie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.task_queues = [Queue("chat"), Queue("memory"), Queue("upkeep")]
app.conf.task_default_queue = "upkeep"
app.conf.task_routes = {
    "conversations.work_on_chat": {"queue": "chat"},
    "conversations.title_conversation": {"queue": "chat"},
    "memory.*": {"queue": "memory"},
    "conversations.work_on_ingested": {"queue": "memory"},
    "conversations.embed_messages": {"queue": "memory"},
    "conversations.embed_files": {"queue": "memory"},
    "conversations.derive": {"queue": "memory"},
    "conversations.run_summary_job": {"queue": "memory"},
}
app.steps["worker"].add(Heartbeat)
app.conf.beat_schedule = {
    "interrupt stale replies": {
        "task": "conversations.sweep_replies",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "announce due capture jobs": {
        "task": "memory.sweep_jobs",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "close idle episodes": {
        "task": "conversations.close_idle_episodes",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "announce due summary jobs": {
        "task": "conversations.sweep_summaries",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "delete finished summary jobs": {
        "task": "conversations.clean_up_summaries",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "announce chats with due updates": {
        "task": "conversations.sweep_inbox",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "announce due derivation jobs": {
        "task": "conversations.sweep_derivations",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "embed new texts of files": {
        "task": "conversations.embed_files",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "delete files of deleted rows": {
        "task": "conversations.remove_files",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "delete unsent files and orphans": {
        "task": "conversations.clean_up_files",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "delete old updates": {
        "task": "conversations.clean_up_inbox",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "delete expired codes and invitations": {
        "task": "people.clean_up",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "delete expired codes of Telegram": {
        "task": "telegram.clean_up",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
    "re-embed rows of another model": {
        "task": "memory.reembed",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "embed new messages": {
        "task": "conversations.embed_messages",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "index the vectors of large scopes": {
        "task": "memory.mark_large_scopes",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "write lines of journals": {
        "task": "memory.write_journals",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "refresh snapshots of spaces": {
        "task": "memory.refresh_snapshots",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "archive facts beyond the number that a space keeps": {
        "task": "memory.archive_surplus",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "keep what was forgotten beside the database": {
        "task": "memory.save_tombstones",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "blank texts retracted long ago": {
        "task": "memory.clean_up",
        "schedule": 24 * 3600.0,
        "options": {"expires": 3600},
    },
}
