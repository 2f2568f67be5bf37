"""A running reply as server-sent events: the only place that streams a response.

A page reads the reply log, also of another process, and comes back with the id of the
last event that it has. Each event carries what to append and the tail to show behind
it; the last one carries the whole message. A stream holds no database connection: the
one of its request is given back before it begins, and every look at the row borrows
one for as long as the look takes.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from conversations.markdown import Growing
from conversations.markdown import render as render_markdown
from conversations.models import Message
from conversations.reply import event_log
from conversations.web import chat_page
from conversations.web.access import ChatRequest, own_message, signed_in
from conversations.web.watching import Reader, watched
from meddie.threads import run_db
from people.models import User

LOOK = "", event_log.Quiet()
"""The event that has a stream look at the row."""
BREATHS = 4
"""A reader pauses for this many times what its last event took to render, so that many
long replies share one processor fairly."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
Queue = asyncio.Queue[tuple[str, event_log.Event] | None]
EVENT_ID = re.compile(r"(\d{1,20})-(\d{1,20})")


@require_GET
@signed_in
def reply(request: ChatRequest, pk: UUID) -> HttpResponse:
    """A reply as it stands: for a page whose stream broke off."""
    message = own_message(request.user, pk, role=Message.Role.ASSISTANT)
    return render(request, "conversations/_reply.html", _context(message))


@require_GET
@signed_in
async def stream(request: ChatRequest, pk: UUID) -> HttpResponseBase:
    """The events of one reply, from the beginning or behind Last-Event-ID."""
    page = _Page(_position(request.headers.get("Last-Event-ID", "")))
    first, over = await run_db(_first, request, pk, page)
    frames = _once(first) if over else _frames(request, pk, page, first)
    return StreamingHttpResponse(
        frames, content_type="text/event-stream", headers=HEADERS
    )


@dataclass(slots=True)
class _Page:
    """What one page has of a reply."""

    after: tuple[int, int] | None
    text: str = ""
    growing: Growing = field(default_factory=Growing)
    unsent: list[str] = field(default_factory=list)
    whole: bool = True
    event_id: str = ""
    by_row: bool = False

    def take(self, event_id: str, text: str) -> None:
        """Take a piece in; what the page has already is not sent to it again."""
        finished = self.growing.feed(text)
        self.text += text
        self.event_id = event_id
        if self.has_news:
            self.unsent += finished
        else:
            self.whole = False

    @property
    def has_news(self) -> bool:
        """Whether something came behind what the page has."""
        here = _position(self.event_id)
        return here is not None and (self.after is None or here > self.after)

    def frame(self) -> str:
        """What has grown since the last frame."""
        data = {
            "whole": self.whole,
            "blocks": "".join(map(render_markdown, self.unsent)),
            "tail": render_markdown(self.growing.tail),
        }
        self.unsent.clear()
        self.whole = False
        return _frame("grow", data, self.event_id)

    def compare(self, stored: str) -> str:
        """A frame of the stored text if the log does not have it, else a comment.

        A log that was lost on the way (Redis emptied) never comes back whole, so from
        then on the page goes by the row.
        """
        agree = stored.startswith(self.text) or self.text.startswith(stored)
        self.by_row = self.by_row or not agree
        if stored and (self.by_row or not self.text):
            growing = Growing()
            blocks = "".join(map(render_markdown, growing.feed(stored)))
            tail = render_markdown(growing.tail)
            return _frame("grow", {"whole": True, "blocks": blocks, "tail": tail}, "")
        return ": still here\n\n"


async def _once(frame: str) -> AsyncIterator[str]:
    yield frame


async def _frames(
    request: ChatRequest, pk: UUID, page: _Page, first: str
) -> AsyncIterator[str]:
    yield "retry: 1000\n\n" + first
    queue: Queue = asyncio.Queue()
    reader = Reader(
        pk,
        request.user.pk,
        request.session.session_key or "",
        look=partial(queue.put_nowait, LOOK),
    )
    with watched(reader):
        async with aclosing(_batches(pk, queue)) as batches:
            async for batch in batches:
                started = time.monotonic()
                for event_id, event in batch:
                    if isinstance(event, event_log.Delta):
                        page.take(event_id, event.text)
                if any(not isinstance(event, event_log.Delta) for _, event in batch):
                    frame, over = await run_db(_look, request, pk, page)
                    if frame:
                        yield frame
                    if over:
                        return
                reader.size = -1 if page.by_row else len(page.text)
                if page.has_news and not page.by_row:
                    yield page.frame()
                    await asyncio.sleep(BREATHS * (time.monotonic() - started))


async def _batches(
    pk: UUID, queue: Queue
) -> AsyncGenerator[list[tuple[str, event_log.Event]]]:
    """The events of the log and of the queue, as many at once as have come."""

    async def fill() -> None:
        async for entry in event_log.read(pk):
            queue.put_nowait(entry)

    filling = asyncio.create_task(fill())
    filling.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (entry := await queue.get()) is not None:
            batch = [entry]
            while not queue.empty() and (entry := queue.get_nowait()) is not None:
                batch.append(entry)
            yield batch
    finally:
        # The Redis client now and then swallows a cancellation: ask until it is done.
        while not filling.done():
            filling.cancel()
            await asyncio.wait([filling], timeout=0.1)


def _first(request: ChatRequest, pk: UUID, page: _Page) -> tuple[str, bool]:
    """How the reply stands, and whether it is over. Raises Http404."""
    message = own_message(request.user, pk, role=Message.Role.ASSISTANT)
    if page.after and message.status == Message.Status.STREAMING:
        return ": welcome back\n\n", False  # the log goes on where the page was
    return _standing(request, message, page)


def _look(request: ChatRequest, pk: UUID, page: _Page) -> tuple[str, bool]:
    """By the row: a last frame if it is over or out of reach, else how it goes on.

    Who is signed out by now is told nothing: the page notices, and asks to sign in.
    """
    if not request.session.exists(request.session.session_key or ""):
        return "", True
    try:
        message = own_message(request.user, pk, role=Message.Role.ASSISTANT)
    except Http404:
        active = User.objects.filter(pk=request.user.pk, is_active=True).exists()
        return _frame("gone", {}, "") if active else "", True
    return _standing(request, message, page)


def _standing(request: ChatRequest, message: Message, page: _Page) -> tuple[str, bool]:
    if message.status == Message.Status.STREAMING:
        return page.compare(message.content), False
    html = render_to_string(
        "conversations/_reply.html", _context(message), request=request
    )
    return _frame("end", {"html": html}, ""), True


def _context(message: Message) -> dict[str, object]:
    return {"message": message, "lines": chat_page.said_about(message)}


def _frame(name: str, data: dict[str, object], event_id: str) -> str:
    lines = [f"id: {event_id}"] if event_id else []
    lines += [f"event: {name}", f"data: {json.dumps(data)}"]
    return "\n".join(lines) + "\n\n"


def _position(event_id: str) -> tuple[int, int] | None:
    found = EVENT_ID.fullmatch(event_id)
    return (int(found[1]), int(found[2])) if found else None
