"""Talking to Meddie on Telegram: the same turn as on the web."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from conversations.deletion import delete_conversation
from conversations.inbox import store
from conversations.models import (
    Conversation,
    Episode,
    EpisodeDecision,
    Message,
    TelegramPart,
    TelegramUpdate,
    Thread,
)
from conversations.telegram import accept
from memory.models import Memory
from people.models import Person, ProfileUpdate, TelegramLink
from people.telegram_links import make_code
from tests.conversations.telegram.chat import Chat, post
from tests.conversations.turns import ask, noting, write
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    TelegramLinkFactory,
)
from tests.openai_server import Answer, says
from tests.openai_server import fails as refuses
from tests.telegram_server import blocks, fails, floods, vanishes
from tests.telegram_updates import ANNA

STRANGER = 4242
ZINC = {"field": "supplements", "action": "append", "text": "Zinc <30 mg>"}


def system_prompt(openai_server):
    return openai_server.chat.requests[-1].body["messages"][0]["content"]


@pytest.mark.req("S0-46")
def test_message_is_answered_by_a_turn_as_on_the_web(chat, openai_server):
    openai_server.chat.queue(noting("**Noted.**", memory_saves=["User likes tea"]))
    answers = chat.say("I like tea.")
    assert answers == ["<b>Noted.</b>", "<i>Remembered: User likes tea</i>"]
    assert chat.states() == ["done"]
    assert Memory.objects.get().content == "User likes tea"
    conversation = Conversation.objects.get()
    roles = list(conversation.messages.in_order().values_list("role", "content"))
    assert roles[:2] == [("user", "I like tea."), ("assistant", "**Noted.**")]
    openai_server.chat.queue(says("Tea."))
    chat.say("What do you know about me?")
    assert "User likes tea" in system_prompt(openai_server)


@pytest.mark.parametrize(
    ("answer", "text", "sentence"),
    [
        (says("Half", finish="length"), "Half", "so its end is missing"),
        (says("Half", finish="content_filter"), "Half", "A content filter"),
        (refuses(429, error_code="insufficient_quota"), "", "has no credit left"),
        (says("", pieces=("x" * 2_000_000,)), "", "so its end is missing"),
    ],
)
def test_unfinished_answer_says_why(chat, openai_server, answer, text, sentence):
    openai_server.chat.queue(answer)
    *parts, told = chat.say("Hello")
    assert parts == ([text] if text else [])
    assert sentence in told
    assert chat.states() == ["done"]


def test_inbox_keeps_no_text_of_answered_messages(chat, openai_server):
    openai_server.chat.queue(says("A secret answer."))
    chat.say("A secret question.")
    update = TelegramUpdate.objects.get()
    part = TelegramPart.objects.get()
    assert (update.payload, part.html) == ({}, "")
    assert part.telegram_message_id is not None


def test_typing_is_shown_while_the_reply_is_written(chat, openai_server, telegram):
    openai_server.chat.queue(Answer("Slow.", pieces=("Sl", "ow."), pace=0.2))
    chat.say("Hello")
    assert len(telegram.calls("sendChatAction", ANNA)) >= 1


@pytest.mark.req("S0-10", "S0-52")
def test_person_without_a_user_is_answered_without_memory(telegram, bot, openai_server):
    person = PersonFactory(space=bot.space, name="Zofia")
    TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=ANNA)
    chat = Chat(telegram, bot)
    openai_server.chat.queue(
        noting("Hi.", memory_saves=["User likes tea"], profile_updates=[ZINC])
    )
    assert chat.say("I like tea and take zinc.") == ["Hi."]
    assert "Zofia" in system_prompt(openai_server)
    assert not Memory.objects.exists()
    assert not ProfileUpdate.objects.exists()
    assert not openai_server.embeddings.requests
    openai_server.chat.queue(says("Still here."))
    assert chat.say("Go on") == ["Still here."]
    assert Conversation.objects.get().user is None


def test_person_without_a_user_is_limited_too(telegram, bot, openai_server, settings):
    settings.DAILY_MESSAGES = 1
    person = PersonFactory(space=bot.space)
    TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=ANNA)
    chat = Chat(telegram, bot)
    openai_server.chat.queue(says("Hi."))
    assert chat.say("One") == ["Hi."]
    [refusal] = chat.say("Two")
    assert "daily message limit" in refusal
    assert Message.objects.filter(role="user").count() == 1


@pytest.mark.req("B-15")
@pytest.mark.parametrize("text", ["Hello", "/start", "/new", "/help", "/start abc"])
def test_unlinked_account_learns_its_id_and_nothing_is_kept(
    telegram, bot, openai_server, text
):
    [answer] = Chat(telegram, bot, STRANGER).say(text)
    if text != "/start abc":
        assert f"Your Telegram ID: <code>{STRANGER}</code>" in answer
    assert bot.space.name not in answer
    assert not Conversation.objects.exists()
    assert not openai_server.chat.requests


@pytest.mark.req("B-15")
def test_removed_member_is_unknown_at_once(chat, member, openai_server):
    openai_server.chat.queue(noting("Noted.", memory_saves=["User likes tea"]))
    chat.say("I like tea.")
    member.delete()
    [answer] = chat.say("What do you know about me?")
    assert "I don't recognize" in answer
    assert len(openai_server.chat.requests) == 1


def test_waiting_message_of_a_removed_member_is_not_answered(
    chat, member, telegram, openai_server
):
    post(chat.bot, telegram.message("What do you know?", sender=ANNA))
    member.delete()
    chat.work()
    assert "I don't recognize" in chat.answers()[0]
    assert not openai_server.chat.requests


def test_memories_of_other_users_are_not_recalled(chat, bot, telegram, openai_server):
    """Ben is in the same space and asks the same bot, in a chat of his own."""
    ben = MembershipFactory(space=bot.space).user
    TelegramLinkFactory(space=bot.space, user=ben, telegram_id=STRANGER)
    openai_server.chat.queue(noting("Noted.", memory_saves=["User likes green tea"]))
    chat.say("I like green tea.")
    openai_server.chat.queue(says("Nothing."))
    Chat(telegram, bot, STRANGER).say("Do I like green tea?")
    assert "User likes green tea" not in str(openai_server.chat.requests[-1])


def test_confirmation_is_searched_with_its_question(chat, member, openai_server):
    for fact in ("User likes green tea", "User has a dog"):
        MemoryFactory(user=member.user, space=member.space, content=fact)
    openai_server.chat.queue(says("Shall I name shops for green tea?"), says("These."))
    chat.say("What shall I buy?")
    chat.say("Yes, please")
    found, _, others = system_prompt(openai_server).partition("## Also Known")
    assert "- User likes green tea (stated " in found
    assert "- User has a dog (stated " in others


def test_link_given_to_another_user_shows_no_earlier_messages(
    chat, link, bot, openai_server
):
    openai_server.chat.queue(says("Hi Anna."))
    chat.say("My secret is blue.")
    ben = MembershipFactory(space=bot.space).user
    TelegramLink.objects.filter(pk=link.pk).update(user=ben)
    openai_server.chat.queue(says("Hi Ben."))
    chat.say("Hello")
    assert "blue" not in str(openai_server.chat.requests[-1])
    assert Conversation.objects.filter(user=ben).count() == 1


def test_inventions_and_secrets_of_a_model_are_not_stored(chat, openai_server):
    saves = ["User has asthma", "User's PIN is 1234", "User keeps a grey cat"]
    openai_server.chat.queue(noting("Noted.", memory_saves=saves))
    chat.say("My cat is grey and my PIN is 1234.")
    openai_server.chat.queue(says("A cat."))
    chat.say("What do you know about me?")
    prompt = system_prompt(openai_server)
    assert "User keeps a grey cat" in prompt
    assert "asthma" not in prompt
    assert "1234" not in prompt


def test_web_and_telegram_share_memories(chat, member, openai_server):
    openai_server.chat.queue(noting("Noted.", memory_saves=["User likes green tea"]))
    chat.say("I like green tea.")
    openai_server.chat.queue(
        noting("Noted.", memory_saves=["User keeps two grey cats"])
    )
    write(ask(member, "Do I like green tea? My two cats are grey."))
    assert "User likes green tea" in system_prompt(openai_server)
    openai_server.chat.queue(says("Two."))
    chat.say("Do I keep two grey cats?")
    assert "User keeps two grey cats" in system_prompt(openai_server)


class TestConversations:
    @pytest.mark.req("S0-49")
    @pytest.mark.parametrize("command", ["/new", "/new@Meddie_Test_Bot", " /new\n"])
    def test_new_starts_a_conversation_without_the_old_messages(
        self, chat, openai_server, command
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        chat.say("My old topic")
        [answer] = chat.say(command)
        assert answer == "Started a new conversation. What would you like to know?"
        chat.say("My new topic")
        assert Conversation.objects.count() == 2
        _, *history = openai_server.chat.requests[-1].body["messages"]
        assert [message["content"] for message in history] == ["My new topic"]

    @pytest.mark.req("B-15")
    @pytest.mark.parametrize(
        "text", ["/newsletter", "/new please", "a /new", "/new@other_bot", "/NEW"]
    )
    def test_text_that_resembles_a_command_is_a_message(
        self, chat, openai_server, text
    ):
        openai_server.chat.queue(says("Yes?"))
        assert chat.say(text) == ["Yes?"]

    @pytest.mark.req("S0-50")
    @pytest.mark.parametrize(("hours", "conversations"), [(7.9, 1), (8.1, 2)])
    def test_pause_of_eight_hours_starts_a_new_conversation(
        self, chat, openai_server, hours, conversations
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        chat.say("First")
        ago = timezone.now() - timedelta(hours=hours)
        Conversation.objects.update(last_message_at=ago)
        chat.say("Second")
        assert Conversation.objects.count() == conversations

    @pytest.mark.req("S0-50")
    def test_pause_ends_when_the_message_was_sent(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("One."), says("Two."))
        chat.say("First")
        long_ago = timezone.now() - timedelta(hours=12)
        Conversation.objects.update(last_message_at=long_ago)
        sent_at = int((long_ago + timedelta(minutes=5)).timestamp())
        chat.say("Second", date=sent_at)
        assert Conversation.objects.count() == 1
        second = Message.objects.get(content="Second")
        assert int(second.created_at.timestamp()) == sent_at

    @pytest.mark.req("S0-51")
    def test_new_conversation_after_a_pause_carries_the_old_end(
        self, chat, openai_server
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        chat.say("My old topic")
        Conversation.objects.update(last_message_at=timezone.now() - timedelta(hours=9))
        chat.say("And now?")
        texts = [
            m["content"] for m in openai_server.chat.requests[-1].body["messages"][1:]
        ]
        assert texts == ["My old topic", "One.", "And now?"]

    @pytest.mark.req("S2-16")
    def test_thread_has_one_active_episode(self, chat, openai_server):
        openai_server.chat.queue(says("One."), says("Two."))
        chat.say("First")
        chat.say("/new")
        chat.say("Second")
        thread = Thread.objects.get(channel="telegram")
        assert thread.episodes.count() == 2
        active = thread.episodes.get(status="active")
        assert active.conversation.messages.filter(content="Second").exists()

    @pytest.mark.req("S2-23", "B-30")
    def test_pause_of_a_chat_begins_conversation_and_episode(self, chat, openai_server):
        openai_server.chat.queue(says("One."), says("Two."), says("Three."))
        chat.say("First")
        chat.say("/new")
        chat.say("Second")
        ago = timezone.now() - timedelta(hours=9)
        Conversation.objects.update(last_message_at=ago)
        Episode.objects.update(last_user_message_at=ago)
        chat.say("Third")
        decided = EpisodeDecision.objects.order_by("message__seq")
        reasons = list(decided.values_list("reason", flat=True))
        assert reasons == ["first", "conversation", "time_gap"]
        assert Conversation.objects.count() == Episode.objects.count() == 3

    def test_conversation_is_about_the_person_of_the_link(
        self, chat, link, openai_server
    ):
        PersonFactory(space=link.space, name="Olga")
        zofia = PersonFactory(space=link.space, name="Zofia")
        TelegramLink.objects.update(person=zofia)
        openai_server.chat.queue(says("Hi."))
        chat.say("Hello")
        assert Conversation.objects.get().person == zofia

    @pytest.mark.parametrize(("people", "about"), [(0, None), (1, "Olga"), (2, None)])
    def test_conversation_is_about_the_only_person(
        self, chat, link, openai_server, people, about
    ):
        for name in ["Olga", "Zofia"][:people]:
            PersonFactory(space=link.space, name=name)
        PersonFactory(name="In another space")
        openai_server.chat.queue(says("Hi."))
        chat.say("Hello")
        person = Conversation.objects.get().person
        assert (person.name if person else None) == about


class TestBlankReplies:
    """A reply without visible text is answered by one sentence."""

    NOTHING = "<i>I have no answer to that. Try asking in other words.</i>"

    def test_reply_of_notes_only_says_that_they_were_taken(self, chat, openai_server):
        openai_server.chat.queue(noting("", memory_saves=["User likes tea"]))
        assert chat.say("I like tea.") == [
            "<i>Noted.</i>",
            "<i>Remembered: User likes tea</i>",
        ]

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
        assert chat.say("What is tea?") == [self.NOTHING]

    def test_line_under_a_blank_reply_is_the_answer(self, chat, openai_server):
        openai_server.chat.queue(noting("", memory_forgets=["User likes tea"]))
        [answer] = chat.say("Forget that I like tea.")
        assert answer == "<i>Not remembered: User likes tea</i>"

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


class TestNotes:
    @pytest.fixture
    def noted(self, chat, link, openai_server, telegram):
        """A change to the notes, announced with a button."""
        PersonFactory(space=link.space, name="Olga")
        openai_server.chat.queue(noting("Noted.", profile_updates=[ZINC]))
        self.answers = chat.say("She takes zinc.")
        return telegram.calls("sendMessage", ANNA)[-1]

    def test_change_of_notes_is_sent_with_an_undo_button(self, chat, noted, telegram):
        assert self.answers[1].startswith("<i>")
        assert "Zinc &lt;30 mg&gt;" in self.answers[1]
        change = ProfileUpdate.objects.get()
        telegram_id = TelegramPart.objects.get(undo=change.pk).telegram_message_id
        chat.bring(telegram.callback(f"undo:{change.pk}", message_id=telegram_id))
        assert Person.objects.get().supplements == ""
        assert telegram.calls("answerCallbackQuery")[-1].params["text"] == "Reverted"
        assert "Reverted" in telegram.calls("editMessageText")[-1].params["text"]

    def test_pressing_twice_gives_the_same_answer(self, chat, noted, telegram):
        press = f"undo:{ProfileUpdate.objects.get().pk}"
        chat.bring(telegram.callback(press))
        chat.bring(telegram.callback(press))
        texts = [c.params["text"] for c in telegram.calls("answerCallbackQuery")]
        assert texts == ["Reverted", "Reverted"]

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


class TestMemoryLines:
    @pytest.fixture
    def told(self, chat, openai_server):
        """A stored fact, announced with a button."""
        openai_server.chat.queue(noting("**Noted.**", memory_saves=["User likes tea"]))
        assert chat.say("I like tea.")[1] == "<i>Remembered: User likes tea</i>"
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
            assert self.press(chat, telegram, told) == "Reverted"
        assert Memory.objects.get().retired_reason == "retracted"
        edited = telegram.calls("editMessageText")[-1].params["text"]
        assert edited == "<i>Forgotten: 1 memory</i>"

    def test_a_forgotten_fact_is_restored(self, chat, told, telegram, openai_server):
        openai_server.chat.queue(noting("Gone.", memory_forgets=["User likes tea"]))
        assert chat.say("Forget the tea.") == [
            "Gone.",
            "<i>Forgotten: User likes tea</i>",
        ]
        assert self.press(chat, telegram, told) == "Reverted"  # by the wish
        part = TelegramPart.objects.exclude(undo=None).order_by("sent_at").last()
        assert self.press(chat, telegram, part) == "Reverted"
        assert Memory.objects.get().active
        edited = telegram.calls("editMessageText")[-1].params["text"]
        assert edited == "<i>Remembered: User likes tea</i>"

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
            "<i>Not remembered: User hates tea. Nearest: User likes tea</i>"
        )
        assert TelegramPart.objects.exclude(undo=None).get() == told

    def test_everything_is_forgotten_after_a_yes(self, chat, told, openai_server):
        openai_server.chat.default = lambda _body: noting("Hm.", memory_forgets="*")
        asked = chat.say("Forget everything about me.")
        assert asked[1] == "<i>Forget the only memory? Say yes to confirm.</i>"
        assert chat.say("Yes")[1] == "<i>Forgotten: 1 memory</i>"
        assert not Memory.objects.filter(active=True).exists()

    def test_lines_are_in_the_language_of_the_user(self, chat, member, openai_server):
        member.user.locale = "pl"
        member.user.save()
        openai_server.chat.queue(noting("Oto.", memory_saves=["Użytkownik lubi kawę"]))
        answers = chat.say("Lubię kawę.")
        assert answers[1] == "<i>Zapamiętano: Użytkownik lubi kawę</i>"


class TestTrouble:
    def test_failing_provider_becomes_a_sentence(self, chat, openai_server):
        openai_server.chat.default = lambda _body: Answer(status=401)
        [answer] = chat.say("Hello")
        assert "did not accept Meddie's key" in answer
        assert chat.states() == ["done"]

    def test_block_is_noted_until_the_user_writes_again(
        self, chat, link, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        telegram.queue("sendMessage", blocks(), chat=ANNA)
        assert chat.say("Hello") == []
        link.refresh_from_db()
        assert link.blocked_at is not None
        assert chat.states() == ["done"]
        chat.say("Back again")
        link.refresh_from_db()
        assert link.blocked_at is None

    def test_refused_formatting_is_sent_as_plain_text(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("**5 < 6**"))
        telegram.queue("sendMessage", fails(400, "can't parse entities"), chat=ANNA)
        assert chat.say("Hello") == ["5 &lt; 6"]

    @pytest.mark.parametrize("refused_as_well", [0, 1])
    def test_message_that_telegram_refuses_does_not_delay_the_next(
        self, chat, openai_server, telegram, refused_as_well
    ):
        """With and without formatting; perhaps even the apology."""
        openai_server.chat.queue(says("One."), says("Two."))
        refusals = [fails(400, "Bad Request: it is odd")] * (2 + refused_as_well)
        telegram.queue("sendMessage", *refusals, chat=ANNA)
        apology = ["Something went wrong. Please try again."]
        assert chat.say("First") == apology[refused_as_well:]
        update = TelegramUpdate.objects.get()
        assert (update.state, update.error) == ("dead", "refused")
        assert update.payload["message"]["text"] == "First"
        assert chat.say("Second") == ["Two."]
        assert chat.states() == ["dead", "done"]

    def test_user_who_blocked_the_bot_delays_nothing(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.default = lambda _body: says("Yes.")
        telegram.queue("sendMessage", blocks(), chat=ANNA)
        assert chat.say("First") == []
        assert chat.say("Second") == ["Yes."]
        assert chat.states() == ["done", "done"]

    def test_wrong_token_is_a_matter_of_the_bot(
        self, chat, bot, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."))
        telegram.queue("sendMessage", fails(401, "Unauthorized"), chat=ANNA)
        assert chat.say("First") == []
        bot.refresh_from_db()
        assert (bot.error, chat.states()) == ("wrong_token", ["waiting"])
        chat.make_due()
        chat.work()
        assert chat.answers() == ["One."]

    def test_long_429_postpones_the_update_without_an_attempt(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."))
        telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
        assert chat.say("Hello") == []
        update = TelegramUpdate.objects.get()
        wait = update.available_at - timezone.now()
        assert timedelta(seconds=90) < wait < timedelta(seconds=101)
        assert (update.stage, update.attempts, update.error) == ("reply", 0, "too_many")
        chat.make_due()
        chat.work()
        assert chat.answers() == ["One."]
        assert len(openai_server.chat.requests) == 1

    def test_update_that_keeps_failing_is_dead_and_the_chat_goes_on(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        telegram.queue(
            "sendMessage", *[fails(502)] * 3 * TelegramUpdate.MOST_ATTEMPTS, chat=ANNA
        )
        chat.say("Hello")
        for _ in range(TelegramUpdate.MOST_ATTEMPTS):
            chat.make_due()
            chat.work()
        assert chat.states() == ["dead"]
        assert TelegramUpdate.objects.get().error == "unreachable"
        assert chat.say("Are you there?") == ["Two."]

    def test_waiting_update_delays_the_later_ones_of_its_chat(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."), says("Two."))
        telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
        chat.say("First")
        assert chat.say("Second") == []
        chat.make_due()
        chat.work()
        assert chat.answers() == ["One.", "Two."]


class TestChangedLinks:
    """Between a message and its answer a link can end or change."""

    def test_waiting_answer_is_not_sent_to_a_removed_member(
        self, chat, member, openai_server, telegram
    ):
        openai_server.chat.queue(says("Your secret is blue."))
        telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
        chat.say("What is my secret?")
        member.delete()
        chat.make_due()
        chat.work()
        assert chat.answers() == []
        update = TelegramUpdate.objects.get()
        assert (update.state, update.error, update.payload) == ("done", "unlinked", {})

    def test_started_reply_is_not_written_for_another_user(
        self, chat, link, bot, telegram, openai_server
    ):
        post(chat.bot, telegram.message("What is my secret?", sender=ANNA))
        update = TelegramUpdate.objects.get()
        lease = uuid4()
        Thread.objects.filter(pk=update.thread_id).lease_to(lease)
        update = store.claim_next(TelegramUpdate, update.thread_id, lease)
        accept.accept_message(update, accept.Files())
        store.release(TelegramUpdate, update.thread_id, lease)
        ben = MembershipFactory(space=bot.space).user
        TelegramLink.objects.filter(pk=link.pk).update(user=ben)
        chat.work()
        assert not openai_server.chat.requests
        assert chat.answers() == []

    def test_removed_link_deletes_its_updates(
        self, chat, link, openai_server, telegram
    ):
        openai_server.chat.queue(says("Your secret is blue."))
        telegram.queue("sendMessage", floods(retry_after=100), chat=ANNA)
        chat.say("What is my secret?")
        link.delete()
        assert not TelegramUpdate.objects.exists()
        assert not TelegramPart.objects.exists()

    def test_deleted_conversation_deletes_its_updates_only(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("A secret answer."), says("Here."))
        telegram.queue("sendMessage", *[fails(502)] * 3, chat=ANNA)
        chat.say("A secret question")
        post(chat.bot, telegram.message("Still waiting", sender=ANNA))
        delete_conversation(Conversation.objects.get())
        assert "secret" not in str(list(TelegramUpdate.objects.values()))
        chat.work()
        assert chat.answers() == ["Here."]

    def test_link_to_another_person_shows_nothing_of_the_first(
        self, telegram, bot, openai_server
    ):
        zofia = PersonFactory(space=bot.space, name="Zofia", health_notes="A secret")
        olga = PersonFactory(space=bot.space, name="Olga")
        link = TelegramLinkFactory(
            space=bot.space, user=None, person=zofia, telegram_id=ANNA
        )
        chat = Chat(telegram, bot)
        openai_server.chat.default = lambda _body: says("Yes.")
        chat.say("How am I?")
        assert "A secret" in str(openai_server.chat.requests[-1])
        link.person = olga
        link.save()
        chat.say("And now?")
        assert "A secret" not in str(openai_server.chat.requests[-1])
        assert "How am I?" not in str(openai_server.chat.requests[-1])


class TestUncertain:
    def test_part_without_a_receipt_is_sent_twice_at_most(
        self, chat, openai_server, telegram
    ):
        openai_server.chat.queue(says("One."))
        telegram.queue("sendMessage", *[vanishes()] * 5, chat=ANNA)
        chat.say("Hello")
        for _ in range(3):
            chat.make_due()
            chat.work()
        assert chat.answers() == ["One.", "One."]
        assert chat.states() == ["done"]


def test_message_in_an_ended_conversation_does_not_split_the_new_one(
    chat, member, openai_server
):
    openai_server.chat.default = lambda _body: says("Yes.")
    chat.say("Topic one")
    old = Conversation.objects.get()
    chat.say("/new")
    chat.say("Topic two")
    write(ask(member, "Topic one again", conversation_id=old.pk))
    chat.say("Topic two goes on")
    assert Conversation.objects.count() == 2


def test_start_clears_the_block(chat, link):
    TelegramLink.objects.update(blocked_at=timezone.now())
    chat.say("/start")
    link.refresh_from_db()
    assert link.blocked_at is None


def test_handled_update_clears_the_problem_of_the_bot(chat, bot):
    type(bot).objects.update(error="wrong_token")
    chat.say("/help")
    bot.refresh_from_db()
    assert bot.error == ""


@pytest.mark.parametrize("language", ["e\0", "\ud800", "xx"])
def test_unknown_language_is_answered_in_english(chat, language):
    sender = {"id": ANNA, "first_name": "Anna", "language_code": language}
    [answer] = chat.bring(chat.telegram.message("/help", sender=sender))
    assert "/new" in answer


def test_sender_of_a_dead_update_gets_an_apology(chat, openai_server, telegram):
    openai_server.chat.queue(says("One."))
    telegram.queue(
        "sendMessage", *[fails(502)] * 3 * TelegramUpdate.MOST_ATTEMPTS, chat=ANNA
    )
    chat.say("Hello")
    for _ in range(TelegramUpdate.MOST_ATTEMPTS - 1):
        chat.make_due()
        chat.work()
    assert chat.states() == ["dead"]
    assert chat.answers() == ["Something went wrong. Please try again."]
