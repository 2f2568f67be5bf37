"""Sending, regenerating, editing and stopping, as the page does it."""

import asyncio
import threading
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction
from django.test import AsyncClient
from django.urls import reverse

from conversations import event_log
from conversations.models import Conversation, DailyUse, Message, Thread
from conversations.reply import active_replies
from conversations.reply.runner import write_reply
from conversations.reply.turn import begin
from conversations.web.chat_page import started_exchange
from meddie.threads import run_db
from tests.conversations import transcripts
from tests.factories import PersonFactory, SpaceFactory
from tests.waiting import PATIENCE, eventually, lock_is_awaited

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/chat/new"}


@pytest.fixture
def page(ann, home) -> AsyncClient:
    client = AsyncClient()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def conversation(ann, home) -> Conversation:
    conversation = transcripts.start_conversation(ann, home, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since when?")
    return conversation


async def written() -> None:
    """Until no reply is being written any more."""
    tasks = [one.task for one in list(active_replies.replies.values()) if one.task]
    await asyncio.gather(*tasks)


async def post(page, path, data=None, **headers):
    answer = await page.post(path, data or {}, headers=headers)
    await written()
    return answer


@sync_to_async
def stored_messages(**conditions):
    messages = Message.objects.current().filter(**conditions).in_order()
    return [(one.role, one.status) for one in messages]


async def test_reply_finished_before_its_page_still_arrives_by_stream(ann, home):
    turn = await sync_to_async(begin)(ann, home.pk, "My knee hurts.")
    await write_reply(turn)
    stored = await Message.objects.aget(pk=turn.reply_id)
    question, begun = await sync_to_async(started_exchange)(turn.reply)
    assert (stored.status, bool(stored.content)) == ("done", True)
    assert (question.content, begun.content) == ("My knee hurts.", "")
    assert begun.status == "streaming"


async def two_exchanges():
    return await stored_messages() == [("user", "done"), ("assistant", "done")] * 2


async def test_message_is_answered_when_the_browser_disconnects(page, conversation):
    locked, left = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            Thread.objects.lock_for(conversation.pk)
            locked.set()
            left.wait(PATIENCE)
        connection.close()

    holding = asyncio.create_task(asyncio.to_thread(hold))
    await asyncio.to_thread(locked.wait, PATIENCE)
    data = {"text": "Since Monday.", "conversation": str(conversation.pk)}
    sending = asyncio.create_task(page.post("/chat/send", data))
    await eventually(lambda: run_db(lock_is_awaited))
    sending.cancel()
    await asyncio.wait([sending])
    left.set()
    await holding
    await eventually(two_exchanges)
    await written()


@pytest.mark.req("S0-48")
async def test_the_first_message_begins_a_conversation_and_is_answered(page):
    answer = await post(page, "/chat/send", {"text": "Hello"}, **HTMX)
    content = answer.content.decode()
    conversation = await Conversation.objects.aget()
    assert f'value="{conversation.pk}"' in content
    assert "growing" in content
    assert answer.headers["HX-Trigger-After-Settle"] == "conversation-moved"
    assert await stored_messages() == [("user", "done"), ("assistant", "done")]


async def test_redirects_to_the_conversation_without_script(page, conversation):
    data = {"text": "It still hurts.", "conversation": str(conversation.pk)}
    answer = await post(page, "/chat/send", data)
    assert answer.headers["Location"] == f"/chat/{conversation.pk}"
    assert len(await stored_messages(conversation=conversation)) == 4


KEY = "00000000-0000-4000-8000-00000000000a"


async def test_resent_message_is_stored_once(page, conversation):
    data = {"text": "It still hurts.", "conversation": str(conversation.pk), "key": KEY}
    first = await post(page, "/chat/send", data, **HTMX)
    second = await post(page, "/chat/send", data, **HTMX)
    assert len(await stored_messages(conversation=conversation)) == 4
    assert (first.status_code, second.status_code) == (200, 200)
    for answer in (first, second):
        assert f'id="message-{KEY}"' in answer.content.decode()
    assert (await DailyUse.objects.aget()).messages == 1


async def test_the_first_message_of_a_conversation_is_stored_once_too(page):
    data = {"text": "Hello", "key": KEY}
    await post(page, "/chat/send", data, **HTMX)
    again = (await post(page, "/chat/send", data, **HTMX)).content.decode()
    conversation = await Conversation.objects.aget()
    assert f'value="{conversation.pk}"' in again
    assert await stored_messages() == [("user", "done"), ("assistant", "done")]
    without_script = await post(page, "/chat/send", data)
    assert without_script.headers["Location"] == f"/chat/{conversation.pk}"


async def test_resent_message_shows_the_active_reply(page, conversation, ann, home):
    begun = await sync_to_async(begin)(
        ann, home.pk, "It still hurts.", conversation_id=conversation.pk, key=UUID(KEY)
    )
    data = {"text": "It still hurts.", "conversation": str(conversation.pk), "key": KEY}
    answer = await page.post("/chat/send", data, headers=HTMX)
    assert answer.status_code == 200
    assert f'id="message-{begun.reply_id}"' in answer.content.decode()
    assert not active_replies.replies
    other = data | {"key": str(uuid4())}
    assert (await page.post("/chat/send", other, headers=HTMX)).status_code == 409


async def test_message_that_was_edited_meanwhile_is_not_stored_again(
    page, conversation, ann, home
):
    data = {"text": "It still hurts.", "conversation": str(conversation.pk), "key": KEY}
    await post(page, "/chat/send", data, **HTMX)
    await post(page, f"/chat/message/{KEY}/edit", {"text": "It hurts less."}, **HTMX)
    answer = await post(page, "/chat/send", data, **HTMX)
    assert answer.headers["HX-Redirect"] == f"/chat/{conversation.pk}"
    assert await Message.objects.filter(content="It still hurts.").acount() == 1


async def test_last_message_of_a_day_may_be_resent(page, conversation, settings):
    settings.DAILY_MESSAGES = 1
    data = {"text": "It still hurts.", "conversation": str(conversation.pk), "key": KEY}
    for _ in range(2):
        assert (await post(page, "/chat/send", data, **HTMX)).status_code == 200
    answer = await post(page, "/chat/send", data | {"key": str(uuid4())}, **HTMX)
    assert answer.status_code == 429


async def test_key_of_another_user_reveals_nothing(page, conversation, bob, home):
    await sync_to_async(begin)(bob, home.pk, "A secret of Bob's", key=UUID(KEY))
    data = {"text": "It still hurts.", "conversation": str(conversation.pk), "key": KEY}
    answer = await post(page, "/chat/send", data, **HTMX)
    assert answer.status_code == 200
    assert "secret" not in answer.content.decode()
    stored = await Message.objects.aget(content="It still hurts.")
    assert str(stored.pk) != KEY


async def test_quick_question_is_sent_instead_of_the_text(page):
    await post(page, "/chat/send", {"text": "Half a", "quick": "How am I doing?"})
    assert (await Message.objects.aget(role="user")).content == "How am I doing?"


@pytest.mark.parametrize("name", ["text", "quick"])
async def test_unstorable_characters_are_dropped(page, name):
    await post(page, "/chat/send", {name: "My knee\0 hurts."})
    assert (await Message.objects.aget(role="user")).content == "My knee hurts."


async def test_conversation_begins_with_the_choices_of_its_page(page, ann, home):
    person = await sync_to_async(PersonFactory)(space=home, name="Tomek")
    other = await sync_to_async(SpaceFactory)(name="Aaa", members=[ann])
    data = {
        "text": "Hello",
        "space": str(home.pk),
        "person": str(person.pk),
        "forgetful": "1",
    }
    await post(page, "/chat/send", data)
    conversation = await Conversation.objects.aget()
    assert conversation.space_id == home.pk != other.pk
    assert conversation.person_id == person.pk
    assert conversation.remember is False


@pytest.mark.parametrize(
    "data",
    [
        {"conversation": "5f0c9b1e-8a5e-4f0e-9d3a-1d2c3b4a5f6e"},
        {"space": "5f0c9b1e-8a5e-4f0e-9d3a-1d2c3b4a5f6e"},
        {"person": "5f0c9b1e-8a5e-4f0e-9d3a-1d2c3b4a5f6e"},
    ],
    ids=["conversation", "space", "person"],
)
@pytest.mark.req("B-17")
async def test_missing_row_is_not_found(page, data):
    assert (await post(page, "/chat/send", {"text": "Hi"} | data)).status_code == 404
    assert await stored_messages() == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "status", "sentence"),
        [
            ("  \n", 422, "Write something first."),
            ("x" * 20_001, 413, "A message may have 20,000 characters"),
        ],
        ids=["blank", "too long"],
    )
    async def test_message_is_refused_with_a_sentence(
        self, page, text, status, sentence
    ):
        answer = await post(page, "/chat/send", {"text": text}, **HTMX)
        assert answer.status_code == status
        assert sentence in answer.content.decode()
        assert answer.headers["HX-Retarget"] == "#composer-note"
        assert await stored_messages() == []

    @pytest.mark.parametrize("name", ["conversation", "space", "person"])
    async def test_unreadable_form_is_refused(self, page, conversation, name):
        data = {"text": "My own words", name: "no key"}
        answer = await post(page, "/chat/send", data, **HTMX)
        assert answer.status_code == 422
        assert "reload the page" in answer.content.decode()
        assert answer.headers["HX-Retarget"] == "#composer-note"
        answer = await post(page, "/chat/send", data)
        assert answer.status_code == 422
        assert "My own words</textarea>" in answer.content.decode()
        assert len(await stored_messages()) == 2

    async def test_a_message_of_20000_characters_is_taken(self, page):
        assert (
            await post(page, "/chat/send", {"text": "x" * 20_000})
        ).status_code == 302

    async def test_text_stays_in_the_box_without_script(self, page, conversation):
        text = "word " * 4_001
        for data in ({"conversation": str(conversation.pk)}, {}):
            answer = await post(page, "/chat/send", {"text": text} | data)
            assert answer.status_code == 413
            content = answer.content.decode()
            assert "A message may have 20,000 characters" in content
            assert text in content

    async def test_one_reply_at_a_time(self, page, conversation):
        await sync_to_async(transcripts.exchange)(conversation, "And?", "", "streaming")
        data = {"text": "Well?", "conversation": str(conversation.pk)}
        answer = await post(page, "/chat/send", data, **HTMX)
        assert answer.status_code == 409
        assert "still answering" in answer.content.decode()

    async def test_the_daily_limit(self, page, ann, settings):
        settings.DAILY_MESSAGES = 1
        await post(page, "/chat/send", {"text": "One"})
        answer = await post(page, "/chat/send", {"text": "Two"}, **HTMX)
        assert answer.status_code == 429
        assert answer.content.decode() == (
            "You've reached the daily message limit. Try again tomorrow."
        )
        assert (await DailyUse.objects.aget(user=ann)).messages == 1

    async def test_no_room(self, page, settings):
        settings.QUOTA_MB = 0
        answer = await post(page, "/chat/send", {"text": "One"}, **HTMX)
        assert answer.status_code == 413
        assert "have reached their limit" in answer.content.decode()
        assert not await Message.objects.aexists()


