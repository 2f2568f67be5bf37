"""What the bot says of itself, as Telegram HTML: every name in it is escaped."""

from django.utils.translation import gettext as _

from conversations.telegram.format import escape
from people.telegram_links import Speaker


def stranger(telegram_id: int) -> str:
    """For an id that nobody has linked, or no longer."""
    return _(
        "I don't recognize your Telegram account. Please ask an admin of your space to"
        " link your Telegram ID in the space's settings.\n\n"
        "Your Telegram ID: <code>%(id)s</code>"
    ) % {"id": telegram_id}


def welcome(speaker: Speaker, space: str) -> str:
    """The answer to /start."""
    return "\n\n".join([_hello(speaker, space), commands()])


def _hello(speaker: Speaker, space: str) -> str:
    if speaker.user is None:
        return _(
            "Welcome! I'm Meddie, here for <b>%(space)s</b>. Ask me anything about"
            " health; I remember nothing of it in later conversations, because this"
            " Telegram account is not linked to a user."
        ) % {"space": escape(space)}
    return _(
        "Welcome, %(name)s! I'm Meddie, here for <b>%(space)s</b>. Tell me what I should"
        " know, or ask me anything about health. I know what you told me on the web,"
        " too."
    ) % {"name": escape(speaker.user.get_short_name()), "space": escape(space)}


def commands() -> str:
    """The answer to /help."""
    return "\n".join(
        [
            _("/new: start a new conversation"),
            _("/help: show this list"),
        ]
    )


def started() -> str:
    """The answer to /new."""
    return _("Started a new conversation. What would you like to know?")


def link_of_no_use() -> str:
    """For a code that is over, used or of another space."""
    return _("This link is no longer valid. Make a new one in the space's settings.")


def linked_already() -> str:
    """For an id that belongs to another user."""
    return _(
        "This Telegram account is linked to somebody else here. An admin of the space"
        " can remove that link in its settings."
    )


def cannot_read() -> str:
    """For stickers, places, and whatever else comes."""
    return _("I can read text, and keep photos, documents and voice messages.")


def kept(kind: str) -> str:
    """For a file that was stored."""
    said = {
        "photo": _("I've kept your photo. I can't look at photos yet."),
        "document": _("I've kept your document. I can't read documents yet."),
        "voice": _("I've kept your voice message. I can't listen to it yet."),
    }
    return said[kind]


def too_large() -> str:
    """For a file that was not."""
    return _("This file is too large: I can keep files of up to 20 MB.")


def lost() -> str:
    """For a file that Telegram did not hand out."""
    return _(
        "I couldn't get your file from Telegram, so I haven't kept it. Files of up to"
        " 20 MB can be kept; please send it again."
    )


def undo() -> str:
    """On the button below a change to a person's notes."""
    return _("Undo")


def reverted() -> str:
    """For a moment, and in place of the button."""
    return _("Reverted")


def nothing_to_undo() -> str:
    """For a button that is not, or no longer, of any use."""
    return _("This can't be undone any more.")
