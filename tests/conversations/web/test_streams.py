"""A running reply as the page receives it: in pieces, resumable, to its end."""

import json
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.test import AsyncClient
from django.urls import reverse

from conversations import event_log
from conversations.models import Conversation, Message
from people.models import Membership
from tests.conversations import transcripts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(event_log, "QUIET_AFTER", 0.1)


@pytest.fixture
def page(ann, home) -> AsyncClient:
    client = AsyncClient()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def reply(ann, home) -> Message:
    conversation = transcripts.start_conversation(ann, home, title="Knee pain")
    return transcripts.exchange(conversation, "My knee hurts.", "", "streaming")


class Reader:
    """What an EventSource would hear."""

    def __init__(self, answer) -> None:
        self.answer = answer
        self.frames = aiter(answer)
        self.last_id = ""

    async def next(self):
        """The next event, without comments."""
        async for raw in self.frames:
            lines = dict(
                line.split(": ", 1)
                for line in raw.decode().splitlines()
                if line and not line.startswith(":")
            )
            if "event" in lines:
                self.last_id = lines.get("id", self.last_id)
                return lines["event"], json.loads(lines["data"])
        return None

    async def close(self) -> None:
        await self.frames.aclose()


async def read(page, reply, last_id="") -> Reader:
    headers = {"Last-Event-ID": last_id} if last_id else {}
    path = reverse("conversations:stream", args=[reply.pk])
    answer = await page.get(path, headers=headers)
    assert answer.status_code == 200
    return Reader(answer)


async def end(reply, text, status="done") -> None:
    await Message.objects.filter(pk=reply.pk).aupdate(content=text, status=status)
    await event_log.append(reply.pk, event_log.Ended(status))


async def test_a_reply_comes_in_blocks_and_ends_with_the_whole(page, reply):
    await event_log.append(reply.pk, event_log.Appended("One **t"))
    reader = await read(page, reply)
    assert reader.answer.headers["Cache-Control"] == "no-store"
    assert reader.answer.headers["X-Accel-Buffering"] == "no"
    assert reader.answer.headers["Content-Type"] == "text/event-stream"
    assert await reader.next() == (
        "grow",
        {"whole": True, "blocks": "", "tail": "<p>One <strong>t</strong></p>\n"},
    )
    await event_log.append(reply.pk, event_log.Appended("wo**\n\nThree\nfour"))
    assert await reader.next() == (
        "grow",
        {
            "whole": False,
            "blocks": "<p>One <strong>two</strong></p>\n",
            "tail": "<p>Three\nfour</p>\n",
        },
    )
    await end(reply, "One **two**\n\nThree\nfour")
    name, data = await reader.next()
    assert name == "end"
    assert "<p>One <strong>two</strong></p>" in data["html"]
    assert "growing" not in data["html"]
    assert await reader.next() is None
    await reader.close()


async def test_reconnected_page_continues_after_its_last_event(page, reply):
    await event_log.append(reply.pk, event_log.Appended("One\n\nTwo\n\nThr"))
    first = await read(page, reply)
    await first.next()
    await first.close()
    await event_log.append(reply.pk, event_log.Appended("ee\n\nFour\n"))
    second = await read(page, reply, first.last_id)
    assert await second.next() == (
        "grow",
        {
            "whole": False,
            "blocks": "<p>Two</p>\n<p>Three</p>\n",
            "tail": "<p>Four</p>\n",
        },
    )
    await second.close()


async def test_row_text_is_not_sent_again(page, reply):
    await event_log.append(reply.pk, event_log.Appended("One\n\nTwo\n\nThr"))
    first = await read(page, reply)
    await first.next()
    await first.close()
    await Message.objects.filter(pk=reply.pk).aupdate(content="One\n\nTwo\n\nThree")
    await event_log.append(reply.pk, event_log.Appended("ee\n\nFour\n"))
    second = await read(page, reply, first.last_id)
    name, data = await second.next()
    assert (name, data["whole"]) == ("grow", False)
    assert data["blocks"] == "<p>Two</p>\n<p>Three</p>\n"
    await second.close()


async def test_page_without_missing_events_waits(page, reply):
    await event_log.append(reply.pk, event_log.Appended("One\n"))
    first = await read(page, reply)
    await first.next()
    await first.close()
    second = await read(page, reply, first.last_id)
    await end(reply, "One\n", "stopped")
    name, data = await second.next()
    assert name == "end"
    assert "You stopped this reply." in data["html"]
    await second.close()


async def test_stream_of_a_finished_reply_ends_at_once(page, reply):
    await Message.objects.filter(pk=reply.pk).aupdate(status="done", content="Over.")
    reader = await read(page, reply, "no id")
    name, data = await reader.next()
    assert name == "end"
    assert "Over." in data["html"]
    await reader.close()


