"""Template filters and tags of the chat."""

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from conversations import model_trial, user_texts
from conversations.attachments.problems import is_broken, told_of
from conversations.limits import bytes_used
from conversations.models import Attachment, Message
from conversations.new_conversation import offered_models
from conversations.outdated import telling
from conversations.reply import about_whom, change_lines, confirmations
from conversations.web.chat_page import statements, step_after
from meddie.ai import offline
from meddie.ai.offline.replies import SIGNATURE
from meddie.ai.provider import current_provider
from meddie.languages import ANSWERED
from meddie.markdown import html
from memory.models import Fact
from memory.wording.words import language_of
from people.models import User

register = template.Library()


@register.filter
def clock(moment: datetime) -> str:
    """Like "14:05"."""
    return date_format(timezone.localtime(moment), "H:i")


@register.filter
def day_name(moment: datetime) -> str:
    """Like "Today", "Yesterday", "Thursday, 19 November"."""
    local, today = timezone.localtime(moment), timezone.localdate()
    if local.date() == today:
        return _("Today")
    if local.date() == today - timedelta(days=1):
        return _("Yesterday")
    same_year = local.year == today.year
    return date_format(local, "l, j E" if same_year else "l, j E Y")


@register.filter
def short_day(moment: datetime) -> str:
    """The time for today, else the day, with the year if it is another one."""
    local, today = timezone.localtime(moment), timezone.localdate()
    if local.date() >= today:
        return date_format(local, "H:i")
    if local.date() == today - timedelta(days=1):
        return _("yesterday")
    return date_format(
        local, "MONTH_DAY_FORMAT" if local.year == today.year else "DATE_FORMAT"
    )


@register.filter
def full_time(moment: datetime) -> str:
    """The full date, for the tooltip."""
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


@register.filter
def as_markdown(text: str) -> SafeString:
    return mark_safe(html.render(text))  # noqa: S308 -- sanitised by nh3


@register.filter
def other_language(text: str) -> str:
    """The code of the text's language if it is not that of the page."""
    code = language_of(text)
    return "" if code == get_language() else code


@register.filter
def status_text(message: Message) -> str:
    """The sentence below an incomplete reply."""
    return str(user_texts.about_reply(message.status, message.error))


register.filter("file_state", told_of)


@register.filter
def is_shown(file: Attachment) -> bool:
    return file.kind == Attachment.Kind.IMAGE and not is_broken(file)


@register.filter
def poll_pause(message: Message) -> int:
    """Milliseconds until a page asks for pending files again; 0 for never."""
    if all(file.state != "pending" for file in message.attachments.all()):
        return 0
    # Slow files are asked for less and less often.
    age = (timezone.now() - message.created_at) / timedelta(milliseconds=1)
    return int(min(max(age / 8, 1500), 60_000))


@register.filter
def blank_text(message: Message) -> str:
    """The sentence in place of a reply's text, if none of it is visible."""
    blank = html.is_blank(message.content)
    return change_lines.about_blank(message) if blank else ""


@register.filter
def line_text(line: Message) -> str:
    return change_lines.sentence(line)


@register.filter
def fact_text(memory: Fact) -> str:
    return change_lines.shown(memory)


@register.filter
def can_be_undone(line: Message) -> bool:
    return change_lines.can_undo(line)


register.filter("may_be_updated", change_lines.may_be_updated)


@register.filter
def answer_labels(line: Message) -> tuple[str, str] | None:
    return confirmations.answers_to(line)


register.filter("choices", about_whom.about_choices)


@register.filter
def outdated_by(line: Message) -> list[Message]:
    return change_lines.earlier_answers(line)[: telling.MOST_LISTED]


@register.filter
def offers(line: Message) -> list[Fact]:
    return change_lines.offered(line)


@register.simple_tag
def room_used(user: User) -> dict[str, int]:
    return {"bytes": bytes_used(user.pk), "quota": settings.QUOTA_MB}


@register.simple_tag
def model_choices() -> list[str]:
    return offered_models()


@register.simple_tag
def hears() -> bool:
    """Whether recordings are transcribed."""
    return current_provider().hears


@register.simple_tag
def most_bytes() -> int:
    return min(settings.FILE_MB, settings.MAX_BODY_MB) * 1024 * 1024


@register.filter
def is_signed(reply: Message) -> bool:
    """Whether it ends with the stand-in's signature, the first of a conversation."""
    if reply.model != offline.MODEL:
        return False
    for code in ANSWERED:
        with override(code):
            if str(SIGNATURE) in reply.content:
                return True
    return False


@register.simple_tag
def tried_model() -> dict[str, Any]:
    """Of the model that answers, and whether there is one."""
    model, steps = model_trial.last_trial()
    return {"model": model, "steps": steps, "connected": current_provider().connected}


@register.filter
def try_next(reply: Message | None) -> str:
    """What shows in a new conversation that the first message was understood."""
    if not reply or reply.seq != 2 or reply.status == Message.Status.STREAMING:
        return ""
    if reply.answers is None or not reply.conversation.remember:
        return ""
    step = step_after(reply.answers.content)
    return "" if step in statements() else step
