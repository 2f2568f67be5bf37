"""Which messages of a conversation, and of the one it carries, the model gets."""

import pytest
from django.utils import timezone

from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start
from conversations.reply.history import history_of
from conversations.reply.prompt_place import place_of_turn
from conversations.reply.turn import Received, begin
from tests.conversations import transcripts
from tests.factories import MembershipFactory

LEASE = Thread().pk


@pytest.fixture
def member(db):
    return MembershipFactory()


@pytest.fixture
def chat(member):
    """A chat whose old conversation has 45 messages."""
    old = transcripts.start_conversation(member.user, member.space)
    for n in range(45):
        transcripts.say(old, ("user", "assistant")[n % 2], f"old {n}")
    return old


def seen(member, chat, count, **start):
    """The prompt's messages in a new conversation with `count` messages."""
    start = Start(thread=Thread.objects.get(pk=chat.thread_id), **start)
    received = Received(LEASE, timezone.now())
    turn = begin(member.user, member.space_id, "m0", start=start, received=received)
    new = Conversation.objects.get(pk=turn.conversation_id)
    for n in range(1, count):
        Message.objects.filter(status="streaming").update(status="done", content="Yes.")
        turn = begin(
            member.user,
            member.space_id,
            f"m{n}",
            conversation_id=new.pk,
            received=received,
        )
    place = place_of_turn(turn, history_of(turn))
    return [line.text for line in place.brief.history]


@pytest.mark.req("S0-51")
def test_prompt_has_thirty_messages_after_a_pause(member, chat):
    assert seen(member, chat, 1, carries=chat) == [
        *(f"old {n}" for n in range(15, 45)),
        "m0",
    ]


@pytest.mark.req("B-04")
def test_carried_messages_make_room_for_new_ones(member, chat):
    window = seen(member, chat, 6, carries=chat)
    assert len(window) == 31
    assert window[:2] == ["old 25", "old 26"]
    assert window[-1] == "m5"


def test_new_conversation_without_carried_messages_starts_empty(member, chat):
    assert seen(member, chat, 1) == ["m0"]


def test_lines_about_notes_and_superseded_messages_are_not_in_the_prompt(member, chat):
    transcripts.say(chat, "system", "Saved to Health Notes")
    transcripts.say(chat, "assistant", "An older attempt", "superseded")
    assert seen(member, chat, 1, carries=chat)[-2:] == ["old 44", "m0"]


@pytest.mark.req("S3-64")
@pytest.mark.parametrize("count", [10, 15])
def test_setting_limits_the_messages_of_what_is_not_remembered(
    member, chat, settings, count
):
    settings.RECENT_MESSAGES = count
    assert len(seen(member, chat, 12, remember=False)) == count


@pytest.mark.req("B-21")
def test_prompt_of_what_is_not_remembered_has_twenty_messages(member, chat):
    history = seen(member, chat, 12, remember=False)
    assert len(history) == 20
    assert history[-1] == "m11"
