"""A reply belongs to the server: it is written to its end, stopped, or kept as it is."""

import asyncio
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from conversations import event_log
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start
from conversations.reply import active_replies, runner
from conversations.reply.active_replies import Draft
from conversations.reply.block_changes import prepare_changes
from conversations.reply.finish import Outcome, finish_turn
from conversations.titles import is_untitled
from meddie.ai.events import Usage
from meddie.threads import run_db
from memory.models import Memory
from people.models import Membership
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, PersonFactory
from tests.openai_answers import Answer, says
from tests.statements import recorded_statements
from tests.waiting import PATIENCE, eventually, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ZINC = {"field": "supplements", "action": "append", "text": "Zinc"}
SLOW = "One two three four five six seven eight nine ten. " * 8


def held(text=SLOW, hold=3):
    """An answer that pauses after some words, until it is released or stopped."""
    return Answer(text, pieces=tuple(text.split(" ")), hold=hold)


@pytest.fixture
def member(db):
    return MembershipFactory()


def watched(turn, meanwhile):
    """Start the reply as the web does and do something while it is being written."""

    async def watching():
        await runner.start(turn)
        seen, done = [], []
        async for entries in event_log.read_events(turn.reply_id):
            seen += [event for _, event in entries]
            if not done and len(seen) > 1:
                done.append(await meanwhile())
        await asyncio.gather(*(r.task for r in active_replies.replies.values()))
        return seen

    events = async_to_sync(watching)()
    text = "".join(e.text for e in events if isinstance(e, event_log.Appended))
    return text, events[-1], Message.objects.get(pk=turn.reply_id)


@pytest.mark.slow
def test_streamed_text_is_the_stored_text(member, openai_server):
    openai_server.chat.queue(held())

    async def release():
        openai_server.released.set()

    text, end, reply = watched(ask(member), release)
    assert text == reply.content == SLOW.strip().replace(" ", "")
    assert end == event_log.Ended("done")


async def with_first_words(turn):
    """The running reply, once it has some text."""
    await runner.start(turn)
    reply = active_replies.replies[turn.reply_id]
    await eventually(lambda: reply.draft.text)
    return reply


def test_page_does_not_wait_for_a_slow_embedding_model(member, openai_server):
    openai_server.embeddings.queue(Answer(latency=PATIENCE))

    async def started():
        turn = await run_db(ask, member)
        await runner.start(turn)
        reply = active_replies.replies[turn.reply_id]
        prompted = reply.prompted.is_set()
        reply.stop()
        await reply.task
        return prompted

    assert not async_to_sync(started)()


@pytest.fixture
def quick_heart(monkeypatch):
    monkeypatch.setattr(active_replies, "SAVE_EVERY", 0.05)
    monkeypatch.setattr(active_replies, "CHECK_STOPS_EVERY", 0.05)


def test_reply_stops_when_another_process_took_over(member, openai_server, quick_heart):
    openai_server.chat.queue(held())
    turn = ask(member)

    async def taken_over():
        mine = await with_first_words(turn)
        await run_db(Thread.objects.update, lease_holder=uuid4())
        await asyncio.wait_for(mine.task, PATIENCE)
        logged = await anext(event_log.read_events(turn.reply_id))
        return mine, logged

    mine, logged = async_to_sync(taken_over)()
    assert mine.abandoned
    assert not any(isinstance(event, event_log.Ended) for _, event in logged)
    assert Message.objects.get(pk=turn.reply_id).status == "streaming"
    assert openai_server.hung_up.wait(PATIENCE)


def test_reply_restarted_in_this_process_keeps_the_heartbeat(
    member, openai_server, quick_heart
):
    openai_server.chat.queue(held(), says(SLOW))
    turn = ask(member)

    async def twice():
        former = await with_first_words(turn)
        await runner.start(turn)
        latter = active_replies.replies[turn.reply_id]
        await asyncio.wait_for(former.task, PATIENCE)
        kept = active_replies.replies.get(turn.reply_id)
        await latter.task
        return former, latter, kept

    former, latter, kept = async_to_sync(twice)()
    assert former.abandoned
    assert kept is latter
    assert Message.objects.get(pk=turn.reply_id).status == "done"
    assert turn.reply_id not in active_replies.replies


def test_reply_of_this_process_stops_without_redis(member, openai_server, settings):
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    openai_server.chat.queue(held())
    turn = ask(member)

    async def stopping():
        reply = await with_first_words(turn)
        await runner.stop(turn.reply_id)
        await asyncio.wait_for(reply.task, PATIENCE)

    async_to_sync(stopping)()
    stopped = Message.objects.get(pk=turn.reply_id)
    assert stopped.status == "stopped"
    assert 0 < len(stopped.content) < len(SLOW)


@pytest.mark.slow
def test_stopped_reply_keeps_its_text(member, openai_server):
    openai_server.chat.queue(held())
    turn = ask(member)
    text, end, reply = watched(turn, lambda: event_log.ask_to_stop(turn.reply_id))
    assert end == event_log.Ended("stopped")
    assert reply.status == "stopped"
    assert reply.content == text
    assert 0 < len(text) < len(SLOW)
    assert openai_server.hung_up.wait(PATIENCE)


