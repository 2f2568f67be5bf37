"""The list of conversations: pinned ones, then by day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, islice
from uuid import UUID

from django.db.models import Exists
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.channels import unlisted
from conversations.conversation_search import (
    Piece,
    containing,
    marked,
    search_words,
    snippet,
)
from conversations.models import Conversation, Message

ON_A_PAGE = 50
FEW = 5
MOST_PAGES = 10_000


@dataclass(frozen=True, slots=True)
class Row:
    """`hit` is the message of the snippet, if words were searched."""

    conversation: Conversation
    title: list[Piece]
    hit: UUID | None
    snippet: list[Piece]


@dataclass(frozen=True, slots=True)
class Group:
    """`is_day`: the name says the day, so that rows need only the time."""

    name: str
    is_day: bool
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Listing:
    groups: list[Group]
    query: str
    archived: bool
    number: int
    has_next: bool
    some_archived: bool

    @property
    def first_few(self) -> list[Conversation]:
        rows = (row for group in self.groups for row in group.rows)
        return [row.conversation for row in islice(rows, FEW)]


def listing(
    user_id: UUID,
    space_id: UUID,
    *,
    query: str = "",
    page: str = "",
    archived: bool = False,
) -> Listing:
    """The user's conversations, or those that contain the query, archived or not."""
    own = Conversation.objects.of(user_id, space_id).exclude(
        thread__channel__in=unlisted()
    )
    words = search_words(query)
    if words:
        found = containing(own, words).newest()
    else:
        found = own.archived().newest() if archived else own.unarchived().pinned_first()
    number = _page_number(page)
    start = (number - 1) * ON_A_PAGE
    # Without a count of pages the list is one statement.
    found = found.annotate(some_archived=Exists(own.archived()))
    found = found.select_related("person", "thread")
    shown = list(found[start : start + ON_A_PAGE + 1])
    any_archived = (
        bool(vars(shown[0])["some_archived"]) if shown else own.archived().exists()
    )
    return Listing(
        groups=_grouped(_rows(shown[:ON_A_PAGE], words), by_day=not words),
        query=" ".join(words),
        archived=archived,
        number=number,
        has_next=len(shown) > ON_A_PAGE,
        some_archived=any_archived,
    )


def _page_number(text: str) -> int:
    """The page asked for, within 1 and `MOST_PAGES`; the first for any nonsense."""
    try:
        return min(max(int(text[:9]), 1), MOST_PAGES)
    except ValueError:
        return 1


def _rows(conversations: Sequence[Conversation], words: Sequence[str]) -> list[Row]:
    found = {one.pk: getattr(one, "hit", None) for one in conversations}
    hits = {key: hit for key, hit in found.items() if hit}
    texts = dict(
        Message.objects.filter(pk__in=hits.values()).values_list("pk", "content")
        if hits
        else ()
    )
    rows = []
    for one in conversations:
        hit = hits.get(one.pk)
        text = texts.get(hit, "") if hit else ""
        title = marked(one.title or _("New conversation"), words)
        rows.append(Row(one, title, hit, snippet(text, words) if text else []))
    return rows


def _grouped(rows: Iterable[Row], *, by_day: bool) -> list[Group]:
    if not by_day:
        found = list(rows)
        return [Group(_("Found"), is_day=False, rows=found)] if found else []
    today = timezone.localdate()
    days = {_("Today"), _("Yesterday")}
    return [
        Group(name, name in days, list(part))
        for name, part in groupby(rows, lambda row: _name(row.conversation, today))
    ]


def _name(conversation: Conversation, today: date) -> str:
    if conversation.is_pinned:
        return _("Pinned")
    return group_name(timezone.localdate(conversation.last_message_at), today)


def group_name(day: date, today: date) -> str:
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day >= today - timedelta(days=7):
        return _("Previous 7 days")
    return _("Earlier")
