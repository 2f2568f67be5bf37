"""Ingested messages that wait or failed are not stored after they were forgotten."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.api.models import IngestedMessage
from conversations.models import Message
from conversations.reply.confirmations import forget_scope
from memory import service
from memory.values import Provenance
from people.scope import scope_for
from tests.conversations.api.ingest.conftest import Channel, work
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "I am pregnant"


def forget(scope, at):
    wish = Provenance("inline", at)
    service.forget_stated(scope, service.prepare_forgetting(["User is pregnant"]), wish)


def work_again():
    """After staff retried all failed messages."""
    IngestedMessage.objects.filter(state="dead").retry()
    work()
    return set(Message.objects.values_list("content", flat=True))


@pytest.fixture
def scope(member):
    return scope_for(member.user, member.space_id, channel="web")


@pytest.mark.parametrize("state", ["dead", "waiting"])
def test_a_forgotten_message_is_not_stored(own, scope, member, state):
    other = Channel(api_for(MembershipFactory(space=member.space)))
    own.report(TEXT, "Tea is ready")
    IngestedMessage.objects.update(state=state)
    other.report(TEXT, external_id="1")
    forget(scope, timezone.now())
    mine = IngestedMessage.objects.get(error="forgotten")
    assert (mine.state, mine.payload) == ("done", {})
    assert own.report(TEXT) == ["known"]
    assert work_again() == {"Tea is ready", TEXT}
    assert Message.objects.get(content=TEXT).conversation.user != member.user


def test_a_message_that_is_later_than_the_wish_is_stored(own, scope):
    own.report(TEXT)
    forget(scope, timezone.now() - timedelta(minutes=1))
    assert work_again() == {TEXT}


@pytest.mark.parametrize("state", ["dead", "waiting"])
def test_nothing_waits_after_everything_is_forgotten(own, scope, state):
    own.report(TEXT, "Tea is ready")
    IngestedMessage.objects.update(state=state)
    forget_scope(scope)
    assert work_again() == set()
