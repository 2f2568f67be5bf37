"""What a reply stores, what the next one knows, and the notes of a person."""

import json

import pytest

from conversations.models import Message
from conversations.new_conversation import Start
from conversations.reply.revise import edit, regenerate
from memory.models import CaptureJob, Memory, MemoryPolicy
from people.models import ProfileUpdate
from tests.conversations.turns import ask, noting, prompt_text, turns_sent, write
from tests.factories import MembershipFactory, PersonFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

ZINC = {"field": "supplements", "action": "append", "text": "Zinc"}


@pytest.fixture
def member(db):
    return MembershipFactory()


@pytest.mark.req("S0-01", "S0-02", "S0-19", "S0-43", "B-09")
def test_fact_is_used_by_the_next_message(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]), says("Left.")
    )
    turn = ask(member, "I am left-handed.")
    write(turn)
    write(ask(member, "Which hand do I write with? Am I left-handed?"))
    prompt = prompt_text(openai_server)
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
    prompt = prompt_text(openai_server)
    assert "- User is left-handed" in prompt


def test_instructions_of_a_user_are_in_all_own_prompts_and_in_no_others(
    member, openai_server
):
    member.user.instructions = "Answer in rhymes."
    member.user.save()
    elsewhere = MembershipFactory(user=member.user)
    neighbour = MembershipFactory(space=member.space)
    for asking, told in ((member, 1), (elsewhere, 1), (neighbour, 0)):
        openai_server.chat.queue(says("Yes."))
        write(ask(asking, "Is tea healthy?"))
        assert prompt_text(openai_server).count("> Answer in rhymes.") == told


@pytest.mark.req("S0-05")
def test_stored_row_is_what_recall_knows(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]), says("Both.")
    )
    write(ask(member, "I am left-handed."))
    Memory.objects.update(content="User is ambidextrous")
    write(ask(member, "User is left-handed"))
    prompt = prompt_text(openai_server)
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
    assert "Remembered Facts" not in prompt_text(openai_server)


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
    assert turns_sent(openai_server) == ["The question"]


@pytest.mark.req("S0-07")
def test_fact_about_one_person_is_known_with_another(member, openai_server):
    anna, tom = PersonFactory.create_batch(2, space=member.space)
    openai_server.chat.queue(
        noting(memory_saves=["Grandmother had glaucoma"]), says(".")
    )
    message = "My grandmother had glaucoma."
    write(ask(member, message, start=Start(person_id=anna.pk)))
    write(ask(member, "Any glaucoma, grandmother?", start=Start(person_id=tom.pk)))
    prompt = prompt_text(openai_server)
    assert "- Grandmother had glaucoma" in prompt
    assert f"Person: {tom.name}" in prompt


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


@pytest.mark.req("B-23")
def test_notes_stay_unchanged_without_memory(member, openai_server):
    person = PersonFactory(space=member.space)
    openai_server.chat.queue(noting(profile_updates=[ZINC]))
    start = Start(person_id=person.pk, remember=False)
    assert write(ask(member, start=start)).content == "Noted."
    person.refresh_from_db()
    assert person.supplements == ""
    prompt = prompt_text(openai_server)
    assert "profile_updates" not in prompt
