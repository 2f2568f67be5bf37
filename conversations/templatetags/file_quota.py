"""The files of a user on the account page."""

from django import template
from django.conf import settings

from conversations.limits import bytes_used
from people.models import User

register = template.Library()


@register.simple_tag
def file_use(user: User) -> dict[str, int]:
    return {"bytes": bytes_used(user.pk), "quota": settings.FILE_QUOTA_MB}
