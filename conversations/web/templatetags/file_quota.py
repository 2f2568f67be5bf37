"""Limits of files, for pages."""

from django import template
from django.conf import settings

from conversations.limits import bytes_used
from people.models import User

register = template.Library()


@register.simple_tag
def file_use(user: User) -> dict[str, int]:
    return {"bytes": bytes_used(user.pk), "quota": settings.FILE_QUOTA_MB}


@register.simple_tag
def most_bytes() -> int:
    largest = max(settings.IMAGE_MB, settings.DOCUMENT_MB, settings.AUDIO_MB)
    return min(largest, settings.MAX_BODY_MB) * 1024 * 1024
