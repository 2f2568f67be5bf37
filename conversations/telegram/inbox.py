"""The inbox: updates are stored before anything else, and taken up in order.

Whoever works on a chat holds the lease of its thread; every step is stored only while
that holds, so that somebody who was thought dead and was not writes nothing.
"""

import logging
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from conversations.models import TelegramPart, TelegramUpdate, Thread
from conversations.models.thread import LEASE
from conversations.telegram.bot_api.schema import Update, read
from people.models import TelegramBot

logger = logging.getLogger(__name__)

State = TelegramUpdate.State

MOST_ATTEMPTS = 5
"""That fail; then an update rests as a dead letter, and the chat goes on without it."""
MOST_BEGUN = 20
"""Attempts that nothing was heard of again. A process may die of anything, so it takes
more of them until the update is taken for the cause."""
SUSPECT = 5
"""So many of them, and there is a pause before each that follows."""
PAUSES = [timedelta(seconds=s) for s in (5, 15, 60, 300)]
"""Behind the first, second, third and fourth attempt: the chat waits meanwhile."""
MOST_WAITING = 400
"""Updates of one chat (S3-16); beyond, the oldest becomes a dead letter."""
BATCH = 500


class LeaseLost(Exception):
    """Somebody else works on this chat by now."""


def receive(bot: TelegramBot, payload: object) -> UUID | None:
    """Store an update, once; return the key of its thread, None if it is none of ours.

    Raises Malformed.
    """
    update = read(payload)
    return store(bot, update) if update else None


@transaction.atomic
def store(bot: TelegramBot, update: Update) -> UUID:
    """Store an update that has been read; return the key of its thread."""
    thread, _made = Thread.objects.get_or_create(
        space_id=bot.space_id,
        channel=Thread.Channel.TELEGRAM,
        external_id=str(update.sender.id),
    )
    TelegramUpdate.objects.bulk_create(
        [
            TelegramUpdate(
                bot=bot,
                update_id=update.update_id,
                thread=thread,
                payload=update.stored(),
            )
        ],
        ignore_conflicts=True,
    )
    _bound(thread)
    return thread.pk


def _bound(thread: Thread) -> None:
    """Who writes faster than anybody can answer loses their oldest messages first; they
    are kept as dead letters."""
    waiting = thread.telegram_updates.unfinished()
    too_many = waiting.count() - MOST_WAITING
    if too_many > 0:
        oldest = waiting.filter(state=State.RECEIVED).in_order()[:too_many]
        TelegramUpdate.objects.filter(pk__in=oldest.values("pk")).update(
            state=State.DEAD, error="overflow", ended_at=timezone.now()
        )


def waiting() -> list[UUID]:
    """Threads with something to do that nobody works on."""
    free = Q(lease_holder=None) | Q(leased_until__lt=Now())
    due = TelegramUpdate.objects.due().values("thread")
    return list(
        Thread.objects.filter(free, pk__in=due).values_list("pk", flat=True)[:BATCH]
    )


def is_due(thread_id: UUID) -> bool:
    """Whether the chat's first unfinished update is to be worked on now."""
    first = (
        TelegramUpdate.objects.filter(thread=thread_id).unfinished().in_order().first()
    )
    return first is not None and first.available_at <= timezone.now()


def next_due(thread_id: UUID, lease: UUID) -> TelegramUpdate | None:
    """Begin an attempt at the chat's first unfinished update, if it is due.

    It is counted before it is made, so that an update which kills its process does not
    do so for ever.
    """
    while True:
        with transaction.atomic():
            _lock(thread_id, lease)
            update = _first(thread_id)
            if update is None or update.available_at > timezone.now():
                return None
            if update.begun < MOST_BEGUN:
                update.begun += 1
                if update.begun > SUSPECT:  # should this one kill its process too
                    update.available_at = timezone.now() + LEASE * update.begun
                update.save(update_fields=["begun", "available_at"])
                return update
            _end(update, State.DEAD, "crashed")


def _first(thread_id: UUID) -> TelegramUpdate | None:
    # A token that cannot be decrypted is the trouble of the attempt, not of the inbox.
    updates = TelegramUpdate.objects.select_related("bot", "thread").defer(
        "bot__token", "bot__secret"
    )
    return updates.filter(thread=thread_id).unfinished().in_order().first()


def hold(update: TelegramUpdate, lease: UUID) -> Thread:
    """Lock the update's thread for the rest of the transaction.

    Raises LeaseLost, also where the update went with what it belonged to.
    """
    thread = _lock(update.thread_id, lease)
    if not TelegramUpdate.objects.filter(pk=update.pk).exists():
        raise LeaseLost
    return thread


def _lock(thread_id: UUID, lease: UUID) -> Thread:
    ours = Thread.objects.select_for_update().leased_to(lease)
    thread = ours.filter(pk=thread_id).first()
    if thread is None:
        raise LeaseLost
    return thread