class TestAgain:
    async def test_last_reply_is_regenerated(self, page, conversation):
        old = await Message.objects.aget(role="assistant")
        path = reverse("conversations:regenerate", args=[old.pk])
        answer = await post(page, path, **HTMX)
        content = answer.content.decode()
        assert "Since when?" not in content
        assert "growing" in content
        await old.arefresh_from_db()
        assert old.status == "superseded"

    async def test_redirects_without_script(self, page, conversation):
        old = await Message.objects.aget(role="assistant")
        path = reverse("conversations:regenerate", args=[old.pk])
        assert (await post(page, path)).headers[
            "Location"
        ] == f"/chat/{conversation.pk}"
        assert (await post(page, path)).status_code == 404

    async def test_earlier_reply_cannot_be_regenerated(self, page, conversation):
        old = await Message.objects.aget(role="assistant")
        await sync_to_async(transcripts.exchange)(conversation, "Monday.", "I see.")
        path = reverse("conversations:regenerate", args=[old.pk])
        assert (await post(page, path)).status_code == 404

    @pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
    async def test_regenerating_counts_towards_the_limit(
        self, page, conversation, settings, headers
    ):
        settings.DAILY_MESSAGES = 0
        old = await Message.objects.aget(role="assistant")
        path = reverse("conversations:regenerate", args=[old.pk])
        answer = await post(page, path, **headers)
        assert answer.status_code == 429
        assert "daily message limit" in answer.content.decode()


