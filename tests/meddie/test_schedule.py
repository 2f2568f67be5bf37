"""The schedule of the tasks that repeat."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from meddie.celery import SCHEDULE, Beat, app


@pytest.fixture
def schedule(tmp_path, monkeypatch):
    """One whose tasks have all just run."""
    worker = SimpleNamespace(app=app)
    beat = Beat(worker, with_beat=str(tmp_path / "beat"))
    kept = beat.create(worker).service.scheduler
    sent: list[str] = []
    monkeypatch.setattr(kept, "apply_async", lambda entry, **_: sent.append(entry.task))
    yield kept, sent
    kept.close()


def tick_all(kept):
    while kept.tick() == 0:
        """Until it would sleep."""


def test_tasks_go_on_when_the_clock_is_put_back_a_year(schedule, time_machine):
    kept, sent = schedule
    now = app.now()
    time_machine.move_to(now + timedelta(days=365), tick=False)
    tick_all(kept)
    assert set(SCHEDULE) <= set(sent)
    time_machine.move_to(now, tick=False)
    tick_all(kept)
    sent.clear()
    time_machine.move_to(now + timedelta(minutes=6), tick=False)
    tick_all(kept)
    assert {task for task, every in SCHEDULE.items() if every < 360} <= set(sent)
