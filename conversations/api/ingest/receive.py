"""Take messages of other channels into the inbox, or say why not."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID, uuid5

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import BaseModel

from conversations import inbox
from conversations.api.channel import INGESTION
from conversations.api.ingest.schema import Document, read_document, read_documents
from conversations.api.models import IngestedMessage
from conversations.limits import take_room
from conversations.models import Message, Thread
from conversations.refusals import NoRoomForText
from meddie.http.api_edge import ApiError
from meddie.http.error_views import API_TEXTS
from meddie.jobs.job import Job
from meddie.jobs.registry import announce
from meddie.text import one_line
from meddie.threads import run_work
from memory.reasons import Reason
from memory.wording.own_words import own_words
from people import api_keys, external_users
from people.external_users import BadIdentity
from people.models import ApiKey, User
from people.scope import NotAMember, scope_for

LONGEST_LINE, SHORTEST_LINE = 320, 2  # characters of a line, S3-18
State = Literal["stored", "known", "skipped", "refused"]


class NotStored(Exception):
    """The text is the answer's sentence."""

    def __init__(self, state: State, text: str) -> None:
        super().__init__(text)
        self.state = state


class ThreadFull(ApiError):
    """What is stored would not be kept: a thread has a bound."""

    def __init__(self) -> None:
        text = _(
            "Too many messages of an author and thread wait. Send them again later."
        )
        super().__init__(429, text, {"Retry-After": "10"}, code="thread_full")


@dataclass(frozen=True, slots=True)
class Result:
    external_id: str | None
    state: State
    message: str


class IngestAnswer(BaseModel):
    """A result for each message, in their order."""

    object: Literal["list"]
    data: list[Result]


def receive_body(headers: Mapping[str, str], raw: bytes) -> list[Result]:
    """Store the messages of a body.

    Raises InvalidApiKey, TooManyCalls, ThreadFull and ApiError.
    """
    key = api_keys.authenticate(headers.get("Authorization", ""))
    documents = read_documents(raw)
    api_keys.count_calls(key, len(documents))
    return receive_documents(key, documents)


def receive_documents(key: ApiKey, documents: Sequence[object]) -> list[Result]:
    """Store messages in their order, each with a result. Dead ones are tried again.

    Raises ThreadFull, with nothing stored.
    """
    now = timezone.now()
    taken: list[IngestedMessage | Result] = [
        _take(key, document, now + timedelta(microseconds=number))
        for number, document in enumerate(documents)
    ]
    new, full = _store(
        [message for message in taken if isinstance(message, IngestedMessage)]
    )
    results = []
    for result in taken:
        if isinstance(result, Result):
            results.append(result)
        elif result.pk in full:
            text = str(NoRoomForText())
            results.append(Result(result.external_id, "refused", text))
        elif new.get(result.pk) is result:
            text = _("The message is stored.")
            results.append(Result(result.external_id, "stored", text))
        else:
            text = _("The message was received before.")
            results.append(Result(result.external_id, "known", text))
    return results


def _take(key: ApiKey, document: object, now: datetime) -> IngestedMessage | Result:
    told = document.get("external_id") if isinstance(document, dict) else None
    external_id = told if isinstance(told, str) else None
    try:
        return _row(key, read_document(document), now)
    except NotStored as refused:
        return Result(external_id, refused.state, str(refused))
    except (ValueError, BadIdentity) as refused:
        return Result(external_id, "refused", str(refused))
    except NotAMember:
        text = _("The author is not a member of the space.")
        return Result(external_id, "refused", text)


def _row(key: ApiKey, document: Document, now: datetime) -> IngestedMessage:
    line = one_line(own_words(document.text))[:LONGEST_LINE].strip()
    if len(line) < SHORTEST_LINE:
        raise NotStored("skipped", _("The text is too short."))
    at = document.at or now
    # Clocks differ.
    if at > now + timedelta(minutes=5):
        raise NotStored("refused", _("The time of the message is in the future."))
    author = _author(key, document)
    external_id = document.external_id or _made_id(document, author)
    if not scope_for(author, key.space_id, channel=document.channel).writes:
        raise NotStored("skipped", str(Reason.NO_MEMORY.label))
    # One for each ID of a thread. IDs from an ordinary key are those of its user.
    of_user = "" if key.trusted_proxy else str(key.user_id)
    parts = [document.channel, document.thread, external_id, of_user]
    return IngestedMessage(
        pk=uuid5(key.space_id, json.dumps(parts)),
        kind="voice" if document.is_voice else "text",
        thread=_thread(key.space_id, document, author),
        channel=document.channel,
        external_id=external_id,
        stated_at=min(at, now),
        received_at=now,
        trace=document.trace,
        payload={"text": line, "room": document.thread},
    )


