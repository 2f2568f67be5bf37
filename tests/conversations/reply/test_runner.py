"""A reply belongs to the server: it is written to its end, stopped, or kept as it is."""

import asyncio
import json
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from conversations.deletion import delete_conversation
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start
from conversations.reply import active_replies, event_log, heartbeat, runner
from conversations.reply.draft import Draft
from conversations.reply.finish import Outcome, finish_turn
from conversations.reply.notes import prepare_notes
from conversations.reply.revise import edit, regenerate
from conversations.titles import is_untitled
from meddie.ai.chat import Usage
from meddie.threads import run_db
from memory.models import CaptureJob, Memory, MemoryPolicy
from people.models import Membership, ProfileUpdate
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, PersonFactory
from tests.openai_server import Answer, says
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
    monkeypatch.setattr(heartbeat, "SAVE_EVERY", 0.05)
    monkeypatch.setattr(heartbeat, "CHECK_STOPS_EVERY", 0.05)


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


def test_stopped_reply_keeps_its_text(member, openai_server):
    openai_server.chat.queue(held())
    turn = ask(member)
    text, end, reply = watched(turn, lambda: event_log.ask_to_stop(turn.reply_id))
    assert end == event_log.Ended("stopped")
    assert reply.status == "stopped"
    assert reply.content == text
    assert 0 < len(text) < len(SLOW)
    assert openai_server.hung_up.wait(PATIENCE)


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


@pytest.mark.req("S0-01", "S0-02", "S0-19", "S0-43", "B-09")
def test_fact_is_used_by_the_next_message(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]), says("Left.")
    )
    turn = ask(member, "I am left-handed.")
    write(turn)
    write(ask(member, "Which hand do I write with? Am I left-handed?"))
    prompt = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert "- User is left-handed" in prompt
    memory = Memory.objects.get()
    assert memory.source_message_id == turn.message.pk
    assert memory.origin == "inline"


@pytest.mark.parametrize("yes", ["Yes, please", "Tak", "Да"])
def test_confirmation_recalls_what_the_question_was_about(member, openai_server, yes):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]),
        says("Shall I find scissors for the left-handed?"),
        says("These."),
    )
    write(ask(member, "I am left-handed."))
    first = ask(member, "How do I cut paper?")
    write(first)
    write(ask(member, yes, conversation_id=first.conversation_id))
    prompt = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert "- User is left-handed" in prompt


@pytest.mark.req("S0-05")
def test_stored_row_is_what_recall_knows(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]), says("Both.")
    )
    write(ask(member, "I am left-handed."))
    Memory.objects.update(content="User is ambidextrous")
    write(ask(member, "User is left-handed"))
    prompt = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert "- User is ambidextrous" in prompt
    assert "- User is left-handed" not in prompt


@pytest.mark.req("S0-18", "S0-55")
def test_no_second_model_looks_for_facts(member, openai_server):
    openai_server.chat.queue(says("Good to know."))
    write(ask(member, "I am left-handed and allergic to ibuprofen."))
    assert len(openai_server.chat.requests) == 1
    assert not openai_server.titles.requests
    assert not Memory.objects.exists()
    assert not CaptureJob.objects.exists()


@pytest.mark.req("S0-08", "S0-09")
def test_other_scopes_do_not_get_it(member, openai_server):
    openai_server.chat.queue(noting(memory_saves=["User is left-handed"]))
    write(ask(member, "I am left-handed."))
    elsewhere = MembershipFactory(user=member.user)
    neighbour = MembershipFactory(space=member.space)
    for other in (elsewhere, neighbour):
        openai_server.chat.queue(says("No idea."))
        write(ask(other, "Is User left-handed?"))
        prompt = json.dumps(openai_server.chat.requests[-1].body)
        assert "User is left-handed" not in prompt


@pytest.mark.req("B-23")
def test_conversation_without_memory_saves_nothing(member, openai_server):
    openai_server.chat.queue(noting(memory_saves=["User is left-handed"]))
    reply = write(ask(member, "I am left-handed.", start=Start(remember=False)))
    assert reply.content == "Noted."
    assert Memory.objects.count() == 0


def test_memory_off_means_no_recall_and_no_saves(member, openai_server):
    openai_server.chat.queue(noting(memory_saves=["User is left-handed"]))
    write(ask(member, "I am left-handed."))
    member.user.memory_on = False
    member.user.save()
    openai_server.chat.queue(noting(memory_saves=["User likes tea"]))
    write(ask(member, "I like tea. What do you know about me?"))
    assert "left-handed" not in json.dumps(openai_server.chat.requests[-1].body)
    assert Memory.objects.count() == 1


def test_a_space_can_switch_inline_capture_off(member, openai_server):
    MemoryPolicy.objects.create(space=member.space, inline_capture=False)
    openai_server.chat.queue(noting(memory_saves=["User is left-handed"]))
    write(ask(member, "I am left-handed."))
    assert Memory.objects.count() == 0


