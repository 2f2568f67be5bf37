"""Why a turn is refused. Each channel renders the status and the text in its own way."""

from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class TurnRefused(Exception):
    """A message that does not become a turn."""

    status: ClassVar[int]
    """HTTP status."""
    text: ClassVar[Promise | str]

    def __str__(self) -> str:
        return str(self.text)


class Blank(TurnRefused):
    """The message has no text."""

    status = 422
    text = _("Write something first.")


class UnreadableForm(TurnRefused):
    """The form is not one that a page of Meddie sends."""

    status = 422
    text = _(
        "Meddie could not read what this page sent. Copy your words, reload the page and"
        " send them again."
    )


class TooLong(TurnRefused):
    """The message is longer than LONGEST_MESSAGE of `reply.turn`."""

    status = 413
    text = _(
        "A message may have 20,000 characters; this one has more. Shorten it or send it"
        " in parts."
    )


class Busy(TurnRefused):
    """A reply is being written in this thread."""

    status = 409
    text = _(
        "Meddie is still answering in this conversation. Wait for the end or stop it,"
        " then send again."
    )


class LimitReached(TurnRefused):
    """The user has sent as many messages today as the daily limit allows."""

    status = 429
    text = _("You've reached the daily message limit. Try again tomorrow.")
