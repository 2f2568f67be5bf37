"""What the rail of every page shows."""

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from conversations.conversation_search import Piece
from conversations.listing import Listing, listing
from people.models import Space, User

register = template.Library()

MARK, PLAIN = "<mark>{}</mark>", "{}"

SECTIONS = {
    "people:list": ("/people",),
    "people:space_settings": ("/spaces",),
    "people:account": ("/account", "/password", "/theme"),
    "conversations:list": ("/chat",),
    "memory_page:index": ("/memory",),
}
"""Where the pages below a page of the menu begin."""


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
    return "true" if request.path.startswith(SECTIONS.get(name, ("//",))) else ""


@register.filter
def with_marks(pieces: list[Piece]) -> SafeString:
    """Escaped text with the found words in <mark>."""
    parts = ((MARK if hit else PLAIN, text) for text, hit in pieces)
    return SafeString("".join(format_html(shape, text) for shape, text in parts))
