"""The clock knows only tasks that exist, and what is done once a day is done."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from meddie.celery import app
from meddie.jobs.registry import QUEUES
from meddie.jobs.tasks import daily, sweep
from memory import tasks
from memory.facts.retraction import forget, owner_scope
from memory.models import CaptureJob, Memory
from tests.memory.jobs import make_job

pytestmark = pytest.mark.django_db


def test_every_scheduled_task_exists():
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled <= set(app.tasks)
    assert {"jobs.sweep", "jobs.daily", tasks.embed.name} <= scheduled


def test_cleaning_up_blanks_old_texts(tell, bob):
    tell("User is vegan")
    fact = Memory.objects.get()
    forget(owner_scope(fact, bob), [fact.pk], by=bob)
    Memory.objects.update(retired_at=timezone.now() - timedelta(days=31))
    daily()
    assert Memory.objects.get().content == ""


def test_cleaning_up_deletes_old_jobs_that_ended_well(scope):
    old, recent = (timezone.now() - timedelta(days=days) for days in (31, 29))
    for state, at in [("done", old), ("done", recent), ("dead", old)]:
        CaptureJob.objects.filter(pk=make_job(scope).pk).update(
            state=state, updated_at=at
        )
    daily()
    left = CaptureJob.objects.values_list("state", "updated_at")
    assert set(left) == {("done", recent), ("dead", old)}


def test_failure_of_one_daily_work_delays_no_other(monkeypatch, caplog):
    done = []
    work = [lambda: 1 / 0, lambda: done.append("second")]
    monkeypatch.setattr("meddie.jobs.registry.DAILY", work)
    daily()
    assert done == ["second"]
    assert "ZeroDivisionError" in caplog.text


def test_queue_that_cannot_be_read_delays_no_other(scope, monkeypatch):
    job, rung = make_job(scope), []
    broken = SimpleNamespace(sweep=lambda: 1 / 0)
    queues = {"broken": broken, "capture": QUEUES["capture"]}
    monkeypatch.setattr("meddie.jobs.registry.QUEUES", queues)
    monkeypatch.setattr(
        "meddie.dispatch.enqueue", lambda *call, queue: rung.append(call)
    )
    sweep()
    assert rung == [("jobs.run", "capture", str(job.pk))]


def test_tasks_without_work_change_nothing(tell):
    tell("User is vegan")
    before = list(Memory.objects.values())
    sweep()
    daily()
    assert tasks.embed("memory.Memory", []) == 0
    assert list(Memory.objects.values()) == before
