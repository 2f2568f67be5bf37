"""Messages of other channels: taken in once, in order, each for its own author."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from conversations import inbox
from conversations.api.ingest.handle import INBOX, append_ingested
from conversations.api.models import IngestedMessage
from conversations.episodes.switching import close_idle
from conversations.models import (
    Conversation,
    Episode,
    Message,
    MessageIndex,
    SummaryJob,
    Thread,
)
from conversations.refusals import NotHere
from conversations.reply.turn import begin
from conversations.web.listing import listing
from meddie.jobs.job import LeaseLost
from meddie.jobs.registry import sweep
from meddie.jobs.tasks import daily
from memory.models import CaptureJob, JournalLine, Memory, MemoryPolicy
from people.models import ExternalUser
from people.scope import scope_for
from tests.conversations.api.ingest.conftest import Channel, work
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.memory.conftest import known
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_answers import says

DAY = timedelta(days=1)
pytestmark = pytest.mark.django_db(transaction=True)


def texts():
    return list(
        Message.objects.order_by("thread", "seq").values_list("content", flat=True)
    )


def scopes(space_id):
    """Of each author, by their outside ID."""
    return {
        external.external_id: scope_for(external.user, space_id, channel="discord")
        for external in ExternalUser.objects.select_related("user")
    }


def extract_drink(body):
    """A model that finds one fact in each message."""
    drink = "tea" if "I like tea" in json.dumps(body) else "milk"
    found = {"text": f"User likes {drink}", "kind": "preference", "confidence": 0.9}
    found |= {"evidence": f"I like {drink}"}
    return says(json.dumps({"facts": [found], "profile_facts": []}))


@pytest.mark.req("S3-14")
def test_a_message_is_stored_indexed_journalled_and_left_to_capture(bot, member):
    at = timezone.now() - timedelta(hours=3)
    answer = bot.send(bot.message("I like tea", at=at.isoformat()))
    assert answer.status_code == 202
    [result] = answer.json()["data"]
    assert result == {
        "external_id": "ann-I like tea-0",
        "state": "stored",
        "message": "The message is stored.",
    }
    work()
    message = Message.objects.get()
    assert (message.content, message.created_at) == ("I like tea", at)
    assert (message.role, message.thread.channel) == ("user", "ingest")
    author = ExternalUser.objects.get(external_id="ann").user
    assert (author.name, message.conversation.user) == ("Ann", author)
    job = CaptureJob.objects.get()
    assert (job.channel, job.room) == ("discord", "general")
    assert (job.source_id, job.user) == (message.pk, author)
    line = JournalLine.objects.get()
    assert (line.pk, line.author, line.text) == (message.pk, "Ann", "I like tea")
    assert MessageIndex.objects.get().user == author
    ingested = IngestedMessage.objects.get()
    assert (ingested.state, ingested.payload) == ("done", {})


@pytest.mark.req("S3-18")
def test_text_is_one_line_of_320_characters_and_next_to_nothing_is_skipped(bot):
    assert bot.report(" a \n", "", "I like\n  tea " * 99) == ["skipped"] * 2 + [
        "stored"
    ]
    work()
    [text] = texts()
    assert text.startswith("I like tea I like tea")
    assert 300 < len(text) <= 320


@pytest.mark.req("S3-15")
def test_a_message_is_taken_in_once(bot):
    first = bot.message("I like tea", external_id="7")
    assert bot.send([first, first]).json()["data"][1]["state"] == "known"
    assert bot.send(first).json()["data"][0]["state"] == "known"
    work()
    assert (
        bot.send(first | {"text": "Other words"}).json()["data"][0]["state"] == "known"
    )
    work()
    IngestedMessage.objects.all().delete()  # as after a month
    assert bot.send(first).json()["data"][0]["state"] == "known"
    work()
    assert texts() == ["I like tea"]
    assert CaptureJob.objects.count() == 1
    assert bot.send(first | {"channel": "slack"}).json()["data"][0]["state"] == "stored"


@pytest.mark.req("S3-15")
def test_a_deleted_conversation_leaves_what_waits_and_what_is_known(own, client):
    first = own.message("I like tea", external_id="7")
    own.send(first)
    work()
    own.report("I like milk")
    conversation = Conversation.objects.get()
    client.force_login(conversation.user)
    client.post(reverse("conversations:delete", args=[conversation.pk]))
    assert texts() == []
    assert own.send(first).json()["data"][0]["state"] == "known"
    work()
    assert texts() == ["I like milk"]


@pytest.mark.req("S3-15")
def test_a_message_that_failed_is_tried_again_when_it_is_sent_again(own):
    own.report("Tea is ready")
    IngestedMessage.objects.update(state="dead", error="overflow")
    assert own.report("Tea is ready", "Tea is ready") == ["stored", "stored"]
    assert own.report("Tea is ready") == ["known"]
    work()
    assert Message.objects.count() == 2


@pytest.mark.req("S3-15")
def test_the_same_id_in_another_thread_is_another_message(bot):
    assert bot.report("I like tea", external_id="17", thread="a") == ["stored"]
    assert bot.report("I like milk", external_id="17", thread="b") == ["stored"]
    assert bot.report("I like rum", external_id="17", thread="b") == ["known"]


@pytest.mark.req("S3-15")
def test_an_ordinary_key_cannot_take_the_ids_of_others(bot, member):
    other = Channel(api_for(MembershipFactory(space=member.space)))
    assert other.report("I like tea", external_id="7") == ["stored"]
    assert bot.report("I like milk", external_id="7") == ["stored"]


@pytest.mark.req("S3-26")
def test_speech_needs_no_id_but_a_time(bot):
    at = timezone.now().isoformat()
    speech = bot.message("I like tea", at=at, source="voice", external_id=None)
    realtime = bot.message("I like milk", at=at, external_id=None)
    realtime["trace"] = {"source": "voice", "session": 7}
    documents = [speech, speech, realtime, speech | {"at": None}]
    documents.append(bot.message("I like rum", at=at, external_id=None))
    states = [one["state"] for one in bot.send(documents).json()["data"]]
    assert states == ["stored", "known", "stored", "refused", "refused"]
    work()
    kinds = IngestedMessage.objects.order_by("received_at").values_list("kind", "trace")
    assert list(kinds) == [("voice", {}), ("voice", realtime["trace"])]
    assert CaptureJob.objects.filter(kind="extract").count() == 2


@pytest.mark.req("S3-17")
def test_messages_of_an_author_are_appended_in_their_order(bot):
    words = [f"This is number {number}" for number in range(30)]
    assert bot.report(*words) == ["stored"] * 30
    work()
    assert texts() == words


@pytest.mark.req("S3-16")
def test_a_full_thread_refuses_and_keeps_what_it_has(bot):
    for batch in range(4):
        bot.report(*(f"Number {batch} {n}" for n in range(100)))
    answer = bot.send([bot.message("One more"), bot.message("Hello", author="bob")])
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
    assert answer.json()["reason"] == "thread_full"
    assert bot.report("Number 0 0") == ["known"]
    assert IngestedMessage.objects.unfinished().count() == inbox.MOST_WAITING
    assert bot.report("Hello", author="bob") == ["stored"]
    work()
    assert bot.report("One more") == ["stored"]
    assert not IngestedMessage.objects.filter(state="dead").exists()


@pytest.mark.req("S3-15", "S3-16")
def test_equal_and_further_messages_at_once_are_each_stored_once(own):
    """While a worker works: without deadlocks, and with one "stored" for each."""
    again = [f"Number {n}" for n in range(10)]

    def report(number):
        return [*own.report(*again, *(f"Further {number} {n}" for n in range(10)))]

    with ThreadPoolExecutor(9) as pool:
        states = list(pool.map(report, range(8)))
        working = pool.submit(work)
        more = list(pool.map(report, range(8, 16)))
        working.result()
    assert sum(one[:10].count("stored") for one in states + more) == 10
    assert all(one[10:] == ["stored"] * 10 for one in states + more)
    work()
    assert Message.objects.count() == 10 + 16 * 10


@pytest.mark.req("S3-71", "S3-04")
def test_two_authors_of_a_channel_share_no_memory(bot, member, openai_server):
    bot.report("I like tea", author="ann")
    bot.report("I like milk", author="bob")
    work()
    openai_server.titles.default = openai_server.chat.default = extract_drink
    run_due(WordEmbedder())
    by_author = scopes(member.space_id)
    assert known(by_author["ann"]) == ["User likes tea"]
    assert known(by_author["bob"]) == ["User likes milk"]
    assert set(Memory.objects.values_list("channel", flat=True)) == {"discord"}
    owners = Conversation.objects.values_list("user", flat=True)
    assert set(owners) == {one.user_id for one in by_author.values()}
    for message in Message.objects.select_related("conversation__user", "thread"):
        assert message.thread.user == message.conversation.user


@pytest.mark.req("S3-14")
def test_nothing_is_kept_of_authors_without_memory(bot, member):
    bot.report("I like tea")
    author = ExternalUser.objects.get().user
    author.memory_on = False
    author.save()
    assert bot.report("I like milk") == ["skipped"]
    work()
    assert texts() == []
    assert IngestedMessage.objects.get().error == "memory_off"
    assert not CaptureJob.objects.exists()


def test_a_key_of_a_member_speaks_for_its_user(own, member):
    assert own.report("I like tea") == ["stored"]
    named = own.message("I like milk") | {"author": {"id": "bob"}}
    assert own.send(named).json()["data"][0] == {
        "external_id": "ann-I like milk-0",
        "state": "refused",
        "message": "Only the key of a trusted proxy can name an author.",
    }
    work()
    assert Message.objects.get().conversation.user == member.user


def test_a_proxy_must_name_the_author(bot):
    assert bot.report("I like tea", author="") == ["refused"]


def test_lists_do_not_show_ingested_channels_and_they_are_not_summed_up(own, member):
    now = timezone.now()
    for days in (3, 2, 1):
        at = (now - timedelta(days=days)).isoformat()
        own.report("I like tea", at=at, external_id=str(days))
    work()
    assert Message.objects.count() == 3
    assert not SummaryJob.objects.exists()
    assert listing(member.user_id, member.space_id).groups == []


def test_a_person_does_not_write_to_an_ingested_channel(own, member):
    own.report("I like tea")
    work()
    conversation = Conversation.objects.get()
    with pytest.raises(NotHere):
        begin(member.user, member.space_id, "Hi", conversation_id=conversation.pk)
    assert texts() == ["I like tea"]


def test_nothing_sums_up_ingested_channels_later(own):
    now = timezone.now()
    own.report(*(f"Number {n}" for n in range(40)), at=(now - DAY).isoformat())
    work()
    close_idle(now)
    late = (now - DAY + timedelta(minutes=1)).isoformat()
    own.report("I like tea", at=late)
    work()
    assert Episode.objects.get().status == "active"
    close_idle(now)
    assert not SummaryJob.objects.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"text": 7}, "text: Input should be a valid string."),
        ({"channel": ""}, "channel: String should have at least 1 character."),
        ({"channel": "x" * 65}, "channel: String should have at most 64 characters."),
        ({"channel": "web"}, "channel: this name is one of Meddie's own channels."),
        ({"thread": "a\x00b"}, "thread: it has characters that cannot be printed."),
        ({"at": "2999-01-01T00:00:00Z"}, "The time of the message is in the future."),
        ({"at": "1999-01-01T00:00:00Z"}, "at: it is before the year 2000."),
        ({"at": "2026-01-01"}, None),
        ({"source": "smoke"}, "source: Input should be 'text' or 'voice'."),
        ({"external_id": None}, "A message of text needs an external_id."),
        ({"trace": {"a": "x" * 1000}}, "trace: it is longer than 1000 characters."),
    ],
)
def test_a_message_that_is_not_valid_is_refused_alone(own, change, sentence):
    good = own.message("I like tea")
    refused, stored = own.send([good | change, good]).json()["data"]
    assert (refused["state"], stored["state"]) == ("refused", "stored")
    if sentence:
        assert refused["message"] == sentence


def test_a_clock_that_is_a_little_fast_is_no_future(own):
    soon = timezone.now() + timedelta(minutes=2)
    assert own.report("I like tea", at=soon.isoformat()) == ["stored"]
    work()
    assert Message.objects.get().created_at <= timezone.now()


@pytest.mark.req("S3-13")
def test_a_killed_worker_loses_and_doubles_nothing(own):
    own.report("I like tea", "I like milk")
    thread, lease = Thread.objects.get(), uuid4()
    assert Thread.objects.filter(pk=thread.pk).lease_to(lease)
    begun = inbox.claim_next(IngestedMessage, thread.pk, lease)
    INBOX.run(thread.pk)  # the lease is taken
    assert texts() == []
    past = timezone.now() - timedelta(seconds=1)
    Thread.objects.update(leased_until=past)
    IngestedMessage.objects.filter(state="running").update(leased_until=past)
    INBOX.run(thread.pk)
    with pytest.raises(LeaseLost):
        append_ingested(begun)
    assert texts() == ["I like tea", "I like milk"]
    assert CaptureJob.objects.count() == 2


@pytest.mark.req("S3-13")
def test_a_shutdown_leaves_what_waits_to_the_next_worker(own):
    own.report("I like tea")
    inbox.shut_down()
    try:
        work()
        assert texts() == []
    finally:
        inbox._shutting_down.clear()
    work()
    assert texts() == ["I like tea"]


def test_the_sweep_finds_messages_without_a_task(own, monkeypatch):
    own.report("I like tea")
    rung = []
    monkeypatch.setattr(
        "meddie.dispatch.enqueue", lambda *call, queue: rung.append((*call, queue))
    )
    sweep()
    key = str(Thread.objects.get().pk)
    assert rung == [("jobs.run", "ingested", key, "memory")]


def test_members_who_left_since_are_not_stored(own, member):
    own.report("I like tea")
    MembershipFactory(space=member.space)
    member.delete()
    work()
    assert texts() == []
    assert IngestedMessage.objects.get().error == "not_a_member"


def test_an_old_row_and_an_empty_thread_are_deleted(own, member):
    own.report("I like tea")
    member.user.memory_on = False
    member.user.save()
    work()
    long_ago = timezone.now() - timedelta(days=31)
    IngestedMessage.objects.update(updated_at=long_ago)
    Thread.objects.update(created_at=long_ago)
    daily()
    assert not IngestedMessage.objects.exists()
    assert not Thread.objects.exists()


def test_emergencies_are_not_journaled(bot):
    bot.report("I like tea. I can't breathe.")
    work()
    assert JournalLine.objects.get().text == "I like tea."


@pytest.mark.parametrize("journal", ["never", "ingested"])
def test_the_policy_decides_on_capture_and_journal(own, member, journal):
    MemoryPolicy.objects.create(
        space=member.space, background_capture="never", journal=journal
    )
    own.report("I like tea")
    work()
    assert not CaptureJob.objects.exists()
    assert JournalLine.objects.count() == (journal == "ingested")