async def test_last_event_has_the_lines_about_the_notes(page, reply):
    await sync_to_async(transcripts.say)(
        reply.conversation,
        "system",
        "Saved to Health notes: knee",
        answers=reply.answers,
    )
    await end(reply, "Noted.")
    reader = await read(page, reply)
    _, data = await reader.next()
    assert "Saved to Health notes: knee" in data["html"]
    await reader.close()


async def test_page_uses_the_row_without_a_log(page, reply):
    await Message.objects.filter(pk=reply.pk).aupdate(content="So\n\n*far*\n")
    reader = await read(page, reply)
    tail = "<p><em>far</em></p>\n"
    whole = {"whole": True, "blocks": "<p>So</p>\n", "tail": tail}
    assert await reader.next() == ("grow", whole)
    await reader.close()


async def test_text_missing_from_the_log_is_taken_from_the_row(page, reply):
    await Message.objects.filter(pk=reply.pk).aupdate(content="One two ")
    await event_log.append(reply.pk, event_log.Appended("three"))
    reader = await read(page, reply)
    assert (await reader.next())[1]["tail"] == "<p>three</p>\n"
    whole = {"whole": True, "blocks": "", "tail": "<p>One two</p>\n"}
    assert await reader.next() == ("grow", whole)
    await event_log.append(reply.pk, event_log.Appended("four"))
    grown = {"whole": False, "blocks": "", "tail": "<p>One two four</p>\n"}
    assert await reader.next() == ("grow", grown)
    await reader.close()


async def test_a_quiet_reply_sends_comments(page, reply):
    reader = await read(page, reply)
    frames = [await anext(reader.frames) for _ in range(3)]
    assert frames[1:] == [b": still here\n\n"] * 2
    await reader.close()


async def test_new_end_of_a_long_block_is_sent_once_the_reply_is_quiet(page, reply):
    await event_log.append(reply.pk, event_log.Appended("word " * 400))
    reader = await read(page, reply)
    assert "Soon" not in (await reader.next())[1]["tail"]
    await event_log.append(reply.pk, event_log.Appended("Soon"))
    assert "Soon" in (await reader.next())[1]["tail"]
    await reader.close()


@pytest.mark.parametrize("what", ["left", "deleted", "superseded"])
@pytest.mark.req("B-19")
async def test_reply_out_of_reach_is_reported_as_gone_at_its_end(
    page, reply, ann, what
):
    reader = await read(page, reply)
    await anext(reader.frames)
    if what == "left":
        await Membership.objects.filter(user=ann).adelete()
    elif what == "deleted":
        await Conversation.objects.all().adelete()
    else:
        await Message.objects.filter(pk=reply.pk).aupdate(status="superseded")
    await event_log.append(reply.pk, event_log.Ended("done"))
    assert await reader.next() == ("gone", {})
    assert await reader.next() is None
    await reader.close()


@pytest.mark.parametrize("what", ["signed out", "deactivated"])
@pytest.mark.req("B-19")
async def test_signed_out_reader_gets_no_end_and_is_asked_to_sign_in(
    page, reply, ann, what
):
    reader = await read(page, reply)
    await anext(reader.frames)
    if what == "signed out":
        await Session.objects.all().adelete()
    else:
        ann.is_active = False
        await ann.asave()
    await end(reply, "The whole reply")
    assert [frame async for frame in reader.frames] == []
    path = reverse("conversations:reply", args=[reply.pk])
    answer = await page.get(path, headers={"HX-Request": "true"})
    assert answer.status_code == 401
    await reader.close()


@pytest.mark.req("B-19")
async def test_former_member_cannot_connect_to_a_stream(page, reply, ann):
    await Membership.objects.filter(user=ann).adelete()
    path = reverse("conversations:stream", args=[reply.pk])
    assert (await page.get(path)).status_code == 404


async def test_replies_of_other_users_are_not_found(reply, bob):
    other = AsyncClient()
    await sync_to_async(other.force_login)(
        bob, backend="django.contrib.auth.backends.ModelBackend"
    )
    for name in ("stream", "reply"):
        for pk in (reply.pk, reply.answers_id, uuid4()):
            path = reverse(f"conversations:{name}", args=[pk])
            assert (await other.get(path)).status_code == 404


async def test_page_without_a_stream_can_load_the_reply(page, reply):
    path = reverse("conversations:reply", args=[reply.pk])
    assert "growing" in (await page.get(path)).content.decode()
    await Message.objects.filter(pk=reply.pk).aupdate(status="done", content="Over.")
    assert "<p>Over.</p>" in (await page.get(path)).content.decode()


async def test_stream_uses_the_language_of_its_user(page, reply, ann):
    ann.locale = "pl"
    await ann.asave()
    await event_log.append(reply.pk, event_log.Appended("```\nx\n```\n"))
    reader = await read(page, reply)
    _, data = await reader.next()
    assert "data-copy>Kopiuj</button>" in data["tail"]
    await reader.close()
