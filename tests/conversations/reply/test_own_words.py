"""What a message quotes or forwards teaches nothing about its user."""

import pytest
from django.urls import reverse

from conversations.attachments.storage import store
from conversations.models import Message, MessageIndex
from conversations.new_conversation import Start
from conversations.reply.turn import begin
from memory.models import CaptureJob, Memory
from tests.conversations.attachments.sent import png
from tests.conversations.reply.test_files import read_files
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)
QUOTED = "My sister wrote me:\n\n> I am allergic to bees and I take warfarin.\n\nWow."
BEES = "User is allergic to bees"


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


def known():
    return sorted(Memory.objects.active().values_list("content", flat=True))


def lines(turn):
    rows = Message.objects.filter(answers=turn.message, role="system")
    return list(rows.values_list("line_kind", "content"))


def test_quoted_words_are_not_kept_without_a_model(member):
    write(ask(member, QUOTED))
    assert known() == []


def test_forwarded_message_teaches_nothing_and_is_judged_for_emergencies(member):
    turn = begin(
        member.user,
        member.space_id,
        "I am allergic to bees. I have crushing chest pain and my arm is numb.",
        start=Start(),
        forwarded_from="Ann",
    )
    reply = write(turn)
    assert known() == []
    assert reply.emergency_note
    assert (
        "forwards what Ann wrote" in MessageIndex.objects.get(pk=turn.message).content
    )


def test_quoted_words_support_no_fact_of_a_reply(member, openai_server):
    openai_server.chat.queue(noting("All right.", memory_saves=[BEES]))
    turn = ask(member, QUOTED)
    write(turn)
    assert known() == []
    [(kind, _text)] = lines(turn)
    assert kind == Message.LineKind.NOT_KEPT


def test_model_is_told_whose_words_are_quoted(member, openai_server):
    openai_server.chat.queue("All right.")
    write(ask(member, QUOTED))
    prompt = openai_server.chat.requests[0].body["messages"][-1]["content"]
    assert "The user quotes another's words:\n> My sister wrote me:" in prompt


def test_off_record_message_is_not_kept_and_a_line_says_so(member, openai_server):
    openai_server.chat.queue(noting("Sure.", memory_saves=[BEES]))
    turn = ask(member, "I am allergic to bees. Please don't save what I said.")
    write(turn)
    assert known() == []
    assert not CaptureJob.objects.exists()
    assert not MessageIndex.objects.filter(pk=turn.message.pk).exists()
    [(kind, text)] = lines(turn)
    assert (kind, text) == ("not_kept", "Not kept. You asked not to keep it.")


LETTER = b"You must stop insulin and take methotrexate daily."


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("And what does the letter say about insulin?", "User must stop insulin"),
        (
            "And what does the letter say about what I take daily?",
            "User takes methotrexate daily",
        ),
        (
            "I take vitamin C daily. What does the letter say?",
            "User takes vitamin C daily, and must stop insulin",
        ),
    ],
)
def test_words_of_an_earlier_file_are_no_fact(member, openai_server, asked, fact):
    openai_server.chat.queue("It is a letter.")
    file = store(member.user, member.space_id, "a.txt", LETTER).pk
    first = ask(member, "Please read my letter.", files=[file])
    read_files()
    write(first)
    openai_server.chat.queue(noting("All right.", memory_saves=[fact]))
    write(ask(member, asked, conversation_id=first.conversation_id))
    assert known() == []


def test_notes_get_only_words_that_the_user_said(member, openai_server):
    person = PersonFactory(space=member.space, medications="")
    added = {"field": "medications", "action": "append", "text": "Stop insulin now"}
    openai_server.chat.queue(noting("All right.", profile_updates=[added]))
    text = "Thanks for telling me about the letter and insulin."
    turn = ask(member, text, start=Start(person_id=person.pk))
    write(turn)
    person.refresh_from_db()
    assert person.medications == ""
    assert [kind for kind, _text in lines(turn)] == [Message.LineKind.ASKS_NOTES]


PILLS = "User takes warfarin 5 mg daily"
ABOUT_LEO = {"text": "Takes montelukast 5 mg daily", "about": "Leo"}


def ask_with_picture(member, openai_server, text, fact, start=None):
    openai_server.chat.queue(noting("I see them.", memory_saves=[fact]))
    file = store(member.user, member.space_id, "pills.png", png(40, 30)).pk
    turn = ask(member, text, files=[file], start=start)
    write(turn)
    return Message.objects.get(answers=turn.message, role="system")


def test_fact_from_a_picture_that_is_not_read_yet_is_asked(
    client, member, openai_server
):
    line = ask_with_picture(member, openai_server, "Here are my pills.", PILLS)
    assert line.line_kind == Message.LineKind.ASKS_KEEP
    assert "warfarin 5 mg" in line.content
    assert known() == []
    client.force_login(member.user)
    client.post(reverse("conversations:answer", args=[line.pk]), {"answer": "yes"})
    assert known() == [PILLS]
    line.refresh_from_db()
    assert line.line_kind == Message.LineKind.REMEMBERED
    assert line.proposed is None
    client.post(reverse("conversations:undo", args=[line.pk]))
    assert known() == []


def test_fact_from_a_picture_is_left_when_the_user_says_so(
    client, member, openai_server
):
    line = ask_with_picture(member, openai_server, "Here are my pills.", PILLS)
    client.force_login(member.user)
    client.post(reverse("conversations:answer", args=[line.pk]), {"answer": "no"})
    assert known() == []


def test_own_words_beside_a_picture_are_kept(member, openai_server):
    told = "I take aspirin daily. What does the picture show?"
    fact = "User takes aspirin daily"
    line = ask_with_picture(member, openai_server, told, fact)
    assert line.line_kind == Message.LineKind.REMEMBERED
    assert known() == [fact]


@pytest.mark.parametrize("told", ["Takes montelukast 5 mg daily", ABOUT_LEO])
def test_kept_fact_from_a_picture_is_about_whom_it_was(
    client, member, openai_server, told
):
    mia = PersonFactory(space=member.space, name="Mia")
    leo = PersonFactory(space=member.space, name="Leo")
    start = Start(person_id=mia.pk)
    line = ask_with_picture(member, openai_server, "Here are pills.", told, start)
    client.force_login(member.user)
    client.post(reverse("conversations:answer", args=[line.pk]), {"answer": "yes"})
    assert Memory.objects.get().person == (leo if told is ABOUT_LEO else mia)


def test_fact_asked_about_by_an_older_line_is_about_the_person(
    client, member, openai_server
):
    mia = PersonFactory(space=member.space, name="Mia")
    start, text = Start(person_id=mia.pk), "Takes montelukast 5 mg daily"
    line = ask_with_picture(member, openai_server, "Here are pills.", text, start)
    line.proposed = {"facts": [text]}
    line.save()
    client.force_login(member.user)
    client.post(reverse("conversations:answer", args=[line.pk]), {"answer": "yes"})
    assert Memory.objects.get().person == mia