def _author(key: ApiKey, document: Document) -> User:
    named = document.author
    if not key.trusted_proxy:
        if named:
            text = _("Only the key of a trusted proxy can name an author.")
            raise NotStored("refused", text)
        return key.user
    if named is None:
        text = _("With the key of a trusted proxy a message needs an author.")
        raise NotStored("refused", text)
    return external_users.author(key, named.id, named.name)


def _made_id(document: Document, author: User) -> str:
    """Speech has no ID of its own (S3-26); the same words at the same time are one."""
    if not document.is_voice:
        raise NotStored("refused", _("A message of text needs an external_id."))
    if document.at is None:
        text = _("A message without external_id needs the time at which it was said.")
        raise NotStored("refused", text)
    parts = [document.thread, str(author.pk), document.at.isoformat(), document.text]
    return f"voice:{_hash(parts)}"


def _thread(space_id: UUID, document: Document, author: User) -> Thread:
    """One for each author, as a conversation is its user's alone."""
    parts = [document.channel, document.thread, str(author.pk)]
    place = {
        "space_id": space_id,
        "channel": INGESTION.name,
        "external_id": _hash(parts),
    }
    thread = Thread.objects.filter(**place).first()
    if thread is None:
        new = Thread(user=author, **place)
        Thread.objects.bulk_create([new], ignore_conflicts=True)
        thread = Thread.objects.get(**place)
    return thread


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@transaction.atomic
def _store(
    rows: Sequence[IngestedMessage],
) -> tuple[dict[UUID, IngestedMessage], set[UUID]]:
    """Store those that are not known, if their authors have room.

    Return them, and the keys of those without room. Raises ThreadFull, ApiError.

    The threads are locked in one order, for which parallel calls and workers wait.
    """
    keys, threads = [row.pk for row in rows], {row.thread_id for row in rows}
    ordered = Thread.objects.filter(pk__in=threads).order_by("pk")
    if len(ordered.select_for_update()) < len(threads):
        raise ApiError(410, API_TEXTS[410])
    IngestedMessage.objects.filter(pk__in=keys, state=Job.State.DEAD).delete()
    waiting = IngestedMessage.objects.filter(pk__in=keys).values_list("pk", flat=True)
    stored = Message.objects.filter(pk__in=keys).values_list("pk", flat=True)
    known = {*waiting, *stored}
    new: dict[UUID, IngestedMessage] = {}
    for row in rows:
        if row.pk not in known:
            new.setdefault(row.pk, row)
    unfinished = IngestedMessage.objects.filter(thread__in=threads).unfinished()
    amounts = Counter(unfinished.values_list("thread", flat=True))
    amounts += Counter(row.thread_id for row in new.values())
    if any(amount > inbox.MOST_WAITING for amount in amounts.values()):
        raise ThreadFull
    full = _without_room(new.values())
    new = {key: row for key, row in new.items() if key not in full}
    # In the order of their keys: authors of one room could share some.
    IngestedMessage.objects.bulk_create(
        sorted(new.values(), key=lambda row: row.pk), ignore_conflicts=True
    )
    announce(*new.values())
    return new, full


def _without_room(rows: Iterable[IngestedMessage]) -> set[UUID]:
    """Those whose authors have reached their quota; the others are counted."""
    told: defaultdict[UUID, list[IngestedMessage]] = defaultdict(list)
    for row in rows:
        author = row.thread.user_id
        assert author is not None  # noqa: S101 -- each of these threads has one
        told[author].append(row)
    full: set[UUID] = set()
    for author, said in sorted(told.items()):  # in one order, for parallel calls
        try:
            take_room(author, *(row.text for row in said))
        except NoRoomForText:
            full |= {row.pk for row in said}
    return full


async def ingest(request: HttpRequest) -> JsonResponse:
    """Take messages of another channel, such as a group chat."""
    if request.content_type != "application/json":
        text = _("The body must be application/json.")
        raise ApiError(415, text, code="unsupported_media_type")
    results = await run_work(receive_body, request.headers, request.read())
    body = {"object": "list", "data": [asdict(result) for result in results]}
    return JsonResponse(body, status=202, headers={"Cache-Control": "no-store"})
