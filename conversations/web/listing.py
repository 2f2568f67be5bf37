"""The list of conversations, grouped by day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Conversation, Message, Thread
from meddie.text import one_line

ON_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    conversations: list[Conversation]


@dataclass(frozen=True, slots=True)
class Listing:
    page: "Page[Conversation]"
    groups: list[Group]
    query: str


def listing(
    user_id: UUID, space_id: UUID, *, query: str = "", page: str = ""
) -> Listing:
    """The user's conversations; with a query, those that contain it."""
    found = Conversation.objects.of(user_id, space_id).exclude(
        thread__channel=Thread.Channel.INGEST
    )
    found = found.select_related("person", "thread")
    query = one_line(query)[:200]
    if query:
        found = found.filter(_contains(query))
    shown = Paginator(found.newest(), ON_A_PAGE).get_page(page)
    return Listing(shown, _grouped(shown.object_list), query)


def _contains(query: str) -> Q:
    messages = Message.objects.current().filter(
        conversation=OuterRef("pk"), content__icontains=query
    )
    return (
        Q(title__icontains=query)
        | Q(person__name__icontains=query)
        | Q(Exists(messages))
    )


def _grouped(conversations: Iterable[Conversation]) -> list[Group]:
    today = timezone.localdate()

    def name(conversation: Conversation) -> str:
        return group_name(timezone.localdate(conversation.last_message_at), today)

    return [Group(key, list(found)) for key, found in groupby(conversations, name)]


def group_name(day: date, today: date) -> str:
    """Last week is the seven days before."""
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day >= today - timedelta(days=7):
        return _("Last week")
    return _("Earlier")
