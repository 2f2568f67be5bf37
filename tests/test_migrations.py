"""Rows of earlier versions survive the migrations to jobs, rankings and receipts."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from conversations.models import Receipt, TelegramPart, TelegramUpdate
from memory.models import CaptureJob, MemoryEvent, MemoryPolicy
from tests.conversations import transcripts
from tests.factories import (
    MemoryFactory,
    SpaceFactory,
    TelegramBotFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [
    ("conversations", "0005_words_between_signs"),
    ("memory", "0008_one_index_less"),
]
AT = datetime(2026, 1, 2, tzinfo=UTC)


def migrate(targets):
    """The models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def newest():
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


@pytest.fixture
def earlier():
    """Models of the version before, whose tables are there until the test migrates."""
    yield migrate(BEFORE)
    migrate(newest())


@pytest.fixture
def reply(db):
    """A reply, stored while the tables are new: these did not change."""
    user = UserFactory()
    talk = transcripts.start_conversation(user, SpaceFactory(members=[user]))
    return transcripts.say(talk, "assistant", "Tea is fine.")


@pytest.fixture
def bot(db):
    return TelegramBotFactory()


@pytest.fixture
def memory(db):
    return MemoryFactory()


JOBS = [
    # state, kind, attempts, error before; state, kind, attempts, error after
    (("waiting", "message", 3, "x" * 500), ("waiting", "remember", 0, "x" * 64)),
    (("running", "forget", 3, ""), ("waiting", "forget", 0, "")),
    (("failed", "message", 40, "refused"), ("dead", "remember", 40, "refused")),
    (("done", "forget", 1, ""), ("done", "forget", 0, "")),
]
UPDATES = [
    # state, has a reply, has parts, is a button; state, stage, kind
    (("received", False, False, False), ("waiting", "received", "message")),
    (("turn", True, False, True), ("waiting", "turn", "button")),
    (("reply", True, True, False), ("waiting", "reply", "message")),
    (("done", True, True, False), ("done", "reply", "message")),
    (("dead", True, False, False), ("dead", "turn", "message")),
    (("dead", False, False, False), ("dead", "received", "message")),
]


def test_rows_of_the_version_before_are_kept(reply, bot, memory, earlier):
    _add_jobs(earlier.get_model("memory", "CaptureJob"), reply)
    _add_policy(earlier.get_model("memory", "MemoryPolicy"), reply)
    _add_updates(earlier, reply, bot)
    _add_receipt(earlier.get_model("conversations", "Receipt"), reply, memory)
    _add_events(earlier.get_model("memory", "MemoryEvent"), reply)
    migrate(newest())
    _check_jobs()
    assert MemoryPolicy.objects.get().ranking == "fused"
    _check_updates()
    _check_events()
    kept = Receipt.objects.get()
    assert (kept.kind, kept.object_id) == ("memory", memory.pk)
    assert (kept.message_id, kept.rank) == (reply.pk, 1)


def _add_events(old_event, reply):
    decided = [{"fact": "User is vegan", "action": "add"}, {"fact": "", "action": "x"}]
    for data in ({"origin": "inline", "decisions": decided}, {"decisions": []}, {}):
        old_event.objects.create(
            user_id=reply.conversation.user_id, kind="memory_decision", data=data
        )


def _check_events():
    events = MemoryEvent.objects.order_by("created_at")
    assert [event.data for event in events] == [
        {"origin": "inline", "decisions": [{"action": "add"}, {"action": "x"}]},
        {"decisions": []},
        {},
    ]


def _add_jobs(old_job, reply):
    for number, ((state, kind, attempts, error), _) in enumerate(JOBS):
        old_job.objects.create(
            user_id=reply.conversation.user_id,
            space_id=reply.thread.space_id,
            origin="inline",
            source_kind=kind,
            source_id=uuid.uuid4(),
            channel="web",
            stated_at=AT + timedelta(hours=number),
            text="I am vegan",
            candidates=["User is vegan"],
            state=state,
            attempts=attempts,
            error=error,
        )


def _check_jobs():
    jobs = CaptureJob.objects.order_by("stated_at")
    assert [(j.state, j.kind, j.attempts, j.error) for j in jobs] == [
        after for _, after in JOBS
    ]
    payload = {"candidates": ["User is vegan"], "text": "I am vegan"}
    assert [job.payload for job in jobs] == [payload, payload, payload, {}]


def _add_policy(old_policy, reply):
    old_policy.objects.create(space_id=reply.thread.space_id, recall_profile="fused")


def _add_updates(earlier, reply, bot):
    old_update = earlier.get_model("conversations", "TelegramUpdate")
    old_part = earlier.get_model("conversations", "TelegramPart")
    for number, ((state, replied, parted, button), _) in enumerate(UPDATES):
        update = old_update.objects.create(
            bot_id=bot.pk,
            update_id=number,
            thread_id=reply.thread_id,
            reply_id=reply.pk if replied else None,
            payload={"callback_query": {}} if button else {},
            state=state,
            begun=3,
            ended_at=AT if state in {"done", "dead"} else None,
        )
        if parted:
            old_part.objects.create(update=update, number=1, html="Tea")


def _check_updates():
    updates = TelegramUpdate.objects.order_by("update_id")
    assert [(u.state, u.stage, u.kind) for u in updates] == [
        after for _, after in UPDATES
    ]
    assert {update.crashes for update in updates} == {0}
    ended = updates.filter(state__in=["done", "dead"])
    assert {update.updated_at for update in ended} == {AT}
    assert TelegramPart.objects.count() == 2


def _add_receipt(old_receipt, reply, memory):
    old_receipt.objects.create(
        message_id=reply.pk, memory_id=memory.pk, rank=1, score=0.5
    )
