"""What the rail of every page shows."""

import re

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from conversations.web.listing import Listing, Piece, listing
from people.models import Space, User

register = template.Library()

MARK, PLAIN = "<mark>{}</mark>", "{}"

SECTION_ADDRESSES = {
    "people:list": r"/people",
    "people:space_settings": r"/spaces/(?!new|[^/]+/leave)",
    "people:account": r"/account|/password|/spaces/(new|[^/]+/leave)",
    "memory_page:index": r"/memory",
}
"""The beginnings of the addresses below a page of the menu."""
MEMBERS_ACCOUNT = r"/account|/password|/spaces"  # leads to keys and Telegram


@register.simple_tag(takes_context=True)
def recent_conversations(context: Context) -> Listing | None:
    """The first page of the list; None on error pages, which ask no database."""
    user, space = context.get("user"), context.get("current_space")
    if not isinstance(user, User) or not isinstance(space, Space):
        return None
    return listing(user.pk, space.pk)


@register.simple_tag(takes_context=True)
def current_in_menu(context: Context, name: str) -> str:
    """The `aria-current` of a link: "page", "true" for a page below it, or empty."""
    request = context.get("request")
    if request is None or request.resolver_match is None:
        return ""
    if request.resolver_match.view_name == name:
        return "page"
    below = SECTION_ADDRESSES.get(name, "//")
    if name == "people:account" and not context.get("is_space_admin"):
        below = MEMBERS_ACCOUNT
    return "true" if re.match(below, request.path) else ""


@register.filter
def with_marks(pieces: list[Piece]) -> SafeString:
    """Escaped text with the found words in <mark>."""
    parts = ((MARK if hit else PLAIN, text) for text, hit in pieces)
    return SafeString("".join(format_html(shape, text) for shape, text in parts))
