"""Messages survive outages of PostgreSQL and Redis: answered once, without an apology."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from conversations import inbox
from conversations.models import Message, Thread
from conversations.reply import active_replies
from conversations.reply.idle_threads import STALE_AFTER, interrupt_stale
from conversations.telegram.models import TelegramPart, TelegramUpdate
from conversations.telegram.process import INBOX
from meddie import outages
from meddie.jobs import job
from meddie.jobs.job import CRASHES_ALLOWED
from meddie.threads import run_coroutine
from tests.conversations.telegram.chat import post
from tests.conversations.turns import noting
from tests.openai_answers import Answer, says
from tests.telegram_answers import Answer as TelegramAnswer
from tests.telegram_updates import ANNA
from tests.waiting import PATIENCE, lock_is_awaited, wait_until

pytestmark = pytest.mark.req("S3-13")


def then(outage, answer, seconds=0.3):
    """An answer of the provider during which the database goes away."""

    def begin(_body):
        outage.begin(seconds)
        return answer

    return begin


def end_leases():
    now = timezone.now()
    Thread.objects.update(leased_until=now)
    TelegramUpdate.objects.update(leased_until=now)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, 1.5])
def test_outage_while_the_prompt_is_put_together(chat, openai_server, outage, seconds):
    openai_server.embeddings.queue(then(outage, Answer(), seconds))
    openai_server.chat.queue(says("Here."))
    assert chat.say("Which scissors suit a left-handed painter?") == ["Here."]
    outage.end()
    assert openai_server.embeddings.requests
    update = TelegramUpdate.objects.get()
    assert (update.state, update.attempts) == ("done", 0)


@pytest.mark.slow
def test_outage_while_the_reply_is_written_costs_no_second_reply(
    chat, openai_server, outage
):
    openai_server.chat.queue(
        then(outage, noting("Here.", memory_saves=["User is left-handed"]))
    )
    assert chat.say("I am left-handed.")[0].startswith("Here.")
    outage.end()
    assert chat.states() == ["done"]
    assert len(openai_server.chat.requests) == 1


@pytest.mark.slow
def test_outage_before_the_receipt_sends_nothing_twice(
    chat, openai_server, telegram, outage
):
    openai_server.chat.queue(says("Here."))
    taken = TelegramAnswer(meanwhile=lambda: outage.begin(0.3))
    telegram.queue("sendMessage", taken, chat=ANNA)
    assert chat.say("Hello") == ["Here."]
    outage.end()
    assert chat.states() == ["done"]
    assert TelegramPart.objects.get().telegram_message_id is not None


@pytest.mark.slow
def test_outage_that_lasts_is_no_attempt_of_the_message(
    chat, telegram, openai_server, outage, monkeypatch
):
    openai_server.chat.default = then(outage, says("Here."), None)
    post(chat.bot, telegram.message("Hello", sender=ANNA))
    thread = Thread.objects.get(channel="telegram")
    with monkeypatch.context() as impatient:
        impatient.setattr(outages, "LIMIT", 0)
        impatient.setattr(inbox, "WORK_LIMIT", 4)
        with pytest.raises((OperationalError, InterfaceError)):
            run_coroutine(inbox.work_on(thread.pk, INBOX), PATIENCE)
    outage.end()
    openai_server.chat.default = lambda _body: says("Here.")
    update = TelegramUpdate.objects.get()
    assert (update.state, update.attempts) == ("running", 0)
    assert Message.objects.get(role="assistant").status == "streaming"
    end_leases()
    chat.work()
    assert chat.answers() == ["Here."]


@pytest.mark.slow
def test_message_that_always_takes_the_database_away_is_dead(
    chat, openai_server, outage, monkeypatch
):
    """Not repeated for ever: an interrupted attempt counts as a crash."""
    monkeypatch.setattr(outages, "LIMIT", 0)
    monkeypatch.setattr(job, "SUSPICIOUS_CRASHES", 0)
    openai_server.chat.default = then(outage, says("Here."), 3)
    assert chat.say("Hello") == []
    outage.end()
    update = TelegramUpdate.objects.get()
    assert (update.state, update.crashes, update.attempts) == ("running", 1, 0)
    TelegramUpdate.objects.update(crashes=CRASHES_ALLOWED - 1)
    end_leases()
    chat.work()
    update.refresh_from_db()
    assert (update.state, update.error, update.attempts) == ("dead", "crashed", 0)


@pytest.mark.slow
def test_statement_that_is_cancelled_is_an_error_of_the_message(chat, openai_server):
    """As by its time-out, after which it is not repeated."""

    def cancel():
        wait_until(lock_is_awaited)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        connection.close()

    post(chat.bot, chat.telegram.message("What do you know about me?", sender=ANNA))
    with ThreadPoolExecutor(1) as other, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")
        cancelled = other.submit(cancel)
        thread = Thread.objects.get(channel="telegram")
        run_coroutine(inbox.work_on(thread.pk, INBOX), PATIENCE)
        cancelled.result()
    assert chat.answers() == ["<i>Something went wrong. Please try again.</i>"]
    assert chat.states() == ["done"]


@pytest.fixture
def greedy(transactional_db):
    """A database that runs out of memory with each turn."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION run_out() RETURNS trigger LANGUAGE plpgsql"
            " AS $$ BEGIN RAISE SQLSTATE '53200'; END $$;"
            " CREATE TRIGGER greedy BEFORE INSERT ON conversations_message"
            " EXECUTE FUNCTION run_out()"
        )
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION run_out CASCADE")


def test_message_that_exhausts_the_database_fails_and_is_apologised_for(chat, greedy):
    """It does not hold up its chat as an outage would."""
    assert chat.say("Hello") == []
    update = TelegramUpdate.objects.get()
    assert (update.state, update.attempts) == ("waiting", 1)
    TelegramUpdate.objects.update(attempts=TelegramUpdate.MOST_ATTEMPTS - 1)
    chat.make_due()
    chat.work()
    assert chat.states() == ["dead"]
    assert chat.answers() == ["Something went wrong. Please try again."]


@pytest.mark.parametrize("url", ["redis://127.0.0.1:9/0", "unix:///nowhere?db=0"])
def test_message_is_answered_without_redis(chat, openai_server, settings, url):
    settings.REDIS_URL = url
    openai_server.chat.queue(says("Here."))
    assert chat.say("Hello") == ["Here."]


def test_reply_that_the_sweep_interrupted_is_written_again(
    chat, openai_server, monkeypatch
):
    """After an outage the sweep can be earlier than the heartbeat."""
    monkeypatch.setattr(active_replies, "SAVE_EVERY", 0.05)

    def sweep(_body):
        interrupted = 0
        while not interrupted:  # a heartbeat may come in between
            Message.objects.update(heartbeat_at=timezone.now() - 2 * STALE_AFTER)
            interrupted = interrupt_stale()
        connection.close()  # of the server's thread
        return says("Half.", pieces=("Ha", "lf", "."), hold=1)

    openai_server.chat.queue(sweep, says("Whole."))
    assert chat.say("Hello") == ["Whole."]
