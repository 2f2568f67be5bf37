"""The list of conversations: pinned ones, then by day; and the search in them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, islice
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.channels import unlisted
from conversations.models import Conversation, Message
from conversations.models.conversation import ConversationQuerySet
from meddie.text import one_line

LONGEST_QUERY = 200  # characters
BEFORE, LONGEST_SNIPPET = 30, 140  # characters
DROPPED_MARKUP = str.maketrans("", "", "*`#|>")

Piece = tuple[str, bool]
"""Text, and whether it is one of the words."""

ON_A_PAGE = 50
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
        return [row.conversation for row in islice(rows, 5)]


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
    found = {
        conversation.pk: getattr(conversation, "hit", None)
        for conversation in conversations
    }
    hits = {key: hit for key, hit in found.items() if hit}
    texts = dict(
        Message.objects.filter(pk__in=hits.values()).values_list("pk", "content")
        if hits
        else ()
    )
    rows = []
    for conversation in conversations:
        hit = hits.get(conversation.pk)
        text = texts.get(hit, "") if hit else ""
        title = marked(conversation.title or _("New conversation"), words)
        rows.append(Row(conversation, title, hit, snippet(text, words) if text else []))
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


def search_words(query: str) -> list[str]:
    return one_line(query)[:LONGEST_QUERY].split()[:8]


def containing(
    conversations: ConversationQuerySet, words: Sequence[str]
) -> ConversationQuerySet:
    """Those with all words in the title, the person's name or one message.

    `hit` is the key of the newest such message.
    """
    hits = Message.objects.current().filter(
        _all("content", words),
        conversation=OuterRef("pk"),
        role__in=(Message.Role.USER, Message.Role.ASSISTANT),
        withheld=False,
    )
    found = conversations.annotate(hit=hits.order_by("-seq").values("pk")[:1])
    in_title, in_name = _all("title", words), _all("person__name", words)
    return found.filter(in_title | in_name | Q(hit__isnull=False))


def _all(field: str, words: Sequence[str]) -> Q:
    return Q(*(Q(**{f"{field}__icontains": word}) for word in words))


def marked(text: str, words: Sequence[str]) -> list[Piece]:
    """The text in pieces."""
    if not words:
        return [(text, False)]
    pieces = _pattern(words).split(text)
    return [(piece, n % 2 == 1) for n, piece in enumerate(pieces) if piece]


def snippet(text: str, words: Sequence[str]) -> list[Piece]:
    """One line around the first of the words, without signs of Markdown."""
    line = one_line(text.translate(DROPPED_MARKUP))
    found = _pattern(words).search(line)
    start = max(found.start() - BEFORE, 0) if found else 0
    if start:  # not within a word
        start = line.find(" ", start, start + BEFORE) + 1 or start
    end = start + LONGEST_SNIPPET
    cut = f"{'…' if start else ''}{line[start:end]}{'…' if line[end:] else ''}"
    return marked(cut, words)


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, longest_first))})", re.IGNORECASE)
