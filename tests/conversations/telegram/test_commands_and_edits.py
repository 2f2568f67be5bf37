"""Commands to the bot, and edits of messages."""

import pytest

from conversations.models import Message
from conversations.telegram.links import make_code
from conversations.telegram.models import TelegramLink, TelegramUpdate
from tests.conversations.telegram.chat import STRANGER, Chat, post
from tests.openai_answers import says
from tests.telegram_answers import fails
from tests.telegram_updates import ANNA


class TestEdits:
    EXPLAINED = "I can't read edits. Please send what you changed as a new message."

    def test_edit_is_answered_once_per_chat(self, chat, bot, telegram, openai_server):
        openai_server.chat.queue(says("Green."), says("Black."))
        chat.say("Which tea?")
        edit = telegram.edited_message("Which coffee?", sender=ANNA)
        assert chat.bring(edit, edit) == [self.EXPLAINED]
        assert chat.say("And now?") == ["Black."]
        assert chat.bring(telegram.edited_message("Cocoa?", sender=ANNA)) == []
        assert "coffee" not in str(openai_server.chat.requests[-1].body)
        assert Message.objects.filter(role="user").count() == 2
        assert set(chat.states()) == {"done"}
        other = Chat(telegram, bot, STRANGER)
        edit = telegram.edited_message("Hello", sender=STRANGER)
        assert other.bring(edit) == [self.EXPLAINED]

    def test_edits_that_wait_together_are_answered_once(self, chat, telegram):
        edits = [telegram.edited_message(text, sender=ANNA) for text in ("A", "B")]
        assert chat.bring(*edits) == [self.EXPLAINED]
        assert chat.states() == ["done", "done"]

    def test_edit_after_one_that_failed_is_answered(self, chat, telegram):
        post(chat.bot, telegram.edited_message("A", sender=ANNA))
        TelegramUpdate.objects.update(state="dead")
        assert chat.bring(telegram.edited_message("B", sender=ANNA)) == [self.EXPLAINED]

    def test_text_of_an_edit_is_not_stored(self, chat, telegram):
        edit = telegram.edited_message("A secret", sender=ANNA, caption="A secret")
        post(chat.bot, edit)
        assert "secret" not in str(list(TelegramUpdate.objects.values()))

    def test_edit_is_answered_in_the_language_of_the_user(self, chat, member, telegram):
        member.user.locale = "pl"
        member.user.save()
        [answer] = chat.bring(telegram.edited_message("Kawa?", sender=ANNA))
        assert answer.startswith("Nie widzę zmian w wysłanych wiadomościach.")

    def test_sentence_survives_a_failure_of_telegram(self, chat, telegram):
        telegram.queue("sendMessage", *[fails(502)] * 3, chat=ANNA)
        assert chat.bring(telegram.edited_message("Coffee?", sender=ANNA)) == []
        chat.make_due()
        chat.work()
        assert chat.answers() == [self.EXPLAINED]


class TestCommands:
    def test_start_shows_the_space_escaped(self, chat):
        [answer] = chat.say("/start")
        assert "Welcome, Anna!" in answer
        assert "<b>Home &amp; garden</b>" in answer
        assert "/new" in answer

    def test_help_lists_the_commands(self, chat):
        [answer] = chat.say("/help@meddie_test_bot")
        assert "/new" in answer
        assert "/help" in answer

    @pytest.mark.req("B-15")
    def test_bot_uses_the_language_of_the_user(self, chat, member):
        member.user.locale = "pl"
        member.user.save()
        [answer] = chat.say("/new")
        assert answer == "Rozpoczęto nową rozmowę. Co chcesz wiedzieć?"

    def test_deep_link_asks_its_user_to_confirm_the_account(
        self, telegram, bot, member
    ):
        code = make_code(member.user, member.space)
        chat = Chat(telegram, bot, STRANGER)
        [answer] = chat.say(f"/start {code}")
        assert "account of Anna in <b>Home &amp; garden</b>" in answer
        assert (
            f"confirm this Telegram ID.\n\nYour Telegram ID: <code>{STRANGER}" in answer
        )
        assert TelegramLink.objects.pending().get(telegram_id=STRANGER)
        [again] = Chat(telegram, bot, 4343).say(f"/start {code}")
        assert "no longer valid" in again


@pytest.mark.parametrize("language", ["e\0", "\ud800", "xx"])
def test_unknown_language_is_answered_in_english(chat, language):
    sender = {"id": ANNA, "first_name": "Anna", "language_code": language}
    [answer] = chat.bring(chat.telegram.message("/help", sender=sender))
    assert "/new" in answer
