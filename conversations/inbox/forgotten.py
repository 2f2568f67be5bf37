"""Received messages that wait or failed, when what they say is forgotten."""

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from conversations.api.models import IngestedMessage
from conversations.telegram.models import TelegramLink, TelegramPart, TelegramUpdate
from meddie.jobs.job import Job
from memory import service
from people.scope import Scope

State = Job.State


def end_forgotten(
    scope: Scope, lines: Collection[str] | None, until: datetime | None
) -> None:
    """End those that speak of a line, or all. Their keys stay: none is stored again."""
    _end(IngestedMessage, _told(_ingested(scope), lines, until))
    updates = _told(_from_telegram(scope), lines, until)
    TelegramPart.objects.filter(update__in=updates).update(html="")
    _end(TelegramUpdate, updates)


def _ingested(scope: Scope) -> Iterable[IngestedMessage]:
    rows = IngestedMessage.objects.exclude(state=State.DONE).filter(
        thread__user=scope.user_id, thread__space=scope.space_id
    )
    return rows.select_for_update(of=("self",))


def _from_telegram(scope: Scope) -> Iterable[TelegramUpdate]:
    """Without those at work: the wish is in one of them."""
    links = TelegramLink.objects.filter(user=scope.user_id, space=scope.space_id)
    chats = [str(one) for one in links.values_list("telegram_id", flat=True)]
    unread = Q(state=State.WAITING, stage=TelegramUpdate.Stage.RECEIVED)
    rows = TelegramUpdate.objects.filter(
        Q(state=State.DEAD) | unread,
        thread__space=scope.space_id,
        thread__channel=TelegramUpdate.QUEUE,
        thread__external_id__in=chats,
    )
    return rows.select_for_update(of=("self",))


def _told(
    rows: Iterable[IngestedMessage] | Iterable[TelegramUpdate],
    lines: Collection[str] | None,
    until: datetime | None,
) -> list[UUID]:
    return [
        row.pk
        for row in rows
        if (until is None or row.stated_at <= until)
        and (lines is None or any(service.grounded(line, row.text) for line in lines))
    ]


def _end(inbox: type[Job], keys: Collection[UUID]) -> None:
    inbox._default_manager.filter(pk__in=keys).update(  # noqa: SLF001 -- Django's name
        state=State.DONE,
        error="forgotten",
        payload={},
        lease_holder=None,
        leased_until=None,
        updated_at=timezone.now(),
    )
