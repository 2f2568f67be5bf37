"""A turn with an emergency: the note above the reply, and nothing stored from it."""

import json
from datetime import UTC

import pytest
from django.test import Client
from django.urls import reverse

from conversations.episodes.stretches import document, told
from conversations.limits import count_message
from conversations.models import Message, MessageIndex
from conversations.new_conversation import Start
from conversations.refusals import Busy, LimitReached, TooLong
from conversations.reply.active_replies import Draft
from conversations.reply.block_changes import prepare_changes
from conversations.reply.finish import Outcome, finish_turn
from conversations.reply.revise import edit, regenerate
from conversations.reply.turn import resume
from meddie.ai import offline
from memory.judgement import judge
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from people.models import Person, ProfileUpdate
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import MembershipFactory, PersonFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)

CHEST = "I have chest pain and my left arm is numb."
MIXED = f"I am allergic to latex. {CHEST}"
HEADING = "This may be an emergency"


@pytest.fixture
def member(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    return MembershipFactory()


def everything_stored():
    """All that memory, notes and search keep, as one text."""
    rows = [
        *Memory.objects.values_list("content", flat=True),
        *MemoryEvent.objects.values_list("data", flat=True),
        *CaptureJob.objects.values_list("payload", flat=True),
        *MessageIndex.objects.values_list("content", flat=True),
        *ProfileUpdate.objects.values_list("text", flat=True),
        *Person.objects.values_list("health_notes", flat=True),
    ]
    return json.dumps(rows, default=str).lower()


def test_note_is_there_before_the_provider_is_asked(member):
    reply = Message.objects.get(pk=ask(member, CHEST).reply_id)
    assert (reply.status, reply.content) == ("streaming", "")
    assert HEADING in reply.emergency_note
    assert Message.objects.get(role="user").emergency_note == ""


def test_ordinary_message_has_no_note(member):
    turn = ask(member, "My father died of a heart attack.")
    assert Message.objects.get(pk=turn.reply_id).emergency_note == ""


def test_number_follows_the_locale_of_the_user(member):
    member.user.locale = "pl"
    member.user.save()
    turn = ask(member, "I want to kill myself.")
    assert "116 123 for adults" in turn.reply.emergency_note


def test_stand_in_adds_nothing_to_the_note_and_keeps_only_the_rest(member):
    reply = write(ask(member, MIXED))
    assert HEADING in reply.emergency_note
    assert (reply.status, reply.content) == ("done", "")
    assert [memory.content for memory in Memory.objects.all()] == [
        "I am allergic to latex"
    ]


def test_nothing_of_the_emergency_is_stored_even_if_the_model_proposes_it(
    member, openai_server
):
    person = PersonFactory(
        space=member.space, user=member.user, health_notes="- Asthma"
    )
    notes = [
        {"field": "health_notes", "action": "append", "text": "Chest pain, numb arm"},
        {"field": "health_notes", "action": "append", "text": "Allergic to latex"},
    ]
    saves = [
        "User has chest pain",
        "User's left arm is numb",
        "User may have heart disease",
        "User is allergic to latex",
    ]
    openai_server.chat.queue(
        noting("Call 112.", memory_saves=saves, profile_updates=notes)
    )
    reply = write(ask(member, MIXED, start=Start(person_id=person.pk)))
    assert reply.content == "Call 112."
    assert Memory.objects.get().content == "User is allergic to latex"
    assert ProfileUpdate.objects.get().text == "Allergic to latex"
    stored = everything_stored()
    assert "latex" in stored
    assert not any(word in stored for word in ("chest", "numb", "heart"))
    (event,) = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.DECISION)
    assert [(d["action"], d["reason"]) for d in event.data["decisions"]] == [
        ("reject", "emergency"),
        ("reject", "emergency"),
        ("reject", "emergency"),
        ("add", "new"),
    ]


@pytest.mark.parametrize("message", [CHEST, "Hello"])
def test_a_yes_to_the_reply_stores_nothing_of_the_emergency(
    member, openai_server, message
):
    openai_server.chat.queue(
        says("Call 112. Do you have chest pain and is your left arm numb?"),
        noting(memory_saves=["User has chest pain", "User's left arm is numb"]),
    )
    turn = ask(member, message)
    write(turn)
    write(ask(member, "ok", conversation_id=turn.conversation_id))
    assert not Memory.objects.exists()
    assert "chest" not in everything_stored()


def test_reply_that_repeats_the_emergency_is_found_and_summed_up_without_it(
    member, openai_server
):
    openai_server.chat.queue(
        says("Call 112."), says(f"Sure. You wrote: {CHEST} Shall I go on?")
    )
    turn = ask(member, CHEST)
    write(turn)
    reply = write(ask(member, "Repeat it.", conversation_id=turn.conversation_id))
    assert "chest" in reply.content
    assert MessageIndex.objects.get(message=reply).content == "Sure.  Shall I go on?"
    summed_up = document(told(reply.thread_id), UTC)
    assert "Shall I go on?" in json.dumps(summed_up)
    assert "chest" not in json.dumps(summed_up)


def test_context_of_a_captured_message_has_no_emergency(member, openai_server):
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    openai_server.chat.queue(says(f"You wrote: {CHEST}"), says("Fine."))
    turn = ask(member, MIXED)
    write(turn)
    write(ask(member, "I have two cats.", conversation_id=turn.conversation_id))
    payload = CaptureJob.objects.order_by("-created_at").first().payload
    assert "latex" in json.dumps(payload["context"])
    assert "chest" not in json.dumps(payload["context"])


