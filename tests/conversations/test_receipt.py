"""A reply has one receipt, of which facts in its prompt are found by an index."""

from uuid import uuid4

import pytest
from django.db import connection

from conversations.models import Receipt
from tests.conversations.receipts import receive, retrieved
from tests.conversations.transcripts import exchange, start_conversation
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
MILO, REX = uuid4(), uuid4()


@pytest.fixture
def replies():
    member = MembershipFactory()
    conversation = start_conversation(member.user, member.space)
    return [exchange(conversation, "And?", "Yes.") for _ in range(3)]


def test_rows_keep_their_order_and_whether_they_were_in_the_prompt(replies):
    receipt = Receipt(message=replies[0])
    receipt.add("memory", "remembered", [(MILO, 0.91234), (REX, 0.5)], 1)
    receipt.add("memory", "also_known", [(uuid4(), 0)], 1, ranked_after=2)
    receipt.add("episode", "recent_context", [], 0)
    receipt.save()
    rows = retrieved()
    assert [row.rank for row in rows] == [1, 2, 3]
    assert [row.injected for row in rows] == [True, False, True]
    assert (rows[0].key, rows[0].score) == (MILO, 0.9123)
    receipt = Receipt.objects.get()
    assert (receipt.facts_found, receipt.facts_used) == (2, 1)
    assert receipt.found_facts() == [MILO]
    assert receipt.told == [MILO, rows[2].key]


def test_answers_that_were_given_a_fact_are_found(replies):
    first, second, third = replies
    receive(first, MILO)
    receive(first, MILO, section="looked_up")
    receive(second, MILO, kind="profile_fact", section="profile")
    receive(third, MILO, injected=False)
    receive(third, REX)
    receive(third, uuid4(), kind="message", section="earlier")
    given = Receipt.objects.giving([MILO]).values_list("message", flat=True)
    assert set(given) == {first.pk, second.pk}
    assert Receipt.objects.count_uses([MILO, REX]) == {MILO: 2, REX: 1}
    assert Receipt.objects.count_uses([]) == {}


def test_search_for_a_fact_uses_the_index(replies):
    receive(replies[0], MILO)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        plan = Receipt.objects.giving([MILO]).explain()
    assert "conversations_receipt_told" in plan
