"""The note about an emergency on Telegram: a message of its own, before the reply."""

import pytest

from conversations import inbox
from conversations.models import Message
from conversations.telegram.models import TelegramPart
from memory.models import Memory
from tests.conversations.telegram.chat import STRANGER, Chat
from tests.conversations.turns import noting
from tests.factories import PersonFactory, TelegramLinkFactory
from tests.openai_answers import fails, says
from tests.telegram_answers import Answer, floods
from tests.telegram_answers import fails as fails_at_telegram
from tests.telegram_updates import ANNA

CHEST = "I have chest pain and my left arm is numb."
HEADING = "<b>This may be an emergency. Call 112"


def test_note_is_sent_before_the_model_answers(chat, openai_server):
    sent = []

    def answer(_body):
        sent.extend(chat.answers())
        return says("Sit down.")

    openai_server.chat.default = answer
    note, reply = chat.say(CHEST)
    assert sent == [note]
    assert note.startswith(HEADING)
    assert reply == "Sit down."


@pytest.fixture
def busy_chat(chat, openai_server):
    """A chat in which the red flag arrives while the first reply is being written."""
    early = []

    def answer(_body):
        openai_server.chat.default = lambda _body: says("Sit down.")
        early.extend(chat.say(CHEST))
        chat.work()
        return says("Hello.")

    openai_server.chat.default = answer
    return chat, early


def test_note_does_not_wait_for_the_reply_before_it(busy_chat):
    chat, early = busy_chat
    note, *replies = chat.say("hi")
    assert early == [note]
    assert note.startswith(HEADING)
    assert replies == ["Hello.", "Sit down."]
    assert chat.states() == ["done", "done"]


def test_early_note_that_telegram_did_not_take_is_sent_in_its_turn(busy_chat, telegram):
    chat, early = busy_chat
    telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
    hello, note, reply = chat.say("hi")
    assert early == []
    assert (hello, reply) == ("Hello.", "Sit down.")
    assert note.startswith(HEADING)


def test_early_note_that_is_cut_off_is_sent_in_its_turn(
    chat, openai_server, telegram, monkeypatch
):
    """Its worker is stopped while Telegram does not answer."""

    def answer(_body):
        openai_server.chat.default = lambda _body: says("Sit down.")
        telegram.queue("sendMessage", Answer(slow=1.5, then="hang up"), chat=ANNA)
        with monkeypatch.context() as hurried:
            hurried.setattr(inbox, "WORK_LIMIT", 1)
            with pytest.raises(TimeoutError):
                chat.say(CHEST)
        telegram.wait_until(lambda: len(telegram.calls("sendMessage", ANNA)) == 1)
        return says("Hello.")

    openai_server.chat.default = answer
    hello, note, reply = chat.say("hi")
    assert (hello, reply) == ("Hello.", "Sit down.")
    assert note.startswith(HEADING)
    assert chat.states() == ["done", "done"]


def test_early_note_is_not_hidden_by_the_daily_limit(busy_chat, settings):
    settings.DAILY_MESSAGES = 1
    chat, early = busy_chat
    note, hello, refusal = chat.say("hi")
    assert early == [note]
    assert hello == "Hello."
    assert "daily message limit" in refusal


def test_note_is_sent_once_when_the_provider_fails(chat, openai_server):
    openai_server.chat.default = lambda _body: fails(500)
    note, apology = chat.say(CHEST)
    assert note.startswith(HEADING)
    assert "provider" in apology
    assert chat.states() == ["done"]


def test_daily_limit_does_not_hide_the_note(chat, settings):
    settings.DAILY_MESSAGES = 0
    (answer,) = chat.say(CHEST)
    assert answer.startswith("This may be an emergency. Call 112")
    assert "daily message limit" in answer


def test_daily_limit_does_not_hide_the_note_from_a_guest(telegram, bot, settings):
    settings.DAILY_MESSAGES = 0
    person = PersonFactory(space=bot.space, name="Zofia")
    TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=ANNA)
    (answer,) = Chat(telegram, bot).say(CHEST)
    assert answer.startswith("This may be an emergency. Call 112")


def test_part_that_telegram_did_not_take_is_sent_again(chat, openai_server, telegram):
    openai_server.chat.default = lambda _body: says("Sit down.")
    telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
    assert chat.say(CHEST) == []
    chat.make_due()
    chat.work()
    note, reply = chat.answers()
    assert (note.startswith(HEADING), reply) == (True, "Sit down.")
    assert set(TelegramPart.objects.values_list("number", flat=True)) == {1, 2}


def test_note_that_telegram_refuses_does_not_stop_the_reply(
    chat, openai_server, telegram
):
    openai_server.chat.default = lambda _body: says("Sit down.")
    telegram.queue("sendMessage", fails_at_telegram(400), fails_at_telegram(400))
    assert chat.say(CHEST) == ["Sit down."]
    assert chat.states() == ["done"]


def test_nothing_of_the_emergency_is_remembered(chat, openai_server):
    saves = ["User has chest pain", "User is allergic to latex"]
    openai_server.chat.queue(noting("Call.", memory_saves=saves))
    _, reply = chat.say(f"I am allergic to latex. {CHEST}")
    assert reply == "Call.\n\n<i>Remembered: Is allergic to latex</i>"
    assert Memory.objects.get().content == "User is allergic to latex"


def test_note_is_in_the_language_of_the_message_with_local_numbers(
    chat, member, openai_server
):
    member.user.locale = "pl"
    member.user.save()
    openai_server.chat.queue(says("Jestem tu."))
    note, _ = chat.say("Chcę się zabić.")
    assert "Nie musisz przechodzić" in note
    assert "116 123" in note


def test_person_without_a_user_gets_the_note(telegram, bot, openai_server):
    person = PersonFactory(space=bot.space, name="Zofia")
    TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=ANNA)
    openai_server.chat.queue(says("Sit down."))
    note, _ = Chat(telegram, bot).say(CHEST)
    assert note.startswith(HEADING)


def test_unknown_account_gets_the_note_too(telegram, bot):
    (answer,) = Chat(telegram, bot, STRANGER).say(CHEST)
    assert answer.startswith(HEADING)
    assert "I don't recognise your Telegram account" in answer
    assert not Message.objects.exists()


@pytest.mark.parametrize("text", ["My father died of a heart attack.", "I like tea."])
def test_ordinary_message_gets_only_its_reply(chat, openai_server, text):
    openai_server.chat.queue(says("I see."))
    assert chat.say(text) == ["I see."]