class TestEdit:
    async def test_form_shows_the_text(self, page, conversation):
        message = await Message.objects.aget(role="user")
        path = reverse("conversations:edit", args=[message.pk])
        content = (await page.get(path)).content.decode()
        assert "My knee hurts.</textarea>" in content
        assert "<html" in content
        part = await page.get(path, headers=HTMX)
        assert "<html" not in part.content.decode()

    async def test_edited_message_replaces_all_after_it(self, page, conversation):
        message = await Message.objects.aget(role="user")
        await sync_to_async(transcripts.exchange)(conversation, "Monday.", "I see.")
        path = reverse("conversations:edit", args=[message.pk])
        answer = await post(page, path, {"text": "Is my elbow next?"}, **HTMX)
        assert "Is my elbow next?" in answer.content.decode()
        assert "knee" not in answer.content.decode()
        assert await stored_messages() == [("user", "done"), ("assistant", "done")]
        assert (await post(page, path, {"text": "x"})).status_code == 404

    async def test_redirects_without_script(self, page, conversation):
        message = await Message.objects.aget(role="user")
        path = reverse("conversations:edit", args=[message.pk])
        answer = await post(page, path, {"text": "My elbow hurts."})
        assert answer.headers["Location"] == f"/chat/{conversation.pk}"

    async def test_refusal_is_shown_in_the_dialog(self, page, conversation):
        message = await Message.objects.aget(role="user")
        path = reverse("conversations:edit", args=[message.pk])
        answer = await post(page, path, {"text": " "}, **HTMX)
        assert answer.status_code == 422
        assert answer.headers["HX-Retarget"] == "#dialog"
        assert "Write something first." in answer.content.decode()


