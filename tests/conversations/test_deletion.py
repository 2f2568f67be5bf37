"""A deleted conversation loses all its rows; facts stay."""

import pytest
from django.utils import timezone

from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, Episode, Message, Receipt, Thread
from conversations.reply.turn import begin
from memory.models import CaptureJob, Memory
from memory.values import Candidate, Provenance
from people.scope import scope_for
from tests.conversations.receipts import receive
from tests.factories import MembershipFactory
from tests.memory.conftest import remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(db):
    member = MembershipFactory()
    return begin(member.user, member.space_id, "Hello")


def fill(turn):
    message = Message.objects.get(pk=turn.message.pk)
    conversation = message.conversation
    scope = scope_for(conversation.user, conversation.space_id, channel="web")
    provenance = Provenance("inline", timezone.now(), message_id=message.pk)
    [decision] = remember(scope, [Candidate("User is left-handed")], provenance)
    receive(turn.reply, decision.memory_id)
    CaptureJob.objects.create(
        origin="inline",
        kind="remember",
        source_id=message.pk,
        user=conversation.user,
        space=conversation.space,
        channel="web",
        run_id=message.episode_id,
        stated_at=timezone.now(),
    )
    return conversation


@pytest.mark.req("B-09", "S0-38")
def test_facts_stay_without_their_source(turn):
    conversation = fill(turn)
    assert delete_conversation(conversation) == [turn.reply_id]
    for model in (Conversation, Message, Episode, Thread, Receipt, CaptureJob):
        assert model.objects.count() == 0
    memory = Memory.objects.get()
    assert (memory.content, memory.active) == ("User is left-handed", True)
    assert memory.source_message is None


def test_other_conversations_stay(turn):
    conversation = Conversation.objects.get()
    other = begin(conversation.user, conversation.space_id, "Other")
    delete_conversation(conversation)
    assert Conversation.objects.get().pk == other.conversation_id
    assert Message.objects.count() == 2
