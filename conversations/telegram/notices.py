"""Tell in a chat what its answers used has changed since, or what of files was not read.

Once, or not at all: a message that Telegram may have taken is not sent again.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import translation

from conversations.attachments.problems import gaps
from conversations.models import Attachment, OutdatedAnswer, Thread
from conversations.outdated.telling import chat_sentence
from conversations.telegram.bot_api.api import api
from conversations.telegram.bot_api.transport import (
    Blocked,
    TelegramFailed,
    Unreachable,
)
from conversations.telegram.format import escape
from conversations.telegram.links import mark_blocked, speaker
from conversations.telegram.models import (
    TelegramBot,
    TelegramLink,
    TelegramNotice,
    TelegramPart,
    TelegramUpdate,
)
from meddie.crypto import KeyLost
from meddie.jobs.job import Outage
from meddie.jobs.registry import Handlers, announce
from meddie.threads import run_coroutine
from people.models import User


def put_notice(thread: Thread, source: UUID) -> None:
    """In the transaction that marks the answers."""
    new = TelegramNotice(kind=TelegramNotice.TELL, thread=thread, source=source)
    TelegramNotice.objects.bulk_create([new], ignore_conflicts=True)
    due = TelegramNotice.objects.filter(thread=thread, source=source).unfinished()
    announce(*due)


def send_notice(job: TelegramNotice) -> None:
    """Raises Outage."""
    to = speaker(job.thread.space_id, int(job.thread.external_id))
    bot = TelegramBot.objects.filter(space=job.thread.space_id).first()
    if job.sending or bot is None or to is None or to.user is None:
        return
    if TelegramLink.objects.filter(pk=to.link_id, blocked_at__isnull=False).exists():
        return
    with translation.override(to.user.locale):
        told, quoted, topic = _due(job, to.user)
    if not told:
        return
    try:
        bot_api = api(bot.token, bot.api_url)
        _set_sending(job, sending=True)
        sent = bot_api.send(
            int(job.thread.external_id),
            f"<i>{escape(told)}</i>",
            answers=quoted,
            topic=topic,
        )
        run_coroutine(sent)
    except Blocked:
        mark_blocked(to.link_id)
    except KeyLost:
        job.give_up("key_lost")
    except TelegramFailed as failure:
        _stop_at(failure, job)


def _due(job: TelegramNotice, user: User) -> tuple[str, int | None, int | None]:
    """What is to be told, if anything, the message that it answers, and its topic."""
    files = Attachment.objects.filter(
        message=job.source, message__thread=job.thread, user=user
    )
    if lines := gaps(files.order_by("number")):
        updates = TelegramUpdate.objects.filter(reply__answers=job.source)
        row = updates.values_list("message_id", "topic").first() or (None, None)
        return "\n".join(lines), *row
    marks = OutdatedAnswer.objects.of_sources([job.source]).filter(
        message__thread=job.thread, message__conversation__user=user
    )
    told = list(marks.order_by("-message__created_at"))
    if not told or not user.answer_notices:
        return "", None, None
    return chat_sentence(told), *_sent_as(told[0].message_id)


def _stop_at(failure: TelegramFailed, job: TelegramNotice) -> None:
    """Raises Outage where Telegram certainly does not have the message."""
    if isinstance(failure, Unreachable) and failure.maybe_done:
        return
    if failure.permanent:
        job.give_up(failure.code)
        return
    _set_sending(job, sending=False)
    if failure.retry_after is not None:
        job.postpone(failure.code, timedelta(seconds=failure.retry_after))
        return
    raise Outage(failure.code)


HANDLERS: Handlers = {TelegramNotice.TELL: send_notice}


@transaction.atomic
def _set_sending(job: TelegramNotice, *, sending: bool) -> None:
    """Raises LeaseLost."""
    job.hold()
    TelegramNotice.objects.filter(pk=job.pk).update(sending=sending)
    job.sending = sending


def _sent_as(reply_id: UUID) -> tuple[int | None, int | None]:
    """Telegram's numbers of the message with a reply, and of its topic."""
    parts = TelegramPart.objects.filter(update__reply=reply_id)
    sent = parts.exclude(telegram_message_id=None).order_by("number")
    found = sent.values_list("telegram_message_id", "update__topic").first()
    return found or (None, None)