@pytest.mark.slow
def test_shutdown_keeps_the_text_as_interrupted(member, openai_server):
    openai_server.chat.queue(held())
    text, _, reply = watched(ask(member), runner.shutdown)
    assert reply.status == "interrupted"
    assert reply.content.startswith(text)


def test_a_shutdown_without_replies_waits_for_none(monkeypatch):
    monkeypatch.setattr(runner, "SHUTDOWN_PATIENCE", 10 * PATIENCE)
    async_to_sync(asyncio.wait_for)(runner.shutdown(), PATIENCE)


def test_row_has_the_text_while_it_is_written(member, openai_server, quick_heart):
    openai_server.chat.queue(held())
    turn = ask(member)
    rows = []

    async def has_text():
        rows.append(await run_db(Message.objects.get, pk=turn.reply_id))
        return rows[-1].content

    async def look():
        await eventually(has_text)
        openai_server.released.set()

    watched(turn, look)
    assert rows[-1].status == "streaming"
    assert rows[-1].heartbeat_at > rows[-1].created_at


def test_conversation_deleted_during_the_reply_leaves_nothing(
    member, openai_server, quick_heart
):
    openai_server.chat.queue(noting(SLOW, memory_saves=["User is left-handed"]))
    turn = ask(member)

    async def deleting():
        await runner.start(turn)
        await run_db(lambda: delete_conversation(Conversation.objects.get()))
        await asyncio.gather(*(r.task for r in active_replies.replies.values()))

    async_to_sync(deleting)()
    assert (
        Message.objects.count() == Memory.objects.count() == Thread.objects.count() == 0
    )


@pytest.mark.req("B-19")
def test_user_who_left_during_the_reply_leaves_no_facts(member, openai_server):
    def leave(_body):
        Membership.objects.all().delete()
        connection.close()  # of the server's thread
        return noting(memory_saves=["User is left-handed"])

    openai_server.chat.queue(leave)
    reply = write(ask(member))
    assert reply.content == "Noted."
    assert Memory.objects.count() == 0


def test_turn_with_deleted_rows_ends_without_error(member, openai_server, caplog):
    openai_server.chat.queue(says("Too late."))
    turn = ask(member)
    Message.objects.all().delete()

    async def writing():
        await runner.write_reply(turn)

    async_to_sync(writing)()
    assert not caplog.records
    assert not Message.objects.exists()


@pytest.mark.parametrize("text", ["a\0b", "NUL \0"])
def test_unstorable_characters_do_not_fail_the_reply(text, member, openai_server):
    openai_server.chat.queue(says(text))
    reply = write(ask(member))
    assert (reply.status, reply.content) == ("done", text.replace("\0", "").strip())


def test_reply_is_stored_with_an_absurd_token_count(member, openai_server):
    draft = Draft(text="Fine.", usage=Usage(-1, 10**12, "m" * 300))
    turn = ask(member)
    notes = prepare_changes(turn, draft)
    finish_turn(turn, draft, Outcome("done"), notes)
    reply = Message.objects.get(pk=turn.reply_id)
    assert (reply.status, reply.content, reply.tokens_in) == ("done", "Fine.", 0)
    assert len(reply.model) == 128


def test_heartbeat_continues_while_the_notes_are_embedded(
    member, openai_server, quick_heart
):
    seen = []

    def embedding(_body):
        before = Message.objects.get(role="assistant")
        later = Message.objects.exclude(heartbeat_at=before.heartbeat_at).exclude(
            content=""
        )
        wait_until(later.filter(pk=before.pk).exists)
        seen.append(later.get(pk=before.pk).content)
        connection.close()
        return Answer()

    openai_server.chat.queue(noting(memory_saves=["User is left-handed"]))
    turn = ask(member, "I write with my left hand.")
    openai_server.embeddings.queue(Answer(), embedding)
    reply = write(turn)
    assert seen == ["Noted."]
    assert reply.status == "done"
    assert Memory.objects.count() == 1


def test_text_is_kept_when_the_turn_cannot_be_finished(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting("Said.", profile_updates=[ZINC]))
    turn = ask(member, start=Start(person_id=person.pk))
    Thread.objects.update(next_seq=1)  # taken: the line about the note cannot be added
    reply = write(turn)
    assert (reply.status, reply.error, reply.content) == ("failed", "unknown", "Said.")
    person.refresh_from_db()
    assert person.supplements == ""


def test_title_is_requested_until_it_is_written(member, openai_server):
    openai_server.chat.queue(says("First."), says("Again."))
    turn = ask(member)
    first = Message.objects.get(pk=turn.reply_id)
    assert is_untitled(first.conversation)
    write(turn)
    Conversation.objects.update(title="A name")
    assert not is_untitled(Conversation.objects.get())


@pytest.mark.parametrize("begun", [False, True])
def test_few_statements_come_before_the_model_is_asked(member, openai_server, begun):
    where = {}
    if begun:
        openai_server.chat.queue(says("Rice."))
        earlier = ask(member, "What do I eat on Sundays?")
        write(earlier)
        where = {"conversation_id": earlier.conversation_id}
    counts = []

    def answer(_body):
        counts.append(len(statements))
        return says("Soup.")

    openai_server.chat.default = answer
    with recorded_statements() as statements:
        write(ask(member, "What do I eat for lunch on Sunday?", **where))
    assert counts[0] <= 12, "\n".join(statements)
    assert len(statements) <= 22, "\n".join(statements)
