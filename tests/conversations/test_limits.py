"""Messages, memories and files of a user share one quota."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.attachments.storage import store
from conversations.limits import (
    ENDLESS,
    MESSAGES_OF_MODEL,
    bytes_used,
    count_message,
    daily_messages,
    take_room,
)
from conversations.models import Attachment, Conversation, DailyUse, Message, Thread
from conversations.refusals import LimitReached, NoRoom, NoRoomForText
from conversations.reply.revise import edit
from conversations.reply.turn import begin
from tests.conversations.transcripts import exchange, start_conversation
from tests.factories import MembershipFactory, MemoryFactory, ProfileFactFactory

pytestmark = pytest.mark.django_db
ROOM = 100  # bytes


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def small(settings):
    settings.QUOTA_MB = ROOM / 1024 / 1024


def say(member, text):
    return begin(member.user, member.space_id, text)


@pytest.mark.usefixtures("small")
def test_message_without_room_is_not_stored_and_says_why(member):
    say(member, "x" * ROOM)
    with pytest.raises(NoRoomForText, match="messages, memories and files"):
        say(member, "y")
    assert Message.objects.filter(role="user").count() == 1
    assert DailyUse.objects.get().messages == 1


@pytest.mark.usefixtures("small")
def test_bytes_are_counted_and_not_characters(member):
    with pytest.raises(NoRoomForText):
        say(member, "ż" * (ROOM // 2 + 1))
    say(member, "ż" * (ROOM // 2))


@pytest.mark.usefixtures("small")
def test_edited_message_is_kept_and_needs_room_for_both(member):
    turn = say(member, "x" * (ROOM // 2 + 1))
    Message.objects.filter(pk=turn.reply_id).update(status="done")
    Thread.objects.give_back()
    with pytest.raises(NoRoomForText):
        edit(member.user, member.space_id, turn.message.pk, "y" * (ROOM // 2))


@pytest.mark.usefixtures("small")
def test_files_and_messages_share_one_quota(member):
    store(member.user, member.space_id, "a.txt", b"x" * 60)
    with pytest.raises(NoRoomForText):
        say(member, "y" * 60)
    say(member, "y" * 40)
    with pytest.raises(NoRoom):
        store(member.user, member.space_id, "b.txt", b"z")


@pytest.mark.usefixtures("small")
def test_deleted_texts_and_files_make_room(member):
    say(member, "x" * ROOM)
    Conversation.objects.all().delete()
    store(member.user, member.space_id, "a.txt", b"x" * ROOM)
    Attachment.objects.all().delete()
    say(member, "y" * ROOM)
    assert DailyUse.objects.get().stored == ROOM


@pytest.mark.usefixtures("small")
def test_quota_goes_on_from_day_to_day(member):
    say(member, "x" * ROOM)
    yesterday = timezone.now().date() - timedelta(days=1)
    DailyUse.objects.update(day=yesterday)
    with pytest.raises(NoRoomForText):
        say(member, "y")
    count_message(member.user.pk)
    today = DailyUse.objects.latest("day")
    assert (today.messages, today.stored) == (1, ROOM)


@pytest.mark.usefixtures("small")
def test_full_user_is_told_of_the_daily_limit_first(member, settings):
    settings.DAILY_MESSAGES = 1
    say(member, "x" * ROOM)
    with pytest.raises(LimitReached):
        say(member, "y")


@pytest.mark.usefixtures("small")
def test_other_users_have_their_own_room(member):
    say(member, "x" * ROOM)
    other = MembershipFactory(space=member.space)
    take_room(other.user.pk, "x" * ROOM)


def test_sent_and_remembered_texts_are_counted(member):
    scope = {"user": member.user, "space": member.space}
    conversation = start_conversation(member.user, member.space)
    exchange(conversation, "żółw", "A long reply that does not count")
    before = bytes_used(member.user.pk)
    assert before == len("żółw".encode())
    MemoryFactory(**scope, content="User has a turtle")
    ProfileFactFactory(**scope, value="Oslo")
    store(member.user, member.space_id, "a.txt", b"x" * 10)
    store(member.user, member.space_id, "b.txt", b"x" * 10)
    after = before + len("User has a turtle") + len("Oslo") + 10
    assert bytes_used(member.user.pk) == after


def test_answers_of_a_model_have_a_limit_and_those_without_one_none(
    settings, openai_server
):
    assert settings.DAILY_MESSAGES is None
    assert daily_messages() == MESSAGES_OF_MODEL
    settings.OPENAI_API_KEY = ""
    assert daily_messages() == ENDLESS
