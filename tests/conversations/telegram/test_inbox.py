"""The inbox: each update once, a chat's in their order, by one worker at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.models import Message, TelegramPart, TelegramUpdate, Thread
from conversations.tasks import drain_chat
from conversations.telegram import inbox, worker
from conversations.telegram.accept import Files, take_in
from tests.conversations.telegram.chat import post
from tests.openai_server import Answer, says
from tests.telegram_updates import ANNA

SENDERS = count(9_000_000)


def leased():
    """The chat's thread, under a new lease."""
    thread = Thread.objects.get(channel="telegram")
    lease = uuid4()
    assert Thread.objects.filter(pk=thread.pk).lease_to(lease)
    return thread, lease


@pytest.fixture
def waiting(bot, telegram):
    """One update that waits."""
    post(bot, telegram.message("/help", sender=ANNA))
    return TelegramUpdate.objects.get()


@pytest.mark.req("S3-15")
def test_a_message_is_queued_once_however_often_it_arrives(chat, telegram):
    update = telegram.message("/help", sender=ANNA)
    for _ in range(3):
        assert post(chat.bot, update).status_code == 200
    chat.work()
    assert post(chat.bot, update).status_code == 200
    chat.work()
    assert len(chat.answers()) == 1
    assert chat.states() == ["done"]


@pytest.mark.req("S3-16")
def test_the_401st_that_waits_makes_the_oldest_a_dead_letter(bot, telegram):
    for _ in range(inbox.MOST_WAITING):
        inbox.receive(bot, telegram.message("Hello", sender=ANNA))
    assert not TelegramUpdate.objects.exclude(ended_at=None).exists()
    inbox.receive(bot, telegram.message("Hello", sender=ANNA))
    dead = TelegramUpdate.objects.get(state="dead")
    assert (dead.update_id, dead.error) == (1, "overflow")
    assert dead.payload["message"]["text"] == "Hello"
    assert TelegramUpdate.objects.unfinished().count() == inbox.MOST_WAITING


def test_a_full_inbox_of_one_chat_is_nothing_to_another(bot, telegram, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_WAITING", 2)
    for sender in (1, 1, 2, 2):
        inbox.receive(bot, telegram.message("Hello", sender=sender))
    assert not TelegramUpdate.objects.exclude(ended_at=None).exists()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.integers(0, 10**6), unique=True, min_size=1, max_size=8))
@pytest.mark.req("B-15", "S3-17")
def test_in_whatever_order_updates_are_stored_they_are_taken_up_by_their_number(
    bot, telegram, numbers
):
    TelegramUpdate.objects.all().delete()
    sender = next(SENDERS)
    for number in numbers:
        update = telegram.message("Hello", sender=sender) | {"update_id": number}
        key = inbox.receive(bot, update)
    lease, taken = uuid4(), []
    assert Thread.objects.filter(pk=key).lease_to(lease)
    while (update := inbox.next_due(key, lease)) is not None:
        taken.append(update.update_id)
        inbox.finish(update, lease)
    assert taken == sorted(numbers)


@pytest.mark.req("S3-17")
def test_two_workers_at_one_chat_answer_one_after_another(chat, openai_server):
    openai_server.chat.queue(
        Answer("One.", pieces=("On", "e."), pace=0.1), says("Two."), says("Three.")
    )
    for text in ("First", "Second", "Third"):
        post(chat.bot, chat.telegram.message(text, sender=ANNA))

    thread = Thread.objects.get(channel="telegram")
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(drain_chat, [str(thread.pk)] * 4))
    assert chat.answers() == ["One.", "Two.", "Three."]
    said = list(Message.objects.in_order().values_list("content", flat=True))
    assert said == ["First", "One.", "Second", "Two.", "Third", "Three."]


