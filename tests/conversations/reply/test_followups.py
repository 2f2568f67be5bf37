"""Bells are rung after the commit; a broker that is away costs nobody anything."""

import os
import subprocess
import sys
from functools import partial
from uuid import uuid4

from conversations.reply.followups import Followups, enqueue_followups
from meddie import dispatch
from meddie.celery import app


def queued(*queues):
    dispatch.all_rung()
    with app.connection_for_read() as connection:
        channel = connection.default_channel
        return [
            channel.message_to_python(message).headers["task"]
            for queue in queues or ("talk", "memory", "upkeep")
            for message in iter(partial(channel.basic_get, queue, no_ack=True), None)
        ]


def test_what_waits_is_rung():
    queued()
    one = uuid4()
    enqueue_followups(
        Followups(title_for=one, stale_ids=(one,), chat=one, indexed=(one,))
    )
    assert sorted(queued()) == [
        "conversations.drain_chat",
        "conversations.embed_messages",
        "conversations.title_conversation",
        "memory.reembed",
    ]


def test_titles_wait_where_they_hold_up_no_sweep():
    queued()
    enqueue_followups(Followups(title_for=uuid4()))
    assert queued("talk") == ["conversations.title_conversation"]


def test_nothing_waits_nothing_rings():
    queued()
    enqueue_followups(Followups())
    assert queued() == []


def test_a_broker_that_is_away_fails_nothing():
    """In a process of its own: Celery keeps its connections for the whole process."""
    code = (
        "import django; django.setup()\n"
        "from uuid import uuid4\n"
        "from conversations.reply.followups import Followups, enqueue_followups\n"
        "from meddie import dispatch\n"
        "enqueue_followups(Followups(title_for=uuid4()))\n"
        "dispatch.all_rung()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"REDIS_URL": "redis://127.0.0.1:9/0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "No broker to ring" in done.stderr
