"""Where the episodes of a conversation begin, and why."""

from datetime import timedelta

import pytest

from conversations.episodes.switching import TIME_GAP
from conversations.models import Episode, Message
from tests.conversations.chapters import MORNING, Chat
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chat(openai_server):
    return Chat(MembershipFactory())


@pytest.mark.req("S2-03", "S2-23", "S2-26", "S2-28", "B-30")
@pytest.mark.parametrize(
    ("pause", "reason"),
    [
        (timedelta(hours=8), "stay"),
        (timedelta(hours=8, microseconds=1), "time_gap"),
        (timedelta(days=40), "time_gap"),
    ],
)
def test_pause_of_more_than_eight_hours_begins_an_episode(chat, pause, reason):
    first = chat.say("Which tea is good for sleep?")
    second = chat.say("And which one is bad?", MORNING + pause)
    assert chat.reasons() == ["first", reason]
    assert (first.episode_id != second.episode_id) == (reason == "time_gap")


def test_closed_episode_has_its_dates_and_messages(chat):
    chat.say("Which tea is good for sleep?")
    chat.say("Thanks.", MORNING + timedelta(minutes=5))
    late = MORNING + timedelta(days=1)
    chat.say("Good morning!", late)
    before, after = Episode.objects.order_by("started_at")
    assert (before.status, before.started_at, before.ended_at) == (
        "closed",
        MORNING,
        MORNING + timedelta(minutes=5) + TIME_GAP,
    )
    assert before.last_user_message_at == MORNING + timedelta(minutes=5)
    assert (after.status, after.started_at, after.ended_at) == ("active", late, None)
    assert (before.messages.count(), after.messages.count()) == (4, 2)


@pytest.mark.req("S2-56")
def test_reply_belongs_to_the_episode_of_its_message(chat):
    turn = chat.begin("Which tea is good for sleep?")
    assert turn.reply.episode_id == turn.message.episode_id
    assert not Message.objects.exclude(episode=turn.message.episode).exists()
