"""Why a turn is refused. Each channel renders status and text."""

from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class TurnRefused(Exception):
    """`emergency_note` is shown before the text."""

    status: ClassVar[int]  # HTTP
    text: ClassVar[Promise | str]
    emergency_note = ""

    def __str__(self) -> str:
        note = self.emergency_note.replace("**", "")
        return f"{note} {self.text}".lstrip()


class Blank(TurnRefused):
    status = 422
    text = _("Write something first.")


class UnreadableForm(TurnRefused):
    """No page of Meddie sends such a form."""

    status = 422
    text = _(
        "Meddie could not read what this page sent. Copy your text, reload the page and"
        " send it again."
    )


class TooLong(TurnRefused):
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


class NotHere(TurnRefused):
    """A conversation of the API has its history in another program."""

    status = 409
    text = _(
        "This conversation continues in the app in which it began; here you can read"
        " and delete it."
    )


class LimitReached(TurnRefused):
    status = 429
    text = _("You've reached the daily message limit. Try again tomorrow.")


class NoRoomForText(TurnRefused):
    """What is stored of the user has reached QUOTA_MB."""

    status = 413
    text = _(
        "I haven’t kept this: your messages, memories and files have reached their"
        " limit, which your account page shows. Delete conversations, then send it"
        " again."
    )


class FileRefused(TurnRefused):
    """A file is not stored."""


class NoRoom(FileRefused):
    """What is stored of the user has reached QUOTA_MB."""

    status = 413
    text = _(
        "I haven’t kept this file: your messages, memories and files have reached their"
        " limit, which your account page shows. Delete conversations with files, then"
        " send it again."
    )


class NoRoomForGuest(NoRoom):
    """The sender has no account."""

    text = _(
        "I haven’t kept this file: the files of this chat have reached their limit. I"
        " can still answer text."
    )


class TooManyUnsent(FileRefused):
    """As many files of the user as may wait are not sent."""

    status = 409
    text = _(
        "I haven’t kept this file: you have uploaded 50 files that you have not sent."
        " Send or remove some, then try again."
    )


class DiskFull(FileRefused):
    status = 507
    text = _(
        "I haven’t kept this file: Meddie’s disk is full. Tell the person who runs it,"
        " then send the file again."
    )


class NoPlaceForFiles(FileRefused):
    status = 503
    text = _(
        "I haven’t kept this file, because I can’t reach the place for files at the"
        " moment. Send it again in a few minutes."
    )


class EmptyFile(FileRefused):
    status = 422
    text = _("This file is empty, so I haven’t kept it.")


class UnknownType(FileRefused):
    status = 415
    text = _(
        "I can’t read this kind of file, so I haven’t kept it. I can read pictures (PNG,"
        " JPEG, WebP, GIF, HEIC), PDF, Word, PowerPoint and Excel files, web pages, mails,"
        " RTF, text, CSV, and sound."
    )


class FileTooLarge(FileRefused):
    status = 413
    text = _("This file is too large. I can keep files of up to %(limit)d MB.")

    def __init__(self, limit: int) -> None:
        """`limit` is in MB."""
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return str(self.text) % {"limit": self.limit}


class TooManyFiles(FileRefused):
    status = 422
    text = _("A message may have 10 files. Send the others with another message.")


class FileGone(FileRefused):
    """The file was sent already, removed, or never this user's."""

    status = 422
    text = _("One of the files is no longer here. Add it again.")
