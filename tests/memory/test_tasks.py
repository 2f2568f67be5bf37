"""The clock knows only tasks that exist, and they do what their names say."""

from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.celery import app
from memory import tasks
from memory.capture.retraction import retract
from memory.models import CaptureJob, Memory
from tests.memory.jobs import make_job

pytestmark = pytest.mark.django_db


def test_every_scheduled_task_exists():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled <= set(app.tasks)
    ours = {tasks.sweep_jobs.name, tasks.reembed.name, tasks.clean_up.name}
    assert ours <= scheduled


def test_cleaning_up_blanks_old_texts(tell, bob):
    tell("User is vegan")
    retract(Memory.objects.get(), by=bob)
    Memory.objects.update(retired_at=timezone.now() - timedelta(days=31))
    assert tasks.clean_up() == 1
    assert Memory.objects.get().content == ""


def test_cleaning_up_deletes_old_jobs_that_ended_well(scope):
    old, recent = (timezone.now() - timedelta(days=days) for days in (31, 29))
    for state, at in [("done", old), ("done", recent), ("dead", old)]:
        CaptureJob.objects.filter(pk=make_job(scope).pk).update(
            state=state, updated_at=at
        )
    assert tasks.clean_up() == 1
    left = CaptureJob.objects.values_list("state", "updated_at")
    assert set(left) == {("done", recent), ("dead", old)}


def test_tasks_without_work_change_nothing(tell):
    tell("User is vegan")
    before = list(Memory.objects.values())
    assert tasks.sweep_jobs() == 0
    assert tasks.reembed([]) == 0
    assert tasks.clean_up() == 0
    assert list(Memory.objects.values()) == before
