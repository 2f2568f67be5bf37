"""Tasks are enqueued after the commit; a missing broker fails nothing."""

import os
import subprocess
import sys
from functools import partial
from uuid import uuid4

import pytest

from conversations.reply.finish import Followups, enqueue_followups
from meddie import dispatch
from meddie.celery import app
from tests.waiting import PATIENCE


def queued(*queues):
    dispatch._waiting.join()
    with app.connection_for_read() as connection:
        channel = connection.default_channel
        return [
            channel.message_to_python(message).headers["task"]
            for queue in queues or ("chat", "memory", "upkeep")
            for message in iter(partial(channel.basic_get, queue, no_ack=True), None)
        ]


def test_each_followup_is_enqueued():
    queued()
    one = uuid4()
    enqueue_followups(
        Followups(
            title_for=one, stale_ids=(one,), chat=("telegram", one), indexed=(one,)
        )
    )
    assert sorted(queued()) == [
        "conversations.title_conversation",
        "jobs.run",
        "memory.embed",
        "memory.embed",
    ]


def test_titles_do_not_delay_sweeps():
    queued()
    enqueue_followups(Followups(title_for=uuid4()))
    assert queued("chat") == ["conversations.title_conversation"]


def test_no_followups_enqueue_nothing():
    queued()
    enqueue_followups(Followups())
    assert queued() == []


@pytest.mark.slow
def test_missing_broker_fails_nothing():
    """In a process of its own: Celery keeps its connections for the whole process."""
    code = (
        "import django; django.setup()\n"
        "from uuid import uuid4\n"
        "from conversations.reply.finish import Followups, enqueue_followups\n"
        "from meddie import dispatch\n"
        "enqueue_followups(Followups(title_for=uuid4()))\n"
        "dispatch._waiting.join()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"REDIS_URL": "redis://127.0.0.1:9/0"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "No broker for" in done.stderr
