"""Read the messages to sum up: those in the index, without emergencies."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from itertools import takewhile
from uuid import UUID

from django.conf import settings
from django.db.models import Max, Min, QuerySet

from conversations.attachments.in_prompt import files_of, with_surrogates
from conversations.episodes.summaries import UNSUMMED, chunk_end
from conversations.models import Attachment, Episode, MessageIndex, Summary
from meddie.moments import told_moment

Kind = Summary.Kind


@dataclass(frozen=True, slots=True)
class Chunk:
    """Messages of one episode that follow the last chunk of their thread."""

    first_seq: int
    lines: Sequence[MessageIndex]


def told(thread_id: UUID, after: int = 0) -> QuerySet[MessageIndex]:
    """The messages of a thread that may be summed up, in order."""
    rows = MessageIndex.objects.filter(
        message__thread=thread_id, message__seq__gt=after, message__emergency_note=""
    )
    rows = rows.select_related("message").order_by("place")
    return rows.defer("embedding", "near", "content_tsv", "message__content")


def told_in(episode: Episode) -> QuerySet[MessageIndex]:
    return told(episode.thread_id).filter(message__episode=episode)


def stretch_of(episode: Episode) -> tuple[int, int] | None:
    """The numbers of its first and last message that may be summed up."""
    found = told_in(episode).aggregate(first=Min("place"), last=Max("place"))
    return None if found["last"] is None else (found["first"], found["last"])


def next_chunk(thread_id: UUID) -> Chunk | None:
    """The oldest messages without a chunk; None while there are few."""
    end = chunk_end(thread_id).first() or 0
    lines = list(told(thread_id, end)[: 30 + UNSUMMED])
    if len(lines) < settings.CHUNK_MESSAGES:
        return None
    episode = lines[0].message.episode_id
    same = takewhile(lambda line: line.message.episode_id == episode, lines[:-UNSUMMED])
    return Chunk(end + 1, list(same))


def outside_chunks(episode: Episode) -> tuple[list[str], list[MessageIndex]]:
    """The texts of an episode's chunks, and its messages that are in none of them."""
    chunks = Summary.objects.filter(episode=episode, kind=Kind.CHUNK, stale=False)
    lines = told_in(episode)
    for chunk in chunks:
        lines = lines.exclude(message__seq__range=(chunk.first_seq, chunk.last_seq))
    texts = chunks.order_by("first_seq").exclude(text="")
    return list(texts.values_list("text", flat=True)), last_lines(lines)


def last_lines(lines: QuerySet[MessageIndex], after: int = 0) -> list[MessageIndex]:
    """The last of these messages, in order."""
    return list(lines.filter(place__gt=after).reverse()[:60])[::-1]


def document(
    lines: Sequence[MessageIndex],
    zone: tzinfo,
    earlier: Sequence[str] = (),
    **more: object,
) -> dict[str, object]:
    """What a model is asked to sum up, with the files as they are described by now.

    `zone` is the user's, for the times of the messages.
    """
    files = files_of([line.message for line in lines])
    return {
        "earlier": list(earlier),
        **more,
        "messages": [
            {
                "role": line.speaker,
                "at": told_moment(line.stated_at.astimezone(zone)),
                "text": _text(line, files[line.message_id]),
            }
            for line in lines
        ],
    }


def _text(line: MessageIndex, files: Sequence[Attachment]) -> str:
    # The index names the files of a message without a text.
    said = line.content if not files or line.message.content else ""
    return with_surrogates(said[:2000], files)


def files_in(episode: Episode) -> QuerySet[Attachment]:
    """The files of the messages that may be summed up, in their order."""
    sent = Attachment.objects.filter(message__index__in=told_in(episode))
    return sent.order_by("message__seq", "number")
