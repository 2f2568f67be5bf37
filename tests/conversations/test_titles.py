"""A conversation gets a title after its first exchange, unless the user was quicker."""

import pytest
from django.db import connection

from conversations.models import Conversation, Message, Thread
from conversations.reply.revise import edit, use_version
from conversations.reply.turn import begin
from conversations.tasks import sweep_replies, title_conversation
from conversations.titles import (
    LONGEST_TITLE,
    clean_title,
    first_words,
    opening,
    write_title,
)
from meddie.ai import priority
from tests.conversations import transcripts
from tests.conversations.reply.test_followups import queued
from tests.factories import MembershipFactory
from tests.openai_answers import fails, says
from tests.reply_in_progress import reply_in_progress

pytestmark = [pytest.mark.django_db, pytest.mark.req("B-21")]


@pytest.fixture
def conversation(db):
    member = MembershipFactory()
    turn = begin(member.user, member.space_id, "I slept badly all week, what helps?")
    Message.objects.filter(pk=turn.reply_id).update(status="done", content="Less tea.")
    return Conversation.objects.get()


def title_of(conversation):
    conversation.refresh_from_db()
    return conversation.title


def test_the_fast_model_writes_the_title(conversation, openai_server):
    openai_server.titles.queue(says('"Sleeping badly all week."'))
    title_conversation(str(conversation.pk))
    assert title_of(conversation) == "Sleeping badly all week"
    asked = openai_server.titles.requests[0].body
    assert asked["model"] == "test-fast"
    assert "Less tea." in asked["messages"][-1]["content"]


def test_title_stays_the_first_words_without_a_provider(conversation, openai_server):
    openai_server.titles.queue(fails(401))
    write_title(conversation.pk)
    assert title_of(conversation) == "I slept badly all week, what helps?"


@pytest.mark.django_db(transaction=True)
def test_title_given_by_the_user_stays(conversation, openai_server):
    def rename(_body):
        Conversation.objects.update(title="My own name")
        connection.close()
        return says("A title")

    openai_server.titles.queue(rename)
    write_title(conversation.pk)
    assert title_of(conversation) == "My own name"


def test_conversation_deleted_during_the_reply_raises_no_error(
    conversation, openai_server
):
    pk = conversation.pk
    conversation.delete()
    write_title(pk)
    assert openai_server.titles.requests == []


def test_title_is_written_by_the_stand_in(conversation):
    write_title(conversation.pk)
    assert 0 < len(title_of(conversation)) <= LONGEST_TITLE


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Tea and sleep", "Tea and sleep"),
        ('"Tea and sleep."\n\nBecause…', "Tea and sleep"),
        ("\n\n## Tea", "Tea"),
        ("„Herbata i sen”", "Herbata i sen"),
        ("", ""),
        ("x" * 300, "x" * (LONGEST_TITLE - 1) + "…"),
    ],
)
def test_a_title_is_one_clean_line(answer, title):
    assert clean_title(answer) == title


def test_sweep_leaves_an_active_reply(conversation):
    Message.objects.filter(role="assistant").update(status="streaming")
    sweep_replies()
    assert Message.objects.get(role="assistant").status == "streaming"


def test_title_that_gives_way_to_a_reply_is_written_later(
    conversation, openai_server, settings, monkeypatch
):
    settings.MODEL_SLOTS = 1
    monkeypatch.setattr(priority, "LONGEST_WAIT", 0.1)
    with reply_in_progress():
        title_conversation(str(conversation.pk))
    assert openai_server.titles.requests == []
    assert queued("chat") == ["conversations.title_conversation"]
    title_conversation(str(conversation.pk))
    assert title_of(conversation) == "A title"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Short and\n clear", "Short and clear"),
        ("word " * 30, "word " * 23 + "word…"),
        ("x" * 200, "x" * 119 + "…"),
    ],
)
def test_the_first_words_are_whole_words(text, title):
    assert first_words(text) == title
    assert len(title) <= LONGEST_TITLE


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "I take 20 mg of atorvastatin. Is that much?",
            "I take 20 mg of atorvastatin.",
        ),
        (
            "Endocrinologist appointment on Thursday next week, at 14:30 with Dr. H.",
            "Endocrinologist appointment on Thursday next…",
        ),
    ],
)
def test_first_title_is_a_short_beginning_of_the_first_sentence(text, title):
    assert opening(text) == title


def test_nothing_is_asked_for_a_title_without_a_model(conversation, caplog):
    write_title(conversation.pk)
    assert title_of(conversation) == "I slept badly all week, what helps?"
    assert not caplog.records


def change(conversation, message, text):
    """Edit a message and end its reply."""
    Thread.objects.update(leased_until=None, lease_holder=None)
    turn = edit(conversation.user, conversation.space_id, message.pk, text)
    Message.objects.filter(pk=turn.reply_id).update(status="done", content="I see.")
    Thread.objects.update(leased_until=None, lease_holder=None)


def test_title_follows_the_first_message(conversation, openai_server):
    write_title(conversation.pk)
    assert title_of(conversation) == "A title"
    first = conversation.messages.get(role="user")
    change(conversation, first, "My knee hurts.")
    assert title_of(conversation) == "My knee hurts."
    openai_server.titles.queue(says("Knee pain"))
    write_title(conversation.pk)
    assert title_of(conversation) == "Knee pain"
    use_version(conversation.user, conversation.space_id, first.pk)
    assert title_of(conversation) == "I slept badly all week, what helps?"


def test_version_that_comes_back_is_titled_again(
    conversation, openai_server, django_capture_on_commit_callbacks
):
    first = conversation.messages.get(role="user")
    change(conversation, first, "My knee hurts.")
    queued()
    with django_capture_on_commit_callbacks(execute=True):
        use_version(conversation.user, conversation.space_id, first.pk)
    assert queued("chat") == ["conversations.title_conversation"]
    openai_server.titles.queue(says("Bad sleep"))
    title_conversation(str(conversation.pk))
    assert title_of(conversation) == "Bad sleep"


def test_version_that_comes_back_keeps_its_words_when_no_messages_are_left(
    conversation, settings, django_capture_on_commit_callbacks
):
    first = conversation.messages.get(role="user")
    change(conversation, first, "My knee hurts.")
    queued()
    settings.DAILY_MESSAGES = 1
    with django_capture_on_commit_callbacks(execute=True):
        use_version(conversation.user, conversation.space_id, first.pk)
    assert queued("chat") == []
    assert title_of(conversation) == first.content


def test_title_does_not_follow_a_later_message(conversation, openai_server):
    write_title(conversation.pk)
    later = transcripts.exchange(conversation, "And coffee?", "Less of it.").answers
    change(conversation, later, "And tea?")
    assert title_of(conversation) == "A title"


def test_title_of_the_user_does_not_follow_the_first_message(
    client, conversation, openai_server
):
    client.force_login(conversation.user)
    first = conversation.messages.get(role="user")
    given = first.content
    client.post(f"/chat/{conversation.pk}/rename", {"title": given})
    write_title(conversation.pk)
    assert openai_server.titles.requests == []
    change(conversation, first, "My knee hurts.")
    assert title_of(conversation) == given