def test_forgotten_fact_is_deleted_on_request(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]),
        noting(memory_forgets=["User is left-handed"]),
        says("Nothing."),
    )
    write(ask(member, "I am left-handed."))
    write(ask(member, "Forget that I am left-handed."))
    assert Memory.objects.get().retired_reason == "retracted"
    write(ask(member, "What do you know about me?"))
    prompt = openai_server.chat.requests[-1].body["messages"]
    assert "Remembered Facts" not in prompt[0]["content"].split("# Taking notes")[0]


@pytest.mark.req("S0-03", "S0-11", "S0-61")
def test_profile_update_is_applied_and_reported(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting(profile_updates=[ZINC], memory_saves=["User runs"]))
    reply = write(
        ask(member, "I take zinc and I run.", start=Start(person_id=person.pk))
    )
    person.refresh_from_db()
    assert person.supplements == "- Zinc"
    line = Message.objects.get(role="system", line_kind="")
    assert line.content == "Saved to Supplements: Zinc"
    assert line.profile_update == ProfileUpdate.objects.get()
    assert line.seq > reply.seq
    assert Memory.objects.get().content == "User runs"


@pytest.mark.req("S0-61")
def test_line_about_the_notes_is_in_the_users_language(member, openai_server):
    member.user.locale = "pl"
    member.user.save()
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting(profile_updates=[ZINC]))
    write(ask(member, start=Start(person_id=person.pk)))
    assert "Zinc" in Message.objects.get(role="system").content


def test_without_a_person_no_profile_update_is_applied(member, openai_server):
    openai_server.chat.queue(noting(profile_updates=[ZINC]))
    write(ask(member))
    assert ProfileUpdate.objects.count() == 0


@pytest.mark.parametrize(
    "junk", [["x"], [{}], [{"field": 3, "action": [], "text": {}}]]
)
def test_profile_updates_without_a_shape_are_dropped(junk, member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting(profile_updates=junk))
    reply = write(ask(member, start=Start(person_id=person.pk)))
    assert reply.status == "done"
    assert ProfileUpdate.objects.count() == 0


def test_regenerated_reply_applies_its_update_once(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(
        noting(profile_updates=[ZINC], memory_saves=["User runs"]),
        noting("Again.", profile_updates=[ZINC], memory_saves=["User runs"]),
    )
    first = write(
        ask(member, "I take zinc and I run.", start=Start(person_id=person.pk))
    )
    second = write(regenerate(member.user, member.space_id, first.pk))
    assert second.content == "Again."
    assert ProfileUpdate.objects.count() == Memory.objects.count() == 1
    history = openai_server.chat.requests[-1].body["messages"]
    assert [m["role"] for m in history] == ["system", "user"]


@pytest.mark.req("B-21")
def test_superseded_and_system_messages_are_not_in_the_prompt(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting("First.", profile_updates=[ZINC]), says("Second."))
    turn = ask(member, "Teh question", start=Start(person_id=person.pk))
    write(turn)
    write(edit(member.user, member.space_id, turn.message.pk, "The question"))
    history = openai_server.chat.requests[-1].body["messages"]
    assert [m["content"] for m in history[1:]] == ["The question"]


@pytest.mark.req("S0-07")
def test_fact_about_one_person_is_known_with_another(member, openai_server):
    anna, tom = PersonFactory.create_batch(2, space=member.space)
    openai_server.chat.queue(
        noting(memory_saves=["Grandmother had glaucoma"]), says(".")
    )
    message = "My grandmother had glaucoma."
    write(ask(member, message, start=Start(person_id=anna.pk)))
    write(ask(member, "Any glaucoma, grandmother?", start=Start(person_id=tom.pk)))
    prompt = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert "- Grandmother had glaucoma" in prompt
    assert f"Person: {tom.name}" in prompt


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
    notes = prepare_notes(turn, draft)
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


def test_edited_message_withdraws_its_facts(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is allergic to ibuprofen", "User runs"]),
        noting(memory_saves=["User is allergic to iodine", "User runs"]),
    )
    turn = ask(member, "I am allergic to ibuprofen, and I run.")
    write(turn)
    again = "I am allergic to iodine, and I run."
    write(edit(member.user, member.space_id, turn.message.pk, again))
    known = Memory.objects.active().values_list("content", flat=True)
    assert sorted(known) == ["User is allergic to iodine", "User runs"]


def test_title_is_requested_until_it_is_written(member, openai_server):
    openai_server.chat.queue(says("First."), says("Again."))
    turn = ask(member)
    first = Message.objects.get(pk=turn.reply_id)
    assert is_untitled(first.conversation)
    write(turn)
    Conversation.objects.update(title="A name")
    assert not is_untitled(Conversation.objects.get())


@pytest.mark.req("B-23")
def test_notes_stay_unchanged_without_memory(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting(profile_updates=[ZINC]))
    start = Start(person_id=person.pk, remember=False)
    assert write(ask(member, start=start)).content == "Noted."
    person.refresh_from_db()
    assert person.supplements == ""
    prompt = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert "profile_updates" not in prompt


@pytest.mark.parametrize(("begun", "most"), [(False, 15), (True, 22)])
def test_few_statements_come_before_the_model_is_asked(
    member, openai_server, begun, most
):
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
    assert counts[0] <= most, "\n".join(statements)
