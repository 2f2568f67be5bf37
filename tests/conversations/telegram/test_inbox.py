"""The inbox: each update once, a chat's in order, by one worker at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations import inbox
from conversations.models import Message, Thread
from conversations.telegram.accept import accept_message
from conversations.telegram.deliver import part_to_send
from conversations.telegram.incoming import incoming_of
from conversations.telegram.models import TelegramPart, TelegramUpdate
from conversations.telegram.process import INBOX
from conversations.telegram.updates import end_update, receive
from meddie.jobs.job import CRASHES_ALLOWED, LeaseLost
from meddie.jobs.tasks import daily
from tests.conversations.telegram.chat import end_leases, lease_chat, post
from tests.openai_answers import Answer, says
from tests.telegram_updates import ANNA

SENDERS = count(9_000_000)


@pytest.fixture
def waiting(bot, telegram):
    """One update that waits."""
    post(bot, telegram.message("/help", sender=ANNA))
    return TelegramUpdate.objects.get()


@pytest.mark.req("S3-15")
def test_message_that_arrives_three_times_is_answered_once(chat, telegram):
    update = telegram.message("/help", sender=ANNA)
    for _ in range(3):
        assert post(chat.bot, update).status_code == 200
    chat.work()
    assert post(chat.bot, update).status_code == 200
    chat.work()
    assert len(chat.answers()) == 1
    assert chat.states() == ["done"]


@pytest.mark.req("S3-16")
def test_401st_waiting_update_makes_the_oldest_dead(bot, telegram):
    for _ in range(inbox.MOST_WAITING):
        receive(bot, telegram.message("Hello", sender=ANNA))
    assert not TelegramUpdate.objects.filter(state="dead").exists()
    receive(bot, telegram.message("Hello", sender=ANNA))
    dead = TelegramUpdate.objects.get(state="dead")
    assert (dead.update_id, dead.error) == (1, "overflow")
    assert dead.payload["message"]["text"] == "Hello"
    assert TelegramUpdate.objects.unfinished().count() == inbox.MOST_WAITING


def test_full_inbox_of_one_chat_does_not_affect_another(bot, telegram, monkeypatch):
    monkeypatch.setattr(inbox, "MOST_WAITING", 2)
    for sender in (1, 1, 2, 2):
        receive(bot, telegram.message("Hello", sender=sender))
    assert not TelegramUpdate.objects.filter(state="dead").exists()


@settings(max_examples=25)
@given(st.lists(st.integers(0, 10**6), unique=True, min_size=1, max_size=8))
@pytest.mark.req("B-15", "S3-17")
def test_updates_are_handled_in_the_order_of_their_numbers(bot, telegram, numbers):
    TelegramUpdate.objects.all().delete()
    sender = next(SENDERS)
    for number in numbers:
        update = telegram.message("Hello", sender=sender) | {"update_id": number}
        key = receive(bot, update)
    lease, handled = uuid4(), []
    assert Thread.objects.filter(pk=key).lease_to(lease)
    while (update := inbox.claim_next(TelegramUpdate, key, lease)) is not None:
        handled.append(update.update_id)
        end_update(update)
    assert handled == sorted(numbers)


@pytest.mark.req("S3-17")
def test_four_workers_at_one_chat_answer_one_after_another(chat, openai_server):
    openai_server.chat.queue(
        Answer("One.", pieces=("On", "e."), pace=0.1), says("Two."), says("Three.")
    )
    for text in ("First", "Second", "Third"):
        post(chat.bot, chat.telegram.message(text, sender=ANNA))

    thread = Thread.objects.get(channel="telegram")
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(INBOX.run, [thread.pk] * 4))
    assert chat.answers() == ["One.", "Two.", "Three."]
    texts = list(Message.objects.in_order().values_list("content", flat=True))
    assert texts == ["First", "One.", "Second", "Two.", "Third", "Three."]


@pytest.mark.parametrize("renew_every", [0.05, 100])
def test_worker_that_lost_the_chat_writes_nothing_more(
    chat, openai_server, monkeypatch, renew_every
):
    """The first worker waits for a slow provider while another takes over. It notices
    when it renews the lease, or at its next step."""
    monkeypatch.setattr(inbox, "RENEW_EVERY", renew_every)
    slow = says("Slow one.", pieces=("Slow", " one", "."), hold=1)
    openai_server.chat.queue(slow, says("Quick."))
    post(chat.bot, chat.telegram.message("Hello", sender=ANNA))
    thread = Thread.objects.get(channel="telegram")
    first = threading.Thread(target=INBOX.run, args=[thread.pk])
    first.start()
    chat.telegram.wait_until(lambda: len(openai_server.chat.requests) == 1)
    Thread.objects.filter(pk=thread.pk).give_back()
    chat.work()
    openai_server.released.set()
    first.join()
    assert chat.answers() == ["Quick."]
    assert chat.states() == ["done"]
    stored = Message.objects.in_order().values_list("role", "content", "status")
    assert list(stored) == [("user", "Hello", "done"), ("assistant", "Quick.", "done")]
    assert TelegramPart.objects.count() == 1


@pytest.mark.parametrize(
    "step",
    [
        end_update,
        lambda update: update.fail("x"),
        lambda update: update.postpone("x", timedelta(seconds=1)),
        lambda update: accept_message(incoming_of(update)),
        part_to_send,
    ],
)
def test_every_step_needs_the_lease(waiting, step):
    thread, lease = lease_chat()
    update = inbox.claim_next(TelegramUpdate, thread.pk, lease)
    Thread.objects.filter(pk=thread.pk).update(lease_holder=uuid4())
    before = TelegramUpdate.objects.values().get()
    with pytest.raises(LeaseLost):
        step(update)
    assert TelegramUpdate.objects.values().get() == before


def test_update_is_not_claimed_without_the_lease(waiting):
    thread, _lease = lease_chat()
    with pytest.raises(LeaseLost):
        inbox.claim_next(TelegramUpdate, thread.pk, uuid4())


@pytest.mark.req("S3-13")
def test_next_worker_goes_on_from_the_stored_stage(chat, openai_server):
    """`make test-kill` kills real workers in every stage."""
    openai_server.chat.queue(says("Whole."))
    post(chat.bot, chat.telegram.message("Hello", sender=ANNA))
    thread, lease = lease_chat()
    update = inbox.claim_next(TelegramUpdate, thread.pk, lease)
    accept_message(incoming_of(update))
    chat.work()
    update.refresh_from_db()
    assert (update.state, update.stage) == ("running", "turn")  # still leased
    end_leases()
    chat.work()
    assert chat.answers() == ["Whole."]
    assert Message.objects.filter(role="user").count() == 1


def test_worker_that_ends_gives_back_what_it_has_begun(waiting):
    thread, lease = lease_chat()
    inbox.claim_next(TelegramUpdate, thread.pk, lease)
    inbox.release(TelegramUpdate, thread.pk, lease)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.crashes) == ("waiting", 0)
    thread, lease = lease_chat()
    assert inbox.claim_next(TelegramUpdate, thread.pk, lease) == waiting


def test_only_the_holder_can_release_a_chat(waiting):
    thread, lease = lease_chat()
    inbox.claim_next(TelegramUpdate, thread.pk, lease)
    inbox.release(TelegramUpdate, thread.pk, uuid4())
    thread.refresh_from_db()
    assert thread.lease_holder == lease


def test_dead_update_goes_on_from_its_stage_when_it_is_retried(chat, waiting):
    thread, lease = lease_chat()
    update = inbox.claim_next(TelegramUpdate, thread.pk, lease)
    update.attempts = TelegramUpdate.MOST_ATTEMPTS - 1
    update.fail("unreachable")
    inbox.release(TelegramUpdate, thread.pk, lease)
    chat.work()
    assert chat.states() == ["dead"]
    assert TelegramUpdate.objects.all().retry() == 1
    chat.work()
    assert chat.states() == ["done"]
    assert len(chat.answers()) == 1


def test_finished_update_is_not_retried(chat, waiting):
    chat.work()
    assert TelegramUpdate.objects.all().retry() == 0
    chat.work()
    assert len(chat.answers()) == 1


def test_update_that_crashed_its_workers_is_dead(waiting):
    TelegramUpdate.objects.update(state="running", crashes=CRASHES_ALLOWED - 1)
    end_leases()
    thread, lease = lease_chat()
    assert inbox.claim_next(TelegramUpdate, thread.pk, lease) is None
    waiting.refresh_from_db()
    assert (waiting.state, waiting.error) == ("dead", "crashed")


class TestSweep:
    def test_chat_that_was_not_announced_is_found(self, waiting):
        assert inbox.waiting_threads(TelegramUpdate) == [waiting.thread_id]

    def test_chat_with_a_worker_is_left_alone(self, waiting):
        lease_chat()
        assert inbox.waiting_threads(TelegramUpdate) == []
        end_leases()
        assert inbox.waiting_threads(TelegramUpdate) == [waiting.thread_id]

    def test_postponed_update_is_left_alone(self, waiting):
        later = timezone.now() + timedelta(minutes=1)
        TelegramUpdate.objects.update(available_at=later)
        assert inbox.waiting_threads(TelegramUpdate) == []


def test_old_updates_are_deleted(chat, waiting):
    chat.work()
    daily()
    assert chat.states() == ["done"]
    TelegramUpdate.objects.update(updated_at=timezone.now() - timedelta(days=31))
    post(chat.bot, chat.telegram.message("/help", sender=ANNA))
    daily()
    assert chat.states() == ["waiting"]
