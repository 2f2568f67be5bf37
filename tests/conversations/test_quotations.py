"""What a message quotes is no evidence for facts about its user, at any door."""

import json

import pytest

from conversations.attachments.extraction.assistant_exports import ExportedMessage
from conversations.exported_messages import capture_exported
from conversations.models import Message
from memory.models import CaptureJob, Memory, MemoryPolicy
from people.scope import scope_for
from tests.conversations.api.ingest.conftest import Channel, work
from tests.conversations.api.memories.client import Memories
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

MAIL = "Ann wrote:\n> I am allergic to bees and live in Oslo.\n\nI play the cello."
BEES, CELLO = "User is allergic to bees", "User plays the cello"


@pytest.fixture
def member(transactional_db):
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    return member


@pytest.fixture(autouse=True)
def model(openai_server):
    """It takes what another wrote for the user's words, in any line."""
    evidence = {BEES: "I am allergic to bees", CELLO: "I play the cello"}
    facts = [{"text": text, "evidence": said} for text, said in evidence.items()]
    openai_server.titles.default = lambda _body: says(json.dumps({"facts": facts}))
    openai_server.chat.default = lambda _body: says("All right.")


def over_chat(member):
    api_for(member).ask(MAIL, chat="mail")


def over_chat_as_context(member):
    api_for(member).ask(MAIL, "I see.", "I play the cello.", chat="mail")


def over_rest(member):
    message = {"role": "user", "content": MAIL}
    Memories(api_for(member)).send("POST", "", 202, json={"messages": [message]})


def over_rest_as_context(member):
    texts = [("user", MAIL), ("assistant", "I see."), ("user", "I play the cello.")]
    messages = [{"role": role, "content": text} for role, text in texts]
    Memories(api_for(member)).send("POST", "", 202, json={"messages": messages})


def over_ingest(member):
    Channel(api_for(member)).report(MAIL)
    work()


def over_an_import(member):
    scope = scope_for(member.user, member.space_id, channel="web")
    at = member.space.created_at.timestamp()
    said = [("a", MAIL, []), ("b", "I play the cello.", [("user", MAIL)])]
    for key, text, context in said:
        message = ExportedMessage(external_id=key, text=text, at=at, context=context)
        capture_exported(scope, message)


@pytest.mark.parametrize(
    "send",
    [
        over_chat,
        over_chat_as_context,
        over_rest,
        over_rest_as_context,
        over_ingest,
        over_an_import,
    ],
)
def test_only_own_words_teach_at_each_door(member, send):
    send(member)
    run_due()
    assert set(Memory.objects.active().values_list("content", flat=True)) == {CELLO}
    assert not CaptureJob.objects.filter(payload__text__contains="bees").exists()


@pytest.mark.parametrize("send", [over_chat_as_context, over_rest_as_context])
def test_quotation_before_a_message_is_not_shown_to_the_extractor(
    member, send, openai_server
):
    send(member)
    run_due()
    asked = [json.dumps(request.body) for request in openai_server.titles.requests]
    extractions = [body for body in asked if "memory_extraction" in body]
    assert extractions
    assert not [body for body in extractions if "allergic to bees" in body]


OFF_RECORD = "Please don't save this: I am allergic to bees."


@pytest.mark.parametrize("rest", ["", " I play the cello."])
def test_message_off_the_record_teaches_nothing_by_extraction(member, rest):
    text, api = OFF_RECORD + rest, api_for(member)
    message = {"role": "user", "content": text}
    Memories(api).send("POST", "", 202, json={"messages": [message]})
    api.ask(text, chat="secret")
    Channel(api).report(text)
    work()
    run_due()
    assert not Memory.objects.active().exists()
    assert Message.objects.filter(off_record=True).exists()


def test_message_off_the_record_is_no_context_of_the_next(member, openai_server):
    texts = [("user", OFF_RECORD), ("assistant", "Sure."), ("user", "I play the cello")]
    messages = [{"role": role, "content": text} for role, text in texts]
    Memories(api_for(member)).send("POST", "", 202, json={"messages": messages})
    run_due()
    asked = [json.dumps(request.body) for request in openai_server.titles.requests]
    assert "cello" in asked[-1]
    assert "bees" not in asked[-1]