def test_nothing_is_judged_in_the_transaction_that_ends_a_turn(
    member, openai_server, monkeypatch
):
    cats = ["User has two cats"]
    openai_server.chat.queue(noting(memory_saves=cats), noting(memory_forgets=cats))
    first = ask(member, "I have two cats.")
    write(first)
    write(ask(member, "Forget my cats.", conversation_id=first.conversation_id))
    turn = ask(member, "I have two cats!", conversation_id=first.conversation_id)
    draft = Draft(text="Yes.")
    draft.reader.block.entries["memory_saves"] = cats
    notes = prepare_changes(turn, draft)
    with monkeypatch.context() as patch:
        patch.setattr(judge, "judge", None)  # asking it fails
        finish_turn(turn, draft, Outcome("done"), notes)
    assert Memory.objects.get().active


def test_unreadable_block_of_an_emergency_is_not_kept(member, openai_server):
    openai_server.chat.queue(
        says('Call 112.\n\n```json\n{"memory_saves": ["Chest pain')
    )
    write(ask(member, CHEST))
    assert "chest" not in everything_stored()


def test_facts_wait_in_a_job_without_the_emergency(member, openai_server):
    openai_server.embeddings.default = lambda _body: fails(500)
    saves = ["User has chest pain", "User is allergic to latex"]
    openai_server.chat.queue(noting("Call 112.", memory_saves=saves))
    write(ask(member, MIXED))
    assert CaptureJob.objects.get().payload["text"] == "I am allergic to latex."
    assert "chest" not in everything_stored()


def test_note_remains_when_the_provider_fails(member, openai_server):
    openai_server.chat.default = lambda _body: fails(500)
    reply = write(ask(member, CHEST))
    assert (reply.status, reply.content) == ("failed", "")
    assert HEADING in reply.emergency_note


def test_every_attempt_has_the_note(member, openai_server):
    openai_server.chat.default = lambda _body: says("Call 112.")
    turn = ask(member, CHEST)
    write(turn)
    again = regenerate(member.user, member.space_id, turn.reply_id)
    assert HEADING in write(again).emergency_note
    calm = edit(member.user, member.space_id, turn.message.pk, "I like tea.")
    assert write(calm).emergency_note == ""


def test_note_survives_a_restart_of_the_reply(member, openai_server):
    turn = ask(member, CHEST)
    openai_server.chat.queue(says("Call 112."))
    restarted = resume(turn.reply_id, turn.lease)
    assert restarted is not None
    assert HEADING in write(restarted).emergency_note


def test_model_reads_of_the_emergency_but_never_the_note(member, openai_server):
    openai_server.chat.default = lambda _body: says("Call 112.")
    turn = ask(member, CHEST)
    write(turn)
    first = openai_server.chat.requests[-1].body["messages"]
    asked = f"Take no notes from these sentences:\n- {CHEST}"
    assert asked in prompt_text(openai_server)
    write(ask(member, "I like tea.", conversation_id=turn.conversation_id))
    second = openai_server.chat.requests[-1].body["messages"]
    assert "# Emergency" not in prompt_text(openai_server)
    assert HEADING not in json.dumps([first, second])


def test_daily_limit_does_not_hide_the_note(member, settings):
    settings.DAILY_MESSAGES = 1
    count_message(member.user.pk)
    with pytest.raises(LimitReached, match=f"^{HEADING}.*112.*daily message limit"):
        ask(member, CHEST)
    with pytest.raises(LimitReached, match=r"^You've reached the daily"):
        ask(member, "I like tea.")


def test_edit_at_the_daily_limit_shows_the_note(member, settings, openai_server):
    openai_server.chat.queue(says("Enjoy."))
    turn = ask(member, "I like tea.")
    write(turn)
    settings.DAILY_MESSAGES = 1
    with pytest.raises(LimitReached, match=f"^{HEADING}.*daily message limit"):
        edit(member.user, member.space_id, turn.message.pk, CHEST)
    assert Message.objects.get(pk=turn.message.pk).status == "done"


def test_refused_retry_leaves_the_note_of_the_reply(member, settings, openai_server):
    openai_server.chat.queue(says("Call 112."))
    reply = write(ask(member, CHEST))
    settings.DAILY_MESSAGES = 1
    with pytest.raises(LimitReached):
        regenerate(member.user, member.space_id, reply.pk)
    assert HEADING in Message.objects.current().get(role="assistant").emergency_note


def test_message_during_a_reply_shows_the_note(member):
    turn = ask(member, "I like tea.")
    with pytest.raises(Busy, match=f"^{HEADING}.*still answering"):
        ask(member, CHEST, conversation_id=turn.conversation_id)


def test_message_that_is_too_long_shows_the_note(member):
    with pytest.raises(TooLong, match=f"^{HEADING}.*20,000 characters"):
        ask(member, CHEST + " Please help." * 2_000)


def test_page_shows_the_note_above_the_reply_after_a_reload(member, openai_server):
    openai_server.chat.queue(says("Sit down and wait."))
    turn = ask(member, CHEST)
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    path = reverse("conversations:show", args=[turn.conversation_id])
    before = client.get(path).content.decode()
    assert 'role="alert" aria-label="Emergency"' in before
    write(turn)
    after = client.get(path).content.decode()
    assert 'role="note" aria-label="Emergency"' in after
    assert after.index("<strong>This may be an emergency") < after.index("Sit down")
