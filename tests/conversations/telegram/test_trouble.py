"""Trouble with the Bot API, and links that change meanwhile."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from conversations import inbox
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, Thread
from conversations.telegram.accept import accept_message
from conversations.telegram.incoming import incoming_of
from conversations.telegram.models import TelegramLink, TelegramPart, TelegramUpdate
from memory.models import MemoryEvent
from tests.conversations.telegram.chat import Chat, post
from tests.factories import MembershipFactory, PersonFactory, TelegramLinkFactory
from tests.openai_answers import Answer, says
from tests.telegram_answers import blocks, fails, floods, vanishes
from tests.telegram_updates import ANNA


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

    @pytest.mark.req("S3-70")
    def test_message_that_is_not_answered_leaves_an_event(
        self, chat, link, openai_server, telegram, admin_client
    ):
        openai_server.chat.queue(says("One."))
        refusals = [fails(400, "Bad Request: it is odd")] * 3
        telegram.queue("sendMessage", *refusals, chat=ANNA)
        chat.say("Is 120/80 fine?")
        event = MemoryEvent.objects.get(kind="bot_error")
        update = TelegramUpdate.objects.get()
        assert event.data == {"error": "refused", "update": str(update.pk)}
        assert (event.user, event.space) == (link.user, link.space)
        assert event.texts == {}
        page = admin_client.get(reverse("admin:memory_memoryevent_changelist"))
        assert "failed: refused" in page.text

    @pytest.mark.parametrize(
        ("text", "parts"), [("First", 1), ("My chest hurts and I cannot breathe", 2)]
    )
    def test_user_who_blocked_the_bot_delays_nothing(
        self, chat, openai_server, telegram, text, parts
    ):
        """Nor where a note about an emergency would come before the answer."""
        openai_server.chat.default = lambda _body: says("Yes.")
        telegram.queue("sendMessage", *[blocks()] * parts, chat=ANNA)
        assert chat.say(text) == []
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
        update = inbox.claim_next(TelegramUpdate, update.thread_id, lease)
        accept_message(incoming_of(update))
        inbox.release(TelegramUpdate, update.thread_id, lease)
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
