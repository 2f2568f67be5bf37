"""An active reply as server-sent events.

Rights are checked when a stream connects, while the log is quiet, and at the end. A
stream holds no database connection between checks.
"""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from conversations import event_log
from conversations.models import Feedback, Message
from conversations.web import chat_page
from conversations.web.chat_page import add_used_facts
from conversations.web.own_rows import own_reply
from meddie.markdown import html
from meddie.markdown.growing import Growing
from meddie.threads import run_db, run_work
from people.access import PageRequest, signed_in
from people.models import User

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
RECONNECT = "retry: 1000\n\n"  # milliseconds until the browser reconnects
KEEP_ALIVE = ": still here\n\n"
TAIL_PER_FRAME = 40  # the length of an unfinished block over the new text of a frame
EVENT_ID = re.compile(r"(\d{1,20})-(\d{1,20})")


@require_GET
@signed_in
def show_reply(request: PageRequest, pk: UUID) -> HttpResponse:
    """The reply as it is now, for a page whose stream broke off."""
    message = own_reply(request.user, pk)
    return render(request, "conversations/_reply.html", _context(message))


@require_GET
@signed_in
async def follow_reply(request: PageRequest, pk: UUID) -> HttpResponseBase:
    """Stream the events after Last-Event-ID."""
    page = _Page(_position(request.headers.get("Last-Event-ID", "")))
    message = await run_db(own_reply, request.user, pk)
    frames = (
        _frames(request, page, pk)
        if message.status == Message.Status.STREAMING
        else _once(await run_db(_end_frame, request, message))
    )
    return StreamingHttpResponse(
        frames, content_type="text/event-stream", headers=HEADERS
    )


@dataclass(slots=True)
class _Page:
    """What one page has of a reply; `seen` is its last event."""

    seen: tuple[int, int] | None
    text: str = ""
    event_id: str = ""
    growing: Growing = field(default_factory=Growing)
    unsent: list[str] = field(default_factory=list)
    whole: bool = True
    shown: int = 0  # characters

    def take(self, event_id: str, text: str) -> None:
        """Add a piece; blocks that the page has are not sent again."""
        finished = self.growing.feed(text)
        self.text += text
        self.event_id = event_id
        if self.has_news:
            self.unsent += finished
        else:
            self.whole = False

    def grow(self, entries: Sequence[tuple[str, event_log.Event]]) -> str:
        """Take the events; the next frame, unless there is no news or the end."""
        for event_id, event in entries:
            if isinstance(event, event_log.Appended):
                self.take(event_id, event.text)
        grows = isinstance(entries[-1][1], event_log.Appended)
        return self.frame() if grows and self.has_news and self.is_due else ""

    @property
    def is_due(self) -> bool:
        """Whether enough is new: a long tail in each frame would take the square."""
        new = len(self.text) - self.shown
        return bool(self.unsent) or new * TAIL_PER_FRAME >= len(self.growing.tail)

    @property
    def has_news(self) -> bool:
        last = _position(self.event_id)
        return last is not None and (self.seen is None or last > self.seen)

    def frame(self) -> str:
        data = {
            "whole": self.whole,
            "blocks": "".join(map(html.render, self.unsent)),
            "tail": html.render_growing(self.growing.clear_tail),
        }
        self.unsent.clear()
        self.whole = False
        self.shown = len(self.text)
        return _frame("grow", data, self.event_id)

    def replace(self, stored: str) -> str:
        """The row's text, for a page that missed events of a lost log."""
        self.text, self.growing, self.whole = stored, Growing(), True
        self.unsent = self.growing.feed(stored)
        return self.frame()


async def _once(frame: str) -> AsyncIterator[str]:
    yield frame


async def _frames(request: PageRequest, page: _Page, pk: UUID) -> AsyncIterator[str]:
    yield RECONNECT
    async for entries in event_log.read_events(pk):
        texts = [e.text for _, e in entries if isinstance(e, event_log.Appended)]
        is_long = len(page.growing.tail) + sum(map(len, texts)) > 4000
        # A long text is rendered beside the event loop.
        frame = await run_work(page.grow, entries) if is_long else page.grow(entries)
        if isinstance(entries[-1][1], event_log.Appended):
            if frame:
                yield frame
            continue
        frame, ended = await run_db(_check, request, page, pk)
        if frame:
            yield frame
        if ended:
            return


def _check(request: PageRequest, page: _Page, pk: UUID) -> tuple[str, bool]:
    """Check rights and row; return the next frame, and whether it is the last."""
    # Without a last frame the page asks the user to sign in.
    key = request.session.session_key or ""
    try:
        message = own_reply(request.user, pk, key)
    except Http404:
        user = User.objects.filter(pk=request.user.pk, is_active=True)
        signed_in = request.session.exists(key) and user.exists()
        return _frame("gone", {}, "") if signed_in else "", True
    if not message.is_signed_in:
        return "", True
    if message.status != Message.Status.STREAMING:
        return _end_frame(request, message), True
    if not page.text.startswith(message.content):
        return page.replace(message.content), False
    late = page.has_news and page.shown < len(page.text)
    return page.frame() if late else KEEP_ALIVE, False


def _end_frame(request: PageRequest, message: Any) -> str:
    article = render_to_string(
        "conversations/_reply.html", _context(message), request=request
    )
    return _frame("end", {"html": article}, "")


def _context(message: Any) -> dict[str, object]:
    given = Feedback.objects.all() if message.has_feedback else Feedback.objects.none()
    prefetch_related_objects([message], Prefetch("feedback", given))
    message.lines = chat_page.lines_under(message) if message.has_lines else []
    add_used_facts(message.conversation, [message])
    return {"message": message, "fresh": True}


def _frame(name: str, data: dict[str, object], event_id: str) -> str:
    lines = [f"id: {event_id}"] if event_id else []
    lines += [f"event: {name}", f"data: {json.dumps(data)}"]
    return "\n".join(lines) + "\n\n"


def _position(event_id: str) -> tuple[int, int] | None:
    found = EVENT_ID.fullmatch(event_id)
    return (int(found[1]), int(found[2])) if found else None