class TestStop:
    async def test_leaves_a_stop_key_for_the_writing_process(self, page, conversation):
        reply = await sync_to_async(transcripts.exchange)(
            conversation, "And?", "Half", "streaming"
        )
        path = reverse("conversations:stop", args=[reply.pk])
        assert (await page.post(path, headers=HTMX)).status_code == 204
        assert await event_log.asked_to_stop([reply.pk])
        answer = await page.post(path)
        assert answer.headers["Location"] == f"/chat/{conversation.pk}"

    async def test_says_so_when_that_is_not_possible(
        self, page, conversation, settings
    ):
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        reply = await sync_to_async(transcripts.exchange)(
            conversation, "And?", "Half", "streaming"
        )
        answer = await page.post(reverse("conversations:stop", args=[reply.pk]))
        assert answer.status_code == 503
        assert "could not be stopped" in answer.content.decode()


@pytest.mark.parametrize("name", ["regenerate", "edit", "stop"])
async def test_turns_of_other_users_are_refused(bob, conversation, name):
    other = AsyncClient()
    await sync_to_async(other.force_login)(
        bob, backend="django.contrib.auth.backends.ModelBackend"
    )
    async for message in Message.objects.all():
        path = reverse(f"conversations:{name}", args=[message.pk])
        assert (await other.post(path, {"text": "x"})).status_code == 404