@pytest.mark.parametrize("renew_every", [0.05, 100])
def test_who_lost_the_chat_writes_nothing_more(
    chat, openai_server, monkeypatch, renew_every
):
    """The first worker hangs at a slow provider while another one takes over; whether
    it finds out by its heartbeat or at its next step."""
    monkeypatch.setattr(worker, "RENEW_EVERY", renew_every)
    slow = Answer("Slow one.", pieces=("Slow", " one", "."), pace=0.8)
    openai_server.chat.queue(slow, says("Quick."))
    post(chat.bot, chat.telegram.message("Hello", sender=ANNA))
    thread = Thread.objects.get(channel="telegram")
    first = threading.Thread(target=drain_chat, args=[str(thread.pk)])
    first.start()
    chat.telegram.wait_until(lambda: len(openai_server.chat.requests) == 1)
    Thread.objects.filter(pk=thread.pk).give_back()
    chat.work()
    first.join()
    assert chat.answers() == ["Quick."]
    assert chat.states() == ["done"]
    said = Message.objects.in_order().values_list("role", "content", "status")
    assert list(said) == [("user", "Hello", "done"), ("assistant", "Quick.", "done")]
    assert TelegramPart.objects.count() == 1


@pytest.mark.parametrize(
    "step",
    [
        lambda update, lease: inbox.next_due(update.thread_id, lease),
        inbox.finish,
        lambda update, lease: inbox.failed(update, lease, "x"),
        inbox.part_to_send,
    ],
)
def test_every_step_asks_for_the_lease(waiting, step):
    before = TelegramUpdate.objects.values().get()
    leased()
    with pytest.raises(inbox.LeaseLost):
        step(waiting, uuid4())
    assert TelegramUpdate.objects.values().get() == before


@pytest.mark.req("S3-13")
def test_what_a_worker_left_half_done_is_taken_up_by_the_next(chat, openai_server):
    """`make test-kill` kills real ones, at every stored state."""
    openai_server.chat.queue(says("Whole."))
    post(chat.bot, chat.telegram.message("Hello", sender=ANNA))
    thread, lease = leased()
    update = inbox.next_due(thread.pk, lease)
    take_in(update, lease, Files())
    chat.work()
    assert chat.states() == ["turn"]  # the dead worker's lease still holds
    past = timezone.now() - timedelta(seconds=1)
    Thread.objects.update(leased_until=past)
    chat.work()
    assert chat.answers() == ["Whole."]
    assert Message.objects.filter(role="user").count() == 1


class TestAgain:
    def test_a_dead_letter_can_be_worked_on_again(self, chat, waiting):
        thread, lease = leased()
        waiting.attempts = inbox.MOST_ATTEMPTS - 1
        inbox.failed(waiting, lease, "unreachable")
        Thread.objects.filter(pk=thread.pk).give_back()
        chat.work()
        assert chat.states() == ["dead"]
        inbox.retry(waiting)
        chat.work()
        assert chat.states() == ["done"]
        assert len(chat.answers()) == 1

    def test_what_is_done_is_not_done_again(self, chat, waiting):
        chat.work()
        inbox.retry(waiting)
        chat.work()
        assert len(chat.answers()) == 1

    def test_what_broke_its_worker_again_and_again_is_a_dead_letter(self, waiting):
        TelegramUpdate.objects.update(begun=inbox.MOST_BEGUN)
        thread, lease = leased()
        assert inbox.next_due(thread.pk, lease) is None
        waiting.refresh_from_db()
        assert (waiting.state, waiting.error) == ("dead", "crashed")


class TestSweep:
    def test_it_finds_what_no_bell_was_rung_for(self, waiting):
        assert inbox.waiting() == [waiting.thread_id]

    def test_it_leaves_alone_what_somebody_works_on(self, waiting):
        leased()
        assert inbox.waiting() == []
        past = timezone.now() - timedelta(seconds=1)
        Thread.objects.update(leased_until=past)
        assert inbox.waiting() == [waiting.thread_id]

    def test_it_leaves_alone_what_waits_for_later(self, waiting):
        later = timezone.now() + timedelta(minutes=1)
        TelegramUpdate.objects.update(available_at=later)
        assert inbox.waiting() == []


def test_what_ended_long_ago_is_dropped(chat, waiting):
    chat.work()
    assert inbox.forget_old() == 0
    TelegramUpdate.objects.update(ended_at=timezone.now() - timedelta(days=31))
    post(chat.bot, chat.telegram.message("/help", sender=ANNA))
    inbox.forget_old()
    assert chat.states() == ["received"]
