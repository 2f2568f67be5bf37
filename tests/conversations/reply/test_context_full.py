"""A conversation that has outgrown the context of its model goes on."""

import pytest

from conversations.models import Message
from meddie.ai.events import text_of
from meddie.ai.tokens import estimate
from tests.conversations.turns import ask, turns_sent, write
from tests.factories import MembershipFactory
from tests.openai_answers import fails, says
from tests.stack.llama import ONE

pytestmark = pytest.mark.django_db(transaction=True)
FULL = fails(400, error_code="context_length_exceeded")
LONG = "The fjord is blue and wide, and the path goes up and down. "


@pytest.fixture
def member():
    return MembershipFactory()


def size(body):
    return sum(estimate(text_of(message)) for message in body["messages"])


def talk(member, *texts):
    """The last reply in a conversation of these messages."""
    turn = ask(member, texts[0])
    reply = write(turn)
    for text in texts[1:]:
        reply = write(ask(member, text, conversation_id=turn.reply.conversation_id))
    return reply


def test_messages_before_are_left_out_until_the_prompt_fits(member, openai_server):
    longest = 6000
    openai_server.chat.default = lambda body: (
        FULL if size(body) > longest else says(LONG * 60)
    )
    reply = talk(member, *(f"Tell me of walk {number}" for number in range(10)))
    assert reply.status == Message.Status.DONE
    texts = turns_sent(openai_server)
    assert texts[-1] == "Tell me of walk 9"
    assert 2 < len(texts) < 19
    assert size(openai_server.chat.requests[-1].body) <= longest


def test_message_that_alone_is_longer_is_refused_in_the_end(member, openai_server):
    openai_server.chat.default = lambda _body: FULL
    reply = talk(member, LONG * 200)
    assert (reply.status, reply.error) == (Message.Status.FAILED, "refused")
    assert len(openai_server.chat.requests) < 6


def test_other_refusals_are_final(member, openai_server):
    openai_server.chat.default = lambda _body: fails(400, error_code="unsafe")
    assert talk(member, "Hello").error == "refused"
    assert len(openai_server.chat.requests) == 1


@pytest.mark.slow
def test_conversation_with_a_real_server_goes_on(member, llama, settings):
    llama.settings(ONE)
    settings.EMBEDDING_MODEL = "universal-sentence-encoder-multilingual-3"
    reply = talk(member, LONG * 20, LONG * 20, "Hi!")
    assert reply.content
    assert reply.error in {"", "cut_off"}  # it may babble until its context is full
