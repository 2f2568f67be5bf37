"""One look for all streams finds those that have to look for themselves."""

import asyncio
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client

from conversations.models import Message
from conversations.web import watching
from conversations.web.watching import Reader, unwell
from people.models import Membership
from tests.conversations import talks

pytestmark = pytest.mark.django_db


def reader(user, space, text="So far"):
    talk = talks.conversation(user, space, title="Knee pain")
    reply = talks.exchange(talk, "My knee hurts.", text, "streaming")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return Reader(
        reply.pk, user.pk, client.session.session_key, look=list, size=len(text)
    )


@pytest.fixture
def mine(ann, home):
    return reader(ann, home)


@pytest.fixture
def other(bob, home):
    return reader(bob, home)


def test_whoever_is_well_is_let_alone_with_two_statements_for_all(
    mine, other, django_assert_num_queries
):
    with django_assert_num_queries(2):
        assert unwell([mine, other]) == []


@pytest.mark.req("B-19")
@pytest.mark.parametrize("what", ["left", "signed out", "deactivated"])
def test_who_may_perhaps_not_read_on_has_to_look(what, mine, other, ann):
    if what == "left":
        Membership.objects.filter(user=ann).delete()
    elif what == "signed out":
        Session.objects.filter(pk=mine.session_key).delete()
    else:
        ann.is_active = False
        ann.save()
    assert unwell([mine, other]) == [mine]


@pytest.mark.req("B-19")
def test_another_users_reply_is_nobodys_to_read(mine, other):
    mine.message_id, kept = other.message_id, mine.message_id
    assert unwell([mine, other]) == [mine]
    mine.message_id = uuid4()
    assert unwell([mine]) == [mine]
    mine.message_id = kept
    assert unwell([mine]) == []


def test_a_reply_that_ended_has_to_be_looked_at(mine, other):
    Message.objects.filter(pk=mine.message_id).update(status="done")
    assert unwell([mine, other]) == [mine]


def test_text_that_has_not_come_three_looks_later_was_lost(mine):
    mine.size = 2
    seen = [unwell([mine]) for _ in range(4)]
    assert seen == [[], [], [], [mine]]  # it may have been on its way
    mine.size = 6
    assert unwell([mine]) == []


def test_a_page_that_is_late_and_gets_on_is_let_alone(mine):
    for size in range(9):
        mine.size = size
        text = "x" * (size + 2)
        Message.objects.filter(pk=mine.message_id).update(content=text)
        assert unwell([mine]) == []


@pytest.mark.req("B-19")
async def test_where_nobody_can_look_for_all_each_looks_alone(monkeypatch):
    def away(_readers):
        raise OperationalError("away")

    looked = []
    reader = Reader(uuid4(), uuid4(), "", look=lambda: looked.append(1))
    monkeypatch.setattr(watching, "unwell", away)
    monkeypatch.setattr(watching, "LOOK_EVERY", 0.01)
    with watching.watched(reader):
        for _ in range(200):
            await asyncio.sleep(0.01)
    assert looked


def test_a_page_that_goes_by_the_row_looks_every_time(mine):
    mine.size = -1
    assert unwell([mine]) == [mine]
