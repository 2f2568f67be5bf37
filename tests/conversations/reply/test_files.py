"""What the model reads of a message's files."""

import json

import pytest

from conversations.attachments.storage import store
from conversations.models import Attachment, AttachmentText, DerivationJob, Message
from conversations.reply.history import history_of
from conversations.reply.prompt_place import place_of_turn
from conversations.reply.revise import edit
from meddie.jobs import registry
from tests.conversations.attachments.documents import pdf
from tests.conversations.attachments.sent import png
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, noting, prompt_text, turns_sent, write
from tests.factories import MembershipFactory
from tests.openai_answers import fails, says
from tests.statements import recorded_statements

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


def send(member, name, data, text="", read=True, **where):
    file = store(member.user, member.space_id, name, data)
    turn = ask(member, text, files=[file.pk], **where)
    if read:
        read_files()
    return write(turn)


def read_files():
    for key in DerivationJob.objects.values_list("pk", flat=True):
        registry.run("files", key)


def asked(openai_server, place=-1):
    return openai_server.chat.requests[place].body["messages"]


@pytest.mark.req("S2-48", "S2-05", "S2-54")
def test_file_is_a_surrogate_in_the_prompt_and_later_in_the_history(
    member, openai_server
):
    openai_server.chat.default = lambda _body: says("Thank you.")
    reply = send(member, "list.txt", b"Buy oats and tea.", "What is it?")
    newest = turns_sent(openai_server)[-1]
    assert newest.startswith("What is it?\n[document#A1] ")
    assert "Buy oats and tea." in newest
    write(ask(member, "And now?", conversation_id=reply.conversation_id))
    history = asked(openai_server)[1]["content"]
    assert history.startswith("What is it?\n[document#A1] ")


