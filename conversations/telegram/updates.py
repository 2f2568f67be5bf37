"""Telegram updates in the inbox: those that wait, and the end of one."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.inbox.store import FREE
from conversations.models import Thread
from conversations.telegram.models import TelegramBot, TelegramUpdate

NEWEST = 10  # waiting updates that are looked at early; each has a task of its own


def waiting_for_lease(thread_id: UUID) -> list[TelegramUpdate]:
    """The chat's newest untouched updates, if a worker or a page has its lease."""
    if not Thread.objects.exclude(FREE).filter(pk=thread_id).exists():
        return []
    waiting = TelegramUpdate.objects.filter(thread=thread_id).untouched()
    return list(waiting.order_by("-update_id")[:NEWEST])


@transaction.atomic
def end_update(update: TelegramUpdate, note: str = "") -> None:
    """End an update and blank its parts. Raises LeaseLost."""
    update.succeed(note)
    update.parts.update(html="")
    if not note and update.bot.error:
        TelegramBot.objects.filter(pk=update.bot_id).update(error="")


def make_due(bot: TelegramBot) -> list[UUID]:
    """Make a bot's waiting updates due; return the keys of their threads."""
    waiting = TelegramUpdate.objects.filter(bot=bot, state=TelegramUpdate.State.WAITING)
    now = timezone.now()
    waiting.filter(available_at__gt=now).update(available_at=now)
    return list(waiting.values_list("thread", flat=True).distinct())
