"""Commands to the bot, and edits of messages."""

import pytest

from conversations.models import Conversation, Message
from conversations.telegram.links import make_code
from conversations.telegram.models import TelegramLink, TelegramUpdate
from memory.models import Memory
from tests.conversations.telegram.chat import STRANGER, Chat
from tests.conversations.turns import noting
from tests.factories import PersonFactory, TelegramLinkFactory
from tests.openai_answers import says
from tests.telegram_answers import fails
from tests.telegram_updates import ANNA


class TestEdits:
    COUNTS = "<i>You changed a message: its last version counts, and what I had noted"

    def say(self, chat, text):
        update = chat.telegram.message(text, sender=ANNA)
        chat.bring(update)
        return update["message"]["message_id"]

    def edit(self, chat, text, message_id, **fields):
        edited = chat.telegram.edited_message(
            text, message_id=message_id, sender=chat.sender, **fields
        )
        return chat.bring(edited)

    def known(self):
        return sorted(Memory.objects.active().values_list("content", flat=True))

    def test_last_version_counts_and_this_is_said_once(self, chat, openai_server):
        openai_server.chat.queue(
            noting("A.", memory_saves=["User takes 5 mg of zinc"]),
            noting("B.", memory_saves=["User takes 10 mg of zinc"]),
            noting("C.", memory_saves=["User takes 15 mg of zinc"]),
        )
        said = self.say(chat, "I take 5 mg of zinc.")
        told, answer = self.edit(chat, "I take 10 mg of zinc.", said)
        assert told.startswith(self.COUNTS)
        assert answer.startswith("B.")
        assert self.known() == ["User takes 10 mg of zinc"]
        assert self.edit(chat, "I take 10 mg of zinc.", said) == []
        [answer] = self.edit(chat, "I take 15 mg of zinc.", said)
        assert answer.startswith("C.")
        assert self.known() == ["User takes 15 mg of zinc"]
        [shown] = Message.objects.current().filter(role="user")
        assert shown.content == "I take 15 mg of zinc."
        sent = chat.telegram.calls("sendMessage", ANNA)[-1]
        assert f'"message_id": {said}' in sent.params["reply_parameters"]

    def test_later_messages_stay(self, chat, openai_server):
        openai_server.chat.queue(
            noting("A.", memory_saves=["User takes zinc"]),
            noting("B.", memory_saves=["User has a dog"]),
            noting("C.", memory_saves=["User takes iron"]),
        )
        said = self.say(chat, "I take zinc.")
        chat.say("I have a dog.")
        self.edit(chat, "I take iron.", said)
        assert self.known() == ["User has a dog", "User takes iron"]

    def test_edit_after_new_stays_in_its_conversation(self, chat, openai_server):
        openai_server.chat.default = lambda _body: says("Fine.")
        said = self.say(chat, "I take zinc.")
        chat.say("/new")
        chat.say("Hello")
        self.edit(chat, "I take iron.", said)
        chat.say("And now?")
        first, second = Conversation.objects.order_by("created_at")
        told = [
            list(
                c.messages.current()
                .filter(role="user")
                .order_by("seq")
                .values_list("content", flat=True)
            )
            for c in (first, second)
        ]
        assert told == [["I take iron."], ["Hello", "And now?"]]

    def test_guest_can_edit_too(self, telegram, bot, openai_server):
        person = PersonFactory(space=bot.space)
        TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=ANNA)
        chat = Chat(telegram, bot)
        openai_server.chat.default = lambda _body: says("Fine.")
        assert self.edit(chat, "Tea or coffee?", self.say(chat, "Tea?"))[-1] == "Fine."

    def test_edits_that_wait_with_their_message_are_one_turn(
        self, chat, telegram, openai_server
    ):
        openai_server.chat.queue(says("Fine."))
        first = telegram.message("A", sender=ANNA)
        number = first["message"]["message_id"]
        edits = [
            telegram.edited_message(text, message_id=number, sender=ANNA)
            for text in ("B", "C")
        ]
        assert chat.bring(first, *edits) == ["Fine."]
        assert Message.objects.get(role="user").content == "C"
        assert chat.states() == ["done"] * 3

    def test_caption_is_edited_and_the_file_stays(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("A knee."), says("An elbow."))
        photo = telegram.photo(telegram.add_file(b"\xff\xd8\xff x"), caption="My knee")
        chat.bring(photo)
        number = photo["message"]["message_id"]
        edited = photo["message"] | {"caption": "My elbow", "edit_date": 1_790_000_000}
        chat.bring(telegram.update(edited_message=edited | {"message_id": number}))
        message = Message.objects.current().get(role="user")
        assert (message.content, message.attachments.count()) == ("My elbow", 1)

    def test_unknown_message_cannot_be_edited(self, chat):
        [answer] = self.edit(chat, "Coffee?", 77)
        assert answer.startswith("I no longer have the message that you changed.")
        assert chat.states() == ["done"]

    def test_emergency_in_an_edit_has_its_note(self, chat, openai_server):
        openai_server.chat.queue(says("Hi."), says("Go."))
        said = self.say(chat, "My chess hurts")
        note, *_ = self.edit(chat, "I have crushing chest pain, my arm is numb.", said)
        assert "112" in note or "911" in note or "emergency" in note.lower()

    def test_text_of_an_edit_is_kept_until_it_is_done(self, chat, openai_server):
        openai_server.chat.default = lambda _body: says("Fine.")
        self.edit(chat, "A secret", self.say(chat, "Hello"))
        assert "secret" not in str(list(TelegramUpdate.objects.values()))

    def test_edit_is_answered_in_the_language_of_the_user(self, chat, member, telegram):
        member.user.locale = "pl"
        member.user.save()
        [answer] = chat.bring(telegram.edited_message("Kawa?", sender=ANNA))
        assert answer.startswith("Nie mam już wiadomości")

    def test_answer_survives_a_failure_of_telegram(self, chat, openai_server):
        openai_server.chat.queue(says("Tea."), says("Coffee."))
        said = self.say(chat, "Tea?")
        chat.telegram.queue("sendMessage", *[fails(502)] * 3, chat=ANNA)
        assert self.edit(chat, "Coffee?", said) == []
        chat.make_due()
        chat.work()
        assert chat.answers()[-1] == "Coffee."


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
