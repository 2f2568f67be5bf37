"""The theme that a browser has chosen, in a cookie, so that no page flashes."""

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

COOKIE = "theme"
PAPER = {"light": "#fbf9f5", "dark": "#181715"}
"""`--paper` of static/tokens.css, for the frame that a browser draws around a page."""
CHOICES = (("", _("System")), ("light", _("Light")), ("dark", _("Dark")))


def chosen_theme(request: HttpRequest) -> str:
    """ "light", "dark", or empty for that of the system."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in dict(CHOICES) else ""
