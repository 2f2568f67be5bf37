"""The choice of a model for each conversation, where there are several."""

import pytest

from conversations.models import Conversation, Message
from conversations.new_conversation import choose_model, chosen_model
from conversations.reply.revise import regenerate
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture(autouse=True)
def _models(settings, openai_server):
    settings.CHAT_MODELS = ["large", "small"]
    openai_server.chat.default = lambda _body: says("Yes.")


def asked(openai_server):
    return [request.body["model"] for request in openai_server.chat.requests]


def test_chosen_model_answers_in_this_conversation_and_in_no_other(
    member, openai_server, settings
):
    turn = ask(member, "Hello")
    choose_model(turn.reply.conversation, "large")
    write(turn)
    write(ask(member, "And?", conversation_id=turn.conversation_id))
    last = Message.objects.filter(role="assistant").latest("seq")
    write(regenerate(member.user, member.space_id, last.pk))
    write(ask(member, "Hello"))
    assert asked(openai_server) == ["large"] * 3 + [settings.CHAT_MODEL]


def test_first_model_is_chosen_again(member, openai_server, settings):
    conversation = ask(member, "Hello").reply.conversation
    for name in ("small", settings.CHAT_MODEL, ""):
        choose_model(conversation, name)
    assert chosen_model(conversation.chat_model) is None


def test_unknown_and_withdrawn_models_are_not_asked(member, openai_server, settings):
    conversation = ask(member, "Hello").reply.conversation
    choose_model(conversation, "strange")
    assert conversation.chat_model == ""
    choose_model(conversation, "large")
    assert chosen_model("large") == "large"
    settings.CHAT_MODELS = []
    assert chosen_model(conversation.chat_model) is None


def test_page_offers_the_models_and_keeps_the_choice(anns, ann, home, settings):
    page = anns.get("/chat/new").text
    options = page[page.index("model-picker") :].partition("</select>")[0]
    assert options.count("<option") == 3
    assert options.index(settings.CHAT_MODEL) < options.index("large")
    sent = {"text": "Hello", "space": home.pk}
    anns.post("/chat/send", sent | {"model": "small"})
    conversation = Conversation.objects.get()
    assert conversation.chat_model == "small"
    page = anns.get(f"/chat/{conversation.pk}").text
    assert '<option value="small" selected>' in page


def test_one_model_or_none_is_no_choice(anns, settings):
    settings.CHAT_MODELS = [settings.CHAT_MODEL]
    assert "model-picker" not in anns.get("/chat/new").text
    settings.CHAT_MODELS = ["large"]
    settings.OPENAI_API_KEY = ""
    assert "model-picker" not in anns.get("/chat/new").text
