"""What a prompt has of a conversation before its recent messages."""

import pytest

from conversations.models import Summary
from tests.conversations.transcripts import exchange, many, start_conversation
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import AttachmentFactory, MembershipFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

SUMMARY = "The user plans a marathon. The user lives in Kielce."


@pytest.fixture
def member(db):
    return MembershipFactory()


def sum_up(conversation, **fields):
    values = {
        "kind": Summary.Kind.RUNNING,
        "thread": conversation.thread,
        "conversation": conversation,
        "episode": conversation.episodes.get(),
        "first_seq": 1,
        "last_seq": 10,
        "text": SUMMARY,
        "data": {"open_loops": ["Which shoes to buy"]},
    }
    return Summary.objects.create(**values | fields)


def prompt_of(member, openai_server, conversation):
    openai_server.chat.queue(says("Well."))
    write(ask(member, "And now?", conversation_id=conversation.pk))
    return prompt_text(openai_server)


@pytest.mark.req("S2-01", "S2-07", "S2-41", "B-29")
@pytest.mark.parametrize(("turns", "told"), [(22, True), (3, False)])
def test_summary_and_files_come_once_messages_left_the_window(
    member, openai_server, turns, told
):
    conversation = start_conversation(member.user, member.space)
    for number in range(turns):
        exchange(conversation, f"Question {number}", f"Answer {number}")
    sum_up(conversation)
    AttachmentFactory(
        message=conversation.messages.in_order().first(),
        kind="image",
        number=5,
        description="A swollen knee.",
    )
    system = prompt_of(member, openai_server, conversation)
    assert ("# Where We Are\n" in system) == told
    assert (f"- {SUMMARY}\n- open: Which shoes to buy" in system) == told
    assert ("- [image#A5], " in system and ": A swollen knee." in system) == told


def test_stale_summaries_are_not_told(member, openai_server):
    conversation = start_conversation(member.user, member.space)
    for number in range(22):
        exchange(conversation, f"Question {number}", f"Answer {number}")
    sum_up(conversation, stale=True)
    assert "# Where We Are" not in prompt_of(member, openai_server, conversation)


@pytest.mark.req("S4-41")
def test_the_name_is_known_a_hundred_turns_after_it_was_told(member, openai_server):
    name = {"category": "identity", "key": "name", "value": "Alex"}
    openai_server.chat.queue(noting(profile_facts=[name]), says("You are Alex."))
    told = ask(member, "My name is Alex.")
    write(told)
    many(told.reply.conversation, 100)
    write(ask(member, "What's my name?", conversation_id=told.conversation_id))
    system, *others = openai_server.chat.requests[-1].body["messages"]
    profile = system["content"].partition("## User Profile\n")[2].partition("\n#")[0]
    assert "- name: Alex" in profile.splitlines()
    assert not any("Alex" in message["content"] for message in others)