@transaction.atomic
def failed(
    update: TelegramUpdate, lease: UUID, error: str, retry_after: float | None = None
) -> None:
    """An attempt came to nothing: another is made later, or none any more.

    To be told to wait is no failure. Raises LeaseLost.
    """
    hold(update, lease)
    logger.warning("Telegram update %s failed: %s", update.pk, error)
    if retry_after is not None:
        pause = timedelta(seconds=retry_after)
    elif update.attempts + 1 >= MOST_ATTEMPTS:
        update.attempts = MOST_ATTEMPTS
        _end(update, State.DEAD, error)
        return
    else:
        pause = PAUSES[update.attempts]
        update.attempts += 1
    update.error, update.begun = error, 0
    update.available_at = timezone.now() + pause
    update.save(update_fields=["attempts", "begun", "available_at", "error"])


def advance(update: TelegramUpdate, state: str, **fields: object) -> None:
    """The update got on. For whoever has called `hold` in this transaction."""
    update.state, update.attempts, update.begun, update.error = state, 0, 0, ""
    for name, value in fields.items():
        setattr(update, name, value)
    update.save()


@transaction.atomic
def finish(update: TelegramUpdate, lease: UUID, error: str = "") -> None:
    """Nothing is left to do; what was said stands in messages only. Raises LeaseLost."""
    hold(update, lease)
    _end(update, State.DONE, error)
    if not error and update.bot.error:
        TelegramBot.objects.filter(pk=update.bot_id).update(error="")


def _end(update: TelegramUpdate, state: str, error: str) -> None:
    update.state, update.error = state, error
    update.ended_at = timezone.now()
    if state == State.DONE:
        update.payload = {}
        update.parts.update(html="")
    update.save()


@transaction.atomic
def retry(update: TelegramUpdate) -> None:
    """Have a dead letter worked on again, from where it got to."""
    dead = TelegramUpdate.objects.select_for_update().filter(state=State.DEAD)
    found = dead.filter(pk=update.pk).first()
    if found is None:
        return
    found.state = _reached(found)
    found.attempts, found.begun, found.error, found.ended_at = 0, 0, "", None
    found.available_at = timezone.now()
    found.save()


def _reached(update: TelegramUpdate) -> str:
    if update.parts.exists():
        return State.REPLY_STORED
    return State.TURN_STORED if update.reply_id else State.RECEIVED


@transaction.atomic
def part_to_send(update: TelegramUpdate, lease: UUID) -> TelegramPart | None:
    """The first part without Telegram's receipt. Raises LeaseLost."""
    hold(update, lease)
    return _unsent(update)


def _unsent(update: TelegramUpdate) -> TelegramPart | None:
    return update.parts.filter(sent_at=None).order_by("number").first()


@transaction.atomic
def part_sent(
    part: TelegramPart, telegram_message_id: int | None, lease: UUID
) -> TelegramPart | None:
    """Keep Telegram's receipt, whoever holds the lease by now; return the next part to
    send, None if there is none or it is somebody else's to send."""
    part.telegram_message_id, part.sent_at = telegram_message_id, timezone.now()
    part.save(update_fields=["telegram_message_id", "sent_at"])
    ours = Thread.objects.filter(pk=part.update.thread_id).leased_to(lease)
    if not ours.exists():
        return None
    part.update.attempts = part.update.begun = 0
    part.update.save(update_fields=["attempts", "begun"])
    return _unsent(part.update)


@transaction.atomic
def uncertain(part: TelegramPart, lease: UUID) -> None:
    """Telegram may have taken the part and did not say so. Raises LeaseLost."""
    hold(part.update, lease)
    part.uncertain = True
    part.save(update_fields=["uncertain"])


def wake(bot: TelegramBot) -> list[UUID]:
    """Have everything of a bot worked on now that was put off; the threads to ring for."""
    put_off = TelegramUpdate.objects.filter(bot=bot).unfinished()
    put_off.filter(available_at__gt=timezone.now()).update(available_at=timezone.now())
    return list(put_off.values_list("thread", flat=True).distinct())


def forget_old(days: int = 30) -> int:
    """Drop ended updates, and chats that nothing is left of; how many updates.

    Telegram sends none again that is older than a day.
    """
    long_ago = timezone.now() - timedelta(days=days)
    old = TelegramUpdate.objects.filter(ended_at__lt=long_ago)
    dropped = 0
    while keys := list(old.values_list("pk", flat=True)[:BATCH]):
        TelegramUpdate.objects.filter(pk__in=keys).delete()
        dropped += len(keys)
    Thread.objects.filter(
        channel=Thread.Channel.TELEGRAM,
        created_at__lt=long_ago,
        conversations=None,
        telegram_updates=None,
    ).delete()
    return dropped
