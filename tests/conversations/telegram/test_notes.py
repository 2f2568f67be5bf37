"""What is said below an answer: facts, notes and blank replies."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.telegram.models import TelegramPart
from meddie.ai import offline
from memory.models import Memory, MemoryPolicy
from people.models import Person, ProfileUpdate
from tests.conversations.telegram.chat import STRANGER, ZINC
from tests.conversations.turns import noting
from tests.factories import MembershipFactory, PersonFactory, TelegramLinkFactory
from tests.openai_answers import says
from tests.telegram_updates import ANNA


class TestBlankReplies:
    """A reply without visible text is answered by one sentence."""

    NOTHING = "<i>I have no answer to that. Try asking in other words.</i>"

    def test_reply_of_notes_only_says_that_they_were_taken(self, chat, openai_server):
        openai_server.chat.queue(noting("", memory_saves=["User likes tea"]))
        [answer] = chat.say("I like tea.")
        assert answer == "<i>Noted.</i>\n\n<i>Remembered: Likes tea</i>"

    def test_reply_of_notes_only_says_so_where_nothing_is_told(
        self, chat, bot, openai_server
    ):
        MemoryPolicy.objects.create(space=bot.space, tells_remembered=False)
        openai_server.chat.queue(noting("", memory_saves=["User likes tea"]))
        assert chat.say("I like tea.") == ["<i>Noted.</i>"]

    @pytest.mark.parametrize(
        "reply",
        [
            *("\n", "   \n\n ", "\u200b", "&nbsp;", "#", "> ", "***"),
            *(
                "[tea]: http://tea.example",
                "```\n```",
                "<!-- -->"[:0] + "- ",
                "| |\n|-|",
            ),
        ],
    )
    def test_reply_that_shows_nothing_says_so(self, chat, openai_server, reply):
        openai_server.chat.queue(says(reply))
        assert chat.say("Which tea?") == [self.NOTHING]
        assert chat.states() == ["done"]

    def test_notes_that_stored_nothing_are_not_said_to_be_noted(
        self, chat, openai_server
    ):
        openai_server.chat.queue(noting("", memory_saves=["User has asthma"]))
        refused = "<i>Not kept: “Has asthma”. The message does not say it.</i>"
        assert chat.say("What is tea?") == [self.NOTHING, refused]

    def test_line_under_a_blank_reply_is_the_answer(self, chat, openai_server):
        openai_server.chat.queue(noting("", memory_forgets=["User likes tea"]))
        [answer] = chat.say("Forget that I like tea.")
        assert answer == "<i>Not remembered: Likes tea</i>"

    def test_sentence_is_in_the_language_of_the_user(self, chat, member, openai_server):
        member.user.locale = "pl"
        member.user.save()
        openai_server.chat.queue(says("\n"))
        assert "Nie mam na to odpowiedzi." in chat.say("Jaka herbata?")[0]

    def test_deeply_nested_reply_is_sent(self, chat, openai_server):
        openai_server.chat.queue(says("> " * 25 + "Green tea."))
        [answer] = chat.say("Which tea?")
        assert "Green tea." in answer

    def test_deeply_nested_emphasis_is_sent(self, chat, openai_server):
        openai_server.chat.queue(says("*a " * 3000 + "tea" + "*" * 3000))
        assert "tea" in "".join(chat.say("Which tea?"))


class TestNotes:
    @pytest.fixture
    def noted(self, chat, link, openai_server, telegram):
        """A change to the notes, announced with a button."""
        PersonFactory(space=link.space, name="Olga")
        openai_server.chat.queue(noting("Noted.", profile_updates=[ZINC]))
        self.answers = chat.say("She takes zinc, 30 mg.")
        return telegram.calls("sendMessage", ANNA)[-1]

    def test_change_of_notes_is_sent_with_an_undo_button(self, chat, noted, telegram):
        assert self.answers[1].startswith("<i>")
        assert "Zinc &lt;30 mg&gt;" in self.answers[1]
        change = ProfileUpdate.objects.get()
        telegram_id = TelegramPart.objects.get(undo=change.pk).telegram_message_id
        chat.bring(telegram.callback(f"undo:{change.pk}", message_id=telegram_id))
        assert Person.objects.get().supplements == ""
        assert telegram.calls("answerCallbackQuery")[-1].params["text"] == "Undone"
        assert "Undone" in telegram.calls("editMessageText")[-1].params["text"]

    def test_pressing_twice_gives_the_same_answer(self, chat, noted, telegram):
        press = f"undo:{ProfileUpdate.objects.get().pk}"
        chat.bring(telegram.callback(press))
        chat.bring(telegram.callback(press))
        texts = [c.params["text"] for c in telegram.calls("answerCallbackQuery")]
        assert texts == ["Undone", "Undone"]

    @pytest.mark.req("B-15")
    def test_button_works_only_in_its_chat(self, chat, bot, noted, telegram):
        ben = MembershipFactory(space=bot.space).user
        TelegramLinkFactory(space=bot.space, user=ben, telegram_id=STRANGER)
        press = f"undo:{ProfileUpdate.objects.get().pk}"
        for sender in (STRANGER, 999):
            chat.bring(telegram.callback(press, sender=sender))
            texts = telegram.calls("answerCallbackQuery")[-1].params["text"]
            assert texts == "This can't be undone any more."
        assert "Zinc" in Person.objects.get().supplements

    @pytest.mark.parametrize(
        "data", ["", "undo:", "undo:x", "drop table", "undo:" + "0" * 32]
    )
    def test_forged_button_does_nothing(self, chat, noted, telegram, data):
        chat.bring(telegram.callback(data))
        assert chat.states()[-1] == "done"
        assert "Zinc" in Person.objects.get().supplements


class TestQuestions:
    """A change that the message does not say waits for one of two buttons."""

    @pytest.fixture
    def asked(self, chat, link, openai_server, telegram):
        PersonFactory(space=link.space, name="Olga")
        openai_server.chat.queue(noting("Hello.", profile_updates=[ZINC]))
        assert chat.say("Good morning.")[1].startswith("<i>Add to Supplements? Zinc")
        [row] = telegram.calls("sendMessage", ANNA)[-1].result["reply_markup"][
            "inline_keyboard"
        ]
        assert [button["text"] for button in row] == ["Add", "Leave it"]
        assert Person.objects.get().supplements == ""
        return [button["callback_data"] for button in row]

    def answer(self, chat, telegram, data, **options):
        part = TelegramPart.objects.exclude(undo=None).get()
        number = part.telegram_message_id
        chat.bring(telegram.callback(data, message_id=number, **options))
        return telegram.calls("answerCallbackQuery")[-1].params["text"]

    def test_yes_changes_the_notes(self, chat, asked, telegram):
        said = self.answer(chat, telegram, asked[0])
        assert said.startswith("Saved to Supplements: Zinc")
        assert "Zinc" in Person.objects.get().supplements
        assert "Saved to" in telegram.calls("editMessageText")[-1].params["text"]
        assert self.answer(chat, telegram, asked[1]) == said

    def test_no_leaves_them(self, chat, asked, telegram):
        assert self.answer(chat, telegram, asked[1]) == "Left as it is."
        assert self.answer(chat, telegram, asked[0]) == "Left as it is."
        assert Person.objects.get().supplements == ""

    def test_answer_of_others_or_after_another_message_changes_nothing(
        self, chat, asked, bot, telegram, openai_server
    ):
        ben = MembershipFactory(space=bot.space).user
        TelegramLinkFactory(space=bot.space, user=ben, telegram_id=STRANGER)
        self.answer(chat, telegram, asked[0], sender=STRANGER)
        openai_server.chat.queue(says("Yes?"))
        chat.say("And now?")
        self.answer(chat, telegram, asked[0])
        assert Person.objects.get().supplements == ""


class TestMemoryLines:
    @pytest.fixture
    def told(self, chat, openai_server):
        """A stored fact, announced with a button."""
        openai_server.chat.queue(noting("**Noted.**", memory_saves=["User likes tea"]))
        [answer] = chat.say("I like tea.")
        assert answer == "<b>Noted.</b>\n\n<i>Remembered: Likes tea</i>"
        return TelegramPart.objects.exclude(undo=None).get()

    def press(self, chat, telegram, part, **options):
        press = telegram.callback(
            f"undo:{part.undo}", message_id=part.telegram_message_id, **options
        )
        chat.bring(press)
        return telegram.calls("answerCallbackQuery")[-1].params["text"]

    def test_a_stored_fact_is_taken_back_and_leaves_the_chat(
        self, chat, told, telegram
    ):
        for _ in range(2):
            assert self.press(chat, telegram, told) == "Undone"
        assert Memory.objects.get().retired_reason == "retracted"
        edited = telegram.calls("editMessageText")[-1].params["text"]
        assert edited == "<b>Noted.</b>\n\n<i>Forgotten: 1 memory</i>"

    @pytest.mark.req("S0-06")
    def test_a_line_that_does_not_fit_is_a_message_of_its_own(
        self, chat, openai_server, telegram
    ):
        text = "x" * 4090
        openai_server.chat.queue(noting(text, memory_saves=["User likes tea"]))
        line = "<i>Remembered: Likes tea</i>"
        assert chat.say("I like tea.") == [text, line]
        self.press(chat, telegram, TelegramPart.objects.exclude(undo=None).get())
        edited = telegram.calls("editMessageText")[-1].params["text"]
        assert edited == "<i>Forgotten: 1 memory</i>"

    def test_a_forgotten_fact_is_restored(self, chat, told, telegram, openai_server):
        openai_server.chat.queue(noting("Gone.", memory_forgets=["User likes tea"]))
        assert chat.say("Forget the tea.") == [
            "Gone.",
            "<i>Forgotten: Likes tea</i>",
        ]
        assert self.press(chat, telegram, told) == "Undone"  # by the wish
        part = TelegramPart.objects.exclude(undo=None).order_by("sent_at").last()
        assert self.press(chat, telegram, part) == "Undone"
        assert Memory.objects.get().active
        edited = telegram.calls("editMessageText")[-1].params["text"]
        assert edited == "<i>Remembered: Likes tea</i>"

    @pytest.mark.req("B-15")
    def test_button_of_another_chat_changes_nothing(self, chat, bot, told, telegram):
        ben = MembershipFactory(space=bot.space).user
        TelegramLinkFactory(space=bot.space, user=ben, telegram_id=STRANGER)
        for sender in (STRANGER, 999):
            text = self.press(chat, telegram, told, sender=sender)
            assert text == "This can't be undone any more."
        assert Memory.objects.get().active

    def test_a_wish_without_a_match_names_the_nearest(self, chat, told, openai_server):
        openai_server.chat.queue(noting("Hm.", memory_forgets=["User hates tea"]))
        assert chat.say("Forget that I hate tea.")[1] == (
            "<i>Not remembered: Hates tea. Nearest: Likes tea</i>"
        )
        assert TelegramPart.objects.exclude(undo=None).get() == told

    def test_everything_is_forgotten_after_a_yes(self, chat, told, openai_server):
        openai_server.chat.default = lambda _body: noting("Hm.", memory_forgets="*")
        asked = chat.say("Forget everything about me.")
        assert asked[1] == (
            "<i>Forget the only memory? Say yes to confirm. These are: Likes tea</i>"
        )
        assert chat.say("Yes")[1] == "<i>Forgotten: 1 memory</i>"
        assert not Memory.objects.filter(active=True).exists()

    def test_all_that_a_button_forgot_is_restored_by_another(
        self, chat, told, telegram, openai_server
    ):
        openai_server.chat.queue(noting("Hm.", memory_forgets="*"))
        chat.say("Forget everything about me.")
        part = TelegramPart.objects.exclude(undo=None).order_by("sent_at").last()
        for action, active in (("yes", False), ("undo", True)):
            data, number = f"{action}:{part.undo}", part.telegram_message_id
            chat.bring(telegram.callback(data, message_id=number))
            assert Memory.objects.get().active == active
            edited = telegram.calls("editMessageText")[-1].params
            assert ("reply_markup" in edited) == (action == "yes")

    def test_lines_are_in_the_language_of_the_user(self, chat, member, openai_server):
        member.user.locale = "pl"
        member.user.save()
        openai_server.chat.queue(noting("Oto.", memory_saves=["Użytkownik lubi kawę"]))
        answers = chat.say("Lubię kawę.")
        assert answers == ["Oto.\n\n<i>Zapamiętano: Lubi kawę</i>"]


class TestWithoutKey:
    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch):
        monkeypatch.setattr(offline, "PACE", 0)

    def test_older_statement_is_replaced_by_a_button(self, chat, link, telegram):
        earlier = timezone.now() - timedelta(days=1)
        chat.say("I take 20 mg of atorvastatin.", date=int(earlier.timestamp()))
        told = chat.say("I take 40 mg of atorvastatin now.")[-1]
        assert "Replace “I take 20 mg of atorvastatin”?" in told
        sent = telegram.calls("sendMessage", ANNA)[-1].result
        [row] = sent["reply_markup"]["inline_keyboard"]
        assert [button["text"] for button in row] == ["Replace", "Keep both", "Undo"]
        data, number = row[0]["callback_data"], sent["message_id"]
        chat.bring(telegram.callback(data, message_id=number))
        assert Memory.objects.active().get().content.startswith("I take 40 mg")

    def test_button_says_whom_a_fact_is_about(self, chat, bot, link, telegram):
        mia = PersonFactory(space=bot.space, name="Mia")
        PersonFactory(space=bot.space, name="Leo")
        chat.say("She takes montelukast 5 mg every evening.")
        sent = telegram.calls("sendMessage", ANNA)[-1].result
        buttons = [
            button
            for row in sent["reply_markup"]["inline_keyboard"]
            for button in row
            if button["text"] == "Mia"
        ]
        assert Memory.objects.get().about.unsure
        data, number = buttons[0]["callback_data"], sent["message_id"]
        chat.bring(telegram.callback(data, message_id=number))
        fact = Memory.objects.get()
        assert (fact.person, fact.content[:4]) == (mia, "Mia:")

    def test_nothing_is_added_to_the_note_of_an_emergency(self, chat, link):
        answers = chat.say("I have chest pain and my left arm is numb.")
        assert len(answers) == 1
        assert "This may be an emergency" in answers[0]
