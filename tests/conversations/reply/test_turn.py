"""A turn begins in one transaction: limit, message, empty reply; or nothing at all."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Conversation, DailyUse, Message, Thread
from conversations.new_conversation import NotFound, Start
from conversations.refusals import Blank, Busy, LimitReached, TooLong
from conversations.reply.idle_threads import STALE_AFTER, interrupt_stale
from conversations.reply.revise import edit, regenerate
from conversations.reply.turn import LONGEST_MESSAGE, begin
from people.models import Membership
from tests.factories import MembershipFactory, PersonFactory, UserFactory


@pytest.fixture
def membership(db):
    return MembershipFactory()


@pytest.fixture
def ann(membership):
    return membership.user


@pytest.fixture
def space_id(membership):
    return membership.space_id


def answered(turn, text="Yes."):
    Message.objects.filter(pk=turn.reply_id).update(status="done", content=text)
    Thread.objects.filter(conversations=turn.conversation_id).give_back()
    return turn


def texts(turn):
    messages = Message.objects.current().filter(conversation_id=turn.conversation_id)
    return list(messages.in_order().values_list("role", "content"))


@pytest.mark.req("S0-48")
def test_first_message_creates_the_conversation(ann, space_id):
    turn = begin(ann, space_id, "  Hello\r\nthere  ")
    conversation = Conversation.objects.get()
    assert conversation.pk == turn.conversation_id
    assert conversation.title == "Hello there"
    assert conversation.episodes.count() == 1
    assert texts(turn) == [("user", "Hello\nthere"), ("assistant", "")]


def test_the_next_message_joins_it_in_order(ann, space_id):
    first = answered(begin(ann, space_id, "One"))
    second = begin(ann, space_id, "Two", conversation_id=first.conversation_id)
    assert second.conversation_id == first.conversation_id
    assert [role for role, _ in texts(second)] == ["user", "assistant"] * 2
    assert list(Message.objects.order_by("seq").values_list("seq", flat=True)) == [
        1,
        2,
        3,
        4,
    ]


@pytest.mark.req("B-03")
def test_new_message_moves_its_conversation_to_the_top(ann, space_id):
    first = answered(begin(ann, space_id, "One"))
    begin(ann, space_id, "Other")
    begin(ann, space_id, "Two", conversation_id=first.conversation_id)
    assert Conversation.objects.newest()[0].pk == first.conversation_id


@pytest.mark.parametrize(
    ("text", "error"),
    [("", Blank), (" \n\0 ", Blank), ("x" * (LONGEST_MESSAGE + 1), TooLong)],
)
def test_invalid_message_is_refused(ann, space_id, text, error):
    with pytest.raises(error):
        begin(ann, space_id, text)
    assert Conversation.objects.count() == 0


def test_the_longest_message_is_taken(ann, space_id):
    assert begin(ann, space_id, "x" * LONGEST_MESSAGE)


def test_one_reply_at_a_time(ann, space_id):
    turn = begin(ann, space_id, "One")
    with pytest.raises(Busy):
        begin(ann, space_id, "Two", conversation_id=turn.conversation_id)
    assert len(texts(turn)) == 2


def test_an_abandoned_reply_does_not_block_the_next_message(ann, space_id):
    turn = begin(ann, space_id, "One")
    abandon(turn)
    begin(ann, space_id, "Two", conversation_id=turn.conversation_id)
    assert Message.objects.get(pk=turn.reply_id).status == "interrupted"


def test_reply_of_a_clock_that_was_put_back_does_not_block_its_chat(ann, space_id):
    turn = begin(ann, space_id, "One")
    ahead = timezone.now() + timedelta(days=365)
    Message.objects.filter(pk=turn.reply_id).update(heartbeat_at=ahead)
    Thread.objects.update(leased_until=ahead)
    begin(ann, space_id, "Two", conversation_id=turn.conversation_id)
    assert Message.objects.get(pk=turn.reply_id).status == "interrupted"


def test_lease_of_a_clock_that_was_put_back_has_ended(ann, space_id):
    turn = begin(ann, space_id, "One")
    Message.objects.update(status="done")
    Thread.objects.update(leased_until=timezone.now() + timedelta(hours=1))
    assert Thread.objects.unused().exists()
    begin(ann, space_id, "Two", conversation_id=turn.conversation_id)


def abandon(turn):
    long_ago = timezone.now() - STALE_AFTER - timedelta(seconds=1)
    Message.objects.filter(pk=turn.reply_id).update(
        heartbeat_at=long_ago, content="So far"
    )


def test_sweep_interrupts_abandoned_replies_and_keeps_their_text(ann, space_id):
    turn, alive = begin(ann, space_id, "One"), begin(ann, space_id, "Two")
    abandon(turn)
    assert [m.pk for m in interrupt_stale()] == [turn.reply_id]
    reply = Message.objects.get(pk=turn.reply_id)
    assert (reply.status, reply.content) == ("interrupted", "So far")
    assert Message.objects.get(pk=alive.reply_id).status == "streaming"


@pytest.mark.req("B-13")
def test_the_limit_counts_each_users_messages_of_a_day(ann, space_id, settings):
    settings.DAILY_MESSAGES = 2
    bob = MembershipFactory(space_id=space_id).user
    begin(ann, space_id, "One")
    begin(ann, space_id, "Two")
    with pytest.raises(LimitReached):
        begin(ann, space_id, "Three")
    assert begin(bob, space_id, "Mine")
    DailyUse.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert begin(ann, space_id, "Tomorrow")


@pytest.mark.req("B-13")
def test_a_refused_message_is_not_counted(ann, space_id):
    turn = begin(ann, space_id, "One")
    with pytest.raises(Busy):
        begin(ann, space_id, "Two", conversation_id=turn.conversation_id)
    assert DailyUse.objects.get(user=ann).messages == 1


def test_limit_of_zero_refuses_every_message(ann, space_id, settings):
    settings.DAILY_MESSAGES = 0
    with pytest.raises(LimitReached):
        begin(ann, space_id, "One")
    assert Conversation.objects.count() == 0


@pytest.mark.req("B-17")
def test_person_of_another_space_is_not_offered(ann, space_id):
    stranger = PersonFactory()
    with pytest.raises(NotFound):
        begin(ann, space_id, "Hi", start=Start(person_id=stranger.pk))
    assert Conversation.objects.count() == 0


def test_person_of_the_space_is_accepted(ann, space_id):
    person = PersonFactory(space_id=space_id)
    begin(ann, space_id, "Hi", start=Start(person_id=person.pk, remember=False))
    conversation = Conversation.objects.get()
    assert (conversation.person, conversation.remember) == (person, False)


@pytest.mark.req("B-19")
@pytest.mark.parametrize("who", ["same space", "other space", "removed", "no space"])
def test_conversation_is_private_to_its_user(ann, space_id, who):
    turn = answered(begin(ann, space_id, "Secret"))
    other, there = {
        "same space": lambda: (MembershipFactory(space_id=space_id).user, space_id),
        "other space": lambda: (ann, MembershipFactory(user=ann).space_id),
        "removed": lambda: (removed(ann), space_id),
        "no space": lambda: (UserFactory(), space_id),
    }[who]()
    with pytest.raises(NotFound):
        begin(other, there, "Hi", conversation_id=turn.conversation_id)
    with pytest.raises(NotFound):
        regenerate(other, there, turn.reply_id)
    with pytest.raises(NotFound):
        edit(other, there, turn.message.pk, "Hi")
    assert texts(turn) == [("user", "Secret"), ("assistant", "Yes.")]


def removed(user):
    Membership.objects.filter(user=user).delete()
    return user


def test_regenerating_keeps_the_old_reply_as_superseded(ann, space_id):
    turn = answered(begin(ann, space_id, "One"))
    again = regenerate(ann, space_id, turn.reply_id)
    assert again.message.pk == turn.message.pk
    assert Message.objects.get(pk=turn.reply_id).status == "superseded"
    assert texts(again) == [("user", "One"), ("assistant", "")]


def test_only_the_last_reply_can_be_regenerated(ann, space_id):
    first = answered(begin(ann, space_id, "One"))
    answered(begin(ann, space_id, "Two", conversation_id=first.conversation_id))
    with pytest.raises(NotFound):
        regenerate(ann, space_id, first.reply_id)


def test_editing_supersedes_everything_from_there(ann, space_id):
    first = answered(begin(ann, space_id, "One"))
    second = answered(
        begin(ann, space_id, "Two", conversation_id=first.conversation_id)
    )
    again = edit(ann, space_id, second.message.pk, "Two and a half")
    assert texts(again) == [
        ("user", "One"),
        ("assistant", "Yes."),
        ("user", "Two and a half"),
        ("assistant", ""),
    ]


def test_a_reply_cannot_be_edited_as_a_message(ann, space_id):
    turn = answered(begin(ann, space_id, "One"))
    with pytest.raises(NotFound):
        edit(ann, space_id, turn.reply_id, "Mine now")


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_send_at_once_get_one_reply():
    membership = MembershipFactory()
    turn = answered(begin(membership.user, membership.space_id, "One"))

    def send(text):
        try:
            return begin(
                membership.user,
                membership.space_id,
                text,
                conversation_id=turn.conversation_id,
            )
        except Busy:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(send, ["a", "b", "c", "d"]))
    assert sum(t is not None for t in turns) == 1
    assert Thread.objects.get().next_seq == 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("B-13")
def test_two_requests_cannot_both_use_the_last_message_of_a_day(settings):
    settings.DAILY_MESSAGES = 3
    membership = MembershipFactory()

    def send(text):
        try:
            return begin(membership.user, membership.space_id, text)
        except LimitReached:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(send, "abcdef"))
    assert sum(t is not None for t in turns) == 3
