"""Search in titles, people and messages, and what to show of a hit."""

import re
from collections.abc import Sequence

from django.db.models import OuterRef, Q

from conversations.models import Message
from conversations.models.conversation import ConversationQuerySet
from meddie.text import one_line

LONGEST_QUERY = 200  # characters
MOST_WORDS = 8
BEFORE, LONGEST_SNIPPET = 30, 140  # characters
MARKUP = str.maketrans("", "", "*`#|>")

Piece = tuple[str, bool]
"""Text, and whether it is one of the words."""


def search_words(query: str) -> list[str]:
    return one_line(query)[:LONGEST_QUERY].split()[:MOST_WORDS]


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
    line = one_line(text.translate(MARKUP))
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
