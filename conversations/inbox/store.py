"""Telegram updates in the database, added once and claimed in order per chat.

Steps are stored only under the lease of the chat's thread.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from conversations.models import TelegramUpdate, Thread
from meddie.jobs import LeaseLost
from people.models import TelegramBot

State = TelegramUpdate.State

MOST_WAITING = 400  # updates of one chat (S3-16); beyond, the oldest become dead
BATCH = 500
NEWEST = 10  # waiting updates that are looked at early; each has a task of its own
FREE = Q(lease_holder=None) | Q(leased_until__lt=Now())
KEPT = timedelta(days=30)  # since their end; Telegram resends none older than a day


@transaction.atomic
def add(update: TelegramUpdate) -> None:
    """Store an update unless it is known; bound those of its chat."""
    TelegramUpdate.objects.bulk_create([update], ignore_conflicts=True)
    waiting = TelegramUpdate.objects.filter(thread=update.thread_id).unfinished()
    too_many = waiting.count() - MOST_WAITING
    if too_many > 0:
        oldest = waiting.untouched().in_order()[:too_many]
        TelegramUpdate.objects.filter(pk__in=oldest.values("pk")).update(
            state=State.DEAD, error="overflow", updated_at=timezone.now()
        )


def waiting_for_lease(thread_id: UUID) -> list[TelegramUpdate]:
    """The chat's newest untouched updates, if a worker or a page has its lease."""
    if not Thread.objects.exclude(FREE).filter(pk=thread_id).exists():
        return []
    waiting = TelegramUpdate.objects.filter(thread=thread_id).untouched()
    return list(waiting.order_by("-update_id")[:NEWEST])


def waiting_chats() -> list[UUID]:
    due = TelegramUpdate.objects.due().values("thread")
    return list(
        Thread.objects.filter(FREE, pk__in=due).values_list("pk", flat=True)[:BATCH]
    )


def is_due(thread_id: UUID) -> bool:
    update = _first(thread_id)
    return update is not None and update.is_due()


def claim_next(thread_id: UUID, lease: UUID) -> TelegramUpdate | None:
    """Claim the chat's first unfinished update if it is due. Raises LeaseLost."""
    while True:
        with transaction.atomic():
            thread = Thread.objects.select_for_update().filter(pk=thread_id)
            if not thread.leased_to(lease).exists():
                raise LeaseLost
            update = _first(thread_id)
            if update is None or not update.is_due():
                return None
            if update.begin(timedelta(), lease):
                return update


def _first(thread_id: UUID) -> TelegramUpdate | None:
    # A token that cannot be decrypted must fail the attempt, not the inbox.
    updates = TelegramUpdate.objects.select_related("bot", "thread").defer(
        "bot__token", "bot__secret"
    )
    return updates.filter(thread=thread_id).unfinished().in_order().first()


@transaction.atomic
def end_update(update: TelegramUpdate, note: str = "") -> None:
    """End an update and blank its parts. Raises LeaseLost."""
    update.succeed(note)
    update.parts.update(html="")
    if not note and update.bot.error:
        TelegramBot.objects.filter(pk=update.bot_id).update(error="")


@transaction.atomic
def release(thread_id: UUID, lease: UUID) -> None:
    """Release the lease, and the updates begun under it."""
    thread = Thread.objects.select_for_update().filter(pk=thread_id).leased_to(lease)
    if thread.exists():
        begun = TelegramUpdate.objects.filter(thread=thread_id, lease_holder=lease)
        begun.filter(state=State.RUNNING).update(
            state=State.WAITING, lease_holder=None, leased_until=None
        )
        Thread.objects.filter(pk=thread_id).give_back()


def make_due(bot: TelegramBot) -> list[UUID]:
    """Make a bot's waiting updates due; return the keys of their threads."""
    waiting = TelegramUpdate.objects.filter(bot=bot, state=State.WAITING)
    now = timezone.now()
    waiting.filter(available_at__gt=now).update(available_at=now)
    return list(waiting.values_list("thread", flat=True).distinct())


def delete_old_updates() -> int:
    """Delete old updates and empty chats; return the number of updates."""
    long_ago = timezone.now() - KEPT
    ended = TelegramUpdate.objects.filter(
        state__in=(State.DONE, State.DEAD), updated_at__lt=long_ago
    )
    deleted = 0
    while keys := list(ended.values_list("pk", flat=True)[:BATCH]):
        TelegramUpdate.objects.filter(pk__in=keys).delete()
        deleted += len(keys)
    Thread.objects.filter(
        channel=Thread.Channel.TELEGRAM,
        created_at__lt=long_ago,
        conversations=None,
        telegram_updates=None,
    ).delete()
    return deleted
