"""Links of the desk's pages."""

from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from conversations.models import Receipt

register = template.Library()

OBJECT_PAGES: dict[str, str] = {
    Receipt.Kind.MEMORY: "admin:memory_memory_change",
    Receipt.Kind.LORE: "admin:memory_memory_change",
    Receipt.Kind.PROFILE_FACT: "admin:memory_profilefact_change",
    Receipt.Kind.MESSAGE: "admin:conversations_message_change",
}


@register.simple_tag
def object_page(kind: str, key: UUID, text: str) -> SafeString:
    """A link to a row that recall weighed, if it has a page."""
    if kind not in OBJECT_PAGES:
        return format_html("{}", text)
    path = reverse(OBJECT_PAGES[kind], args=[key])
    return format_html('<a href="{}">{}</a>', path, text)
