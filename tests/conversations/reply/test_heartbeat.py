"""One heartbeat saves the texts and renews the leases of all replies of a process."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.models import Message, Thread
from conversations.reply import active_replies
from conversations.reply.active_replies import ActiveReply
from conversations.reply.turn import begin
from tests.factories import MembershipFactory
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def written():
    """Two replies of two people, each with some text; their rows are an hour old."""
    found = []
    for text in ("One", "Two"):
        member = MembershipFactory()
        found.append(ActiveReply(begin(member.user, member.space_id, "Hello")))
        found[-1].draft.text = text
    ago = timezone.now() - timedelta(hours=1)
    Message.objects.update(heartbeat_at=ago)
    Thread.objects.update(leased_until=ago)
    return found


def ids(*replies):
    return {one.turn.reply_id for one in replies}


def row(reply):
    return Message.objects.select_related("thread").get(pk=reply.turn.reply_id)


def test_every_text_is_saved_and_every_lease_renewed(written):
    assert active_replies.save(written) == ids(*written)
    for one, text in zip(written, ("One", "Two"), strict=True):
        kept = row(one)
        assert kept.content == text
        assert kept.heartbeat_at > timezone.now() - timedelta(minutes=1)
        assert kept.thread.leased_until > timezone.now()


def test_heartbeat_needs_a_fixed_number_of_statements(written):
    counts = []
    for running in (written[:1], written):
        with CaptureQueriesContext(connection) as queries:
            active_replies.save(running)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_thread_of_another_worker_is_left_alone(written):
    one, two = written
    Thread.objects.filter(conversations=one.turn.conversation_id).update(
        lease_holder=uuid4()
    )
    assert active_replies.save(written) == ids(two)
    assert row(one).content == ""
    assert row(one).thread.leased_until < timezone.now()
    assert row(two).content == "Two"


def test_a_finished_reply_is_not_overwritten(written):
    one, two = written
    Message.objects.filter(pk=one.turn.reply_id).update(status="done", content="Whole")
    assert active_replies.save(written) == ids(two)
    assert row(one).content == "Whole"


def test_a_locked_row_is_skipped_until_the_next_heartbeat(written):
    one, two = written

    def beat():
        try:
            return active_replies.save(written)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        Message.objects.select_for_update().get(pk=one.turn.reply_id)
        Thread.objects.lock_for(one.turn.conversation_id)
        assert other.submit(beat).result(PATIENCE) == ids(*written)
    assert row(one).content == ""
    assert row(two).content == "Two"
