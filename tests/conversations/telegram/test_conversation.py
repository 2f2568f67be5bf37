"""Talking to Meddie on Telegram: the same turn as on the web."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Conversation, Episode, Message, Thread
from conversations.telegram.models import TelegramLink, TelegramPart, TelegramUpdate
from memory.models import Memory, MemoryPolicy
from people.models import ProfileUpdate
from tests.conversations.telegram.chat import STRANGER, ZINC, Chat, post
from tests.conversations.turns import ask, noting, prompt_text, turns_sent, write
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    TelegramLinkFactory,
)
from tests.openai_answers import Answer, says
from tests.openai_answers import fails as refuses
from tests.telegram_updates import ANNA


@pytest.mark.req("S0-46")
def test_message_is_answered_by_a_turn_as_on_the_web(chat, openai_server):
    openai_server.chat.queue(noting("**Noted.**", memory_saves=["User likes tea"]))
    answers = chat.say("I like tea.")
    assert answers == ["<b>Noted.</b>\n\n<i>Remembered: Likes tea</i>"]
    assert chat.states() == ["done"]
    assert Memory.objects.get().content == "User likes tea"
    conversation = Conversation.objects.get()
    roles = list(conversation.messages.in_order().values_list("role", "content"))
    assert roles[:2] == [("user", "I like tea."), ("assistant", "**Noted.**")]
    openai_server.chat.queue(says("Tea."))
    chat.say("What do you know about me?")
    assert "User likes tea" in prompt_text(openai_server)


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
    assert "Zofia" in prompt_text(openai_server)
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


def test_message_without_room_is_answered_with_why(chat, openai_server, settings):
    settings.QUOTA_MB = 0
    [refusal] = chat.say("Hello")
    assert "your messages, memories and files have reached their limit" in refusal
    assert not openai_server.chat.requests


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
    assert "I don't recognise" in answer
    assert len(openai_server.chat.requests) == 1


def test_waiting_message_of_a_removed_member_is_not_answered(
    chat, member, telegram, openai_server
):
    post(chat.bot, telegram.message("What do you know?", sender=ANNA))
    member.delete()
    chat.work()
    assert "I don't recognise" in chat.answers()[0]
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
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    for fact in ("User likes green tea", "User has a dog"):
        MemoryFactory(user=member.user, space=member.space, content=fact)
    openai_server.chat.queue(says("Shall I name shops for green tea?"), says("These."))
    chat.say("What shall I buy?")
    chat.say("Yes, please")
    prompt = prompt_text(openai_server)
    assert "- User likes green tea (stated " in prompt
    assert "User has a dog" not in prompt


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
    prompt = prompt_text(openai_server)
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
    assert "User likes green tea" in prompt_text(openai_server)
    openai_server.chat.queue(says("Two."))
    chat.say("Do I keep two grey cats?")
    assert "User keeps two grey cats" in prompt_text(openai_server)


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
        assert turns_sent(openai_server) == ["My new topic"]

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
        assert turns_sent(openai_server) == ["My old topic", "One.", "And now?"]

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
        said = Message.objects.filter(role="user").in_order()
        reasons = list(said.values_list("episode_reason", flat=True))
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