def test_text_in_the_message_is_not_found_a_second_time(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    text = b"Buy oats and tea at the market."
    reply = send(member, "list.txt", text, "Where do I buy oats and tea?")
    assert "at the market" not in prompt_text(openai_server)
    assert retrieved("attachment", message=reply) == []
    write(ask(member, "Where do I buy oats and tea?"))
    assert prompt_text(openai_server).count("at the market") == 1


WALKS = " ".join(
    f"On day {n} she walked {n + 5} miles to the hospital." for n in range(28)
)
LETTER = f"Dear Mrs Reed. {WALKS} Your next appointment is on 14 May 2027 in room 4."


@pytest.mark.req("S2-49")
def test_date_at_the_end_of_a_page_is_known_in_the_next_message(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    assert len(LETTER) > 1200
    reply = send(member, "letter.pdf", pdf([LETTER]), "Keep this.", read=False)
    read_files()
    where = {"conversation_id": reply.conversation_id}
    write(ask(member, "When is my next appointment?", **where))
    files = prompt_text(openai_server).partition("# Attached Files\n")[2]
    assert "14 May 2027 in room 4" in files
    assert "Dear Mrs Reed" in files


@pytest.mark.req("S2-49")
def test_sentences_around_what_matched_are_told_where_there_is_little_room(
    member, openai_server, settings
):
    settings.CONTEXT_TOKENS = 330
    openai_server.chat.default = lambda _body: says("Thank you.")
    send(member, "letter.pdf", pdf([LETTER]), "Keep this.", read=False)
    read_files()
    write(ask(member, "When is my next appointment?"))
    files = prompt_text(openai_server).partition("# Attached Files\n")[2]
    assert "14 May 2027 in room 4" in files
    assert "Dear Mrs Reed" not in files


@pytest.mark.req("S2-22")
def test_picture_is_found_by_its_caption(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    openai_server.titles.default = lambda _body: says(
        json.dumps({"short": "A smiling woman", "detail": "Grey hair.", "text": ""})
    )
    send(member, "a.png", png(40, 30), "My aunt Petronela in Gdynia")
    write(ask(member, "Which picture shows aunt Petronela?"))
    system = prompt_text(openai_server)
    found = [line for line in system.splitlines() if line.startswith("- [image#A1]")]
    assert any(line.endswith("My aunt Petronela in Gdynia") for line in found)


def test_caption_is_not_found_after_its_message_is_withheld(member, openai_server):
    fact = "User lives in Kielce"
    openai_server.chat.queue(noting("I see.", memory_saves=[fact]))
    send(member, "a.txt", b"Buy oats.", "I live in Kielce, here is my list.")
    assert AttachmentText.objects.filter(kind="caption", searchable=True).exists()
    openai_server.chat.queue(noting("Done.", memory_forgets=[fact]))
    write(ask(member, "Forget that I live in Kielce."))
    openai_server.chat.queue(says("I do not know."))
    write(ask(member, "Which list came with my living in Kielce?"))
    assert "here is my list" not in json.dumps(asked(openai_server))


def test_message_of_only_a_file_stays_in_the_history(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    reply = send(member, "list.txt", b"Buy oats and tea.", read=False)
    assert turns_sent(openai_server)[-1] == "[document#A1] list.txt"
    write(ask(member, "And now?", conversation_id=reply.conversation_id))
    assert asked(openai_server)[1]["content"].startswith("[document#A1] ")


def test_turn_without_files_looks_for_none(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    first = write(ask(member, "Hello"))
    turn = ask(member, "And now?", conversation_id=first.conversation_id)
    with recorded_statements() as statements:
        place_of_turn(turn, history_of(turn))
    files = [s for s in statements if 'FROM "conversations_attachment"' in s]
    assert [s for s in files if "EXISTS" not in s.upper()] == []


def test_picture_is_shown_to_the_model(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    send(member, "a.png", png(40, 30), "What is it?", read=False)
    text, picture = asked(openai_server)[-1]["content"]
    assert text["text"].endswith("\n\nWhat is it?\n[image#A1] a.png")
    assert picture["image_url"]["url"].startswith("data:image/jpeg;base64,")


def test_model_that_refuses_pictures_is_asked_without_them(member, openai_server):
    openai_server.chat.queue(fails(400), says("I read the words."))
    reply = send(member, "a.png", png(40, 30), "What is it?", read=False)
    assert Message.objects.get(pk=reply.pk).content == "I read the words."
    assert turns_sent(openai_server)[-1] == "What is it?\n[image#A1] a.png"


def test_damaged_picture_does_not_hold_up_the_answer(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    send(member, "a.jpg", b"\xff\xd8\xff cut off", "What is it?", read=False)
    assert turns_sent(openai_server)[-1] == "What is it?\n[image#A1] a.jpg"
    assert Attachment.objects.get().message.content == "What is it?"


def test_description_leaves_the_history_with_its_message(member, openai_server):
    fact = "User lives in Kielce"
    openai_server.chat.queue(noting("I see.", memory_saves=[fact]))
    reply = send(member, "town.txt", b"I live in Kielce.", "I live in Kielce.")
    where = {"conversation_id": reply.conversation_id}
    openai_server.chat.queue(noting("Done.", memory_forgets=[fact]))
    write(ask(member, "Forget that I live in Kielce.", **where))
    openai_server.chat.queue(says("I do not know."))
    write(ask(member, "Where do I live?", **where))
    assert "Kielce" not in json.dumps(asked(openai_server))


def test_texts_of_files_are_not_found_after_an_edit_before_them(member, openai_server):
    openai_server.chat.default = lambda _body: says("Thank you.")
    first = write(ask(member, "Hello"))
    where = {"conversation_id": first.conversation_id}
    send(member, "list.txt", b"Buy oats and tea.", "What is it?", **where)
    assert AttachmentText.objects.filter(searchable=True).exists()
    edit(member.user, member.space_id, first.answers_id, "Good day")
    assert not AttachmentText.objects.filter(searchable=True).exists()
