"""Template filters of what newcomers see: the stand-in's replies, and what to try next."""

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from conversations.models import Message
from conversations.quick_questions import question_after
from meddie.ai import offline
from meddie.ai.offline.replies import TEXTS

register = template.Library()


@register.filter
def is_signed(reply: Message) -> bool:
    """Whether it ends with the stand-in's signature, the first of a conversation."""
    return reply.model == offline.MODEL and _says(reply, "signature")


@register.filter
def notes_address(reply: Message) -> str:
    """The address of the notes if the stand-in could not take one, else empty."""
    if reply.model != offline.MODEL or not _says(reply, "not_noted"):
        return ""
    person = reply.conversation.person_id
    return reverse("people:person", args=[person]) if person else reverse("people:list")


def _says(reply: Message, name: str) -> bool:
    for code, _name in settings.LANGUAGES:
        with override(code):
            if str(TEXTS[name]) in reply.content:
                return True
    return False


@register.filter
def try_next(reply: Message | None) -> str:
    """The question that shows in a new conversation what the first message taught."""
    if not reply or reply.seq != 2 or reply.status == Message.Status.STREAMING:
        return ""
    if reply.answers is None or not reply.conversation.remember:
        return ""
    return question_after(reply.answers.content)
