"""Threads, their episodes and messages."""

import pytest
from django.db import IntegrityError, transaction

from conversations.models import Episode, Message, Thread
from memory.models import Memory
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def reply(openai_server):
    """A turn that remembered something."""
    openai_server.chat.queue(noting("Noted.", memory_saves=["User likes tea"]))
    return write(ask(MembershipFactory(), "I like tea."))


@pytest.mark.req("S2-12", "S2-13")
def test_memory_names_its_user_and_episode(reply):
    memory = Memory.objects.get()
    assert memory.user == reply.conversation.user
    assert memory.run_id == reply.episode_id


@pytest.mark.req("S2-12", "S2-15", "S2-17")
def test_episode_holds_its_messages_with_their_details(reply, openai_server):
    episode = Episode.objects.get()
    assert (episode.status, episode.ended_at) == ("active", None)
    question, answer, _note = episode.messages.in_order()
    assert episode.last_user_message_at == question.created_at
    assert (question.role, question.content) == ("user", "I like tea.")
    assert (answer.role, answer.model) == ("assistant", "test-chat")
    assert answer.tokens_in is not None
    assert answer.tokens_out is not None
    openai_server.chat.queue(says("Fine."))
    conversation = reply.conversation
    again = ask_again(conversation, "And coffee.")
    assert again.episode_id == episode.pk
    assert again.thread_id == episode.thread_id


def ask_again(conversation, text):
    return write(ask(conversation, text, conversation_id=conversation.pk))


@pytest.mark.req("S2-14")
def test_thread_is_unique_and_knows_its_active_episode(reply):
    thread = Thread.objects.get()
    assert thread.episodes.get(status="active") == reply.episode
    same = {"channel": thread.channel, "external_id": thread.external_id}
    with pytest.raises(IntegrityError), transaction.atomic():
        Thread.objects.create(space=thread.space, **same)
    Thread.objects.create(space=MembershipFactory().space, **same)


@pytest.mark.req("S2-16")
def test_two_active_episodes_are_refused_by_the_database(reply):
    fields = {"thread": reply.thread, "conversation": reply.conversation}
    with pytest.raises(IntegrityError), transaction.atomic():
        Episode.objects.create(**fields)
    Episode.objects.create(**fields, status="closed")


@pytest.mark.req("S3-14")
def test_nothing_is_remembered_without_memory(openai_server):
    member = MembershipFactory(user__memory_on=False)
    openai_server.chat.queue(noting("Hi.", memory_saves=["User likes tea"]))
    write(ask(member, "I like tea."))
    assert Message.objects.count() == 2
    assert not Memory.objects.exists()
