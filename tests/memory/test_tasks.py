"""The bells do what their names say; their names are what the clock rings."""

from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.celery import app
from memory import tasks
from memory.capture.forgetting import retract
from memory.models import Memory

pytestmark = pytest.mark.django_db


def test_the_clock_rings_tasks_that_exist():
    rung = {entry["task"] for entry in app.conf.beat_schedule.values()}
    ours = {tasks.sweep_jobs.name, tasks.reembed.name, tasks.clean_up.name}
    assert ours <= rung


def test_cleaning_up_blanks_old_texts(tell, bob):
    tell("User is vegan")
    retract(Memory.objects.get(), by=bob)
    Memory.objects.update(retired_at=timezone.now() - timedelta(days=31))
    assert tasks.clean_up() == 1
    assert Memory.objects.get().content == ""


def test_with_nothing_to_do_nothing_is_done(db):
    assert tasks.sweep_jobs() == 0
    assert tasks.reembed() == 0
    assert tasks.reembed([]) == 0
    assert tasks.clean_up() == 0
