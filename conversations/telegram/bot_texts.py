"""Texts of the bot, as Telegram HTML."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.telegram.format import escape
from conversations.telegram.links import Speaker
from meddie.ai.provider import current_provider
from people.models import Space, User


def unknown_account(telegram_id: int) -> str:
    return _(
        "I don't recognise your Telegram account. Please ask an admin of your"
        " household to link your Telegram ID in the household's settings.\n\n"
        "Your Telegram ID: <code>%(id)s</code>"
    ) % {"id": telegram_id}


def pending_account(telegram_id: int) -> str:
    return _(
        "Your Telegram account is not linked yet. Sign in to Meddie on the web and"
        " confirm it under Account.\n\n"
        "Your Telegram ID: <code>%(id)s</code>"
    ) % {"id": telegram_id}


def code_received(user: User, space: str, telegram_id: int) -> str:
    return _(
        "You are linking this Telegram account to the Meddie account of %(name)s in"
        " <b>%(space)s</b>. One step is left: on the page that showed the link, confirm"
        " this Telegram ID.\n\n"
        "Your Telegram ID: <code>%(id)s</code>"
    ) % {
        "name": escape(user.get_short_name()),
        "space": escape(space),
        "id": telegram_id,
    }


def welcome(speaker: Speaker, space: Space) -> str:
    """The answer to /start."""
    return "\n\n".join([hello(speaker, space), commands()])


def hello(speaker: Speaker, space: Space) -> str:
    """Names the account that messages are stored in."""
    if speaker.user is None:
        return _(
            "Welcome! I'm Meddie, here for <b>%(space)s</b>. Ask me anything about"
            " health. Your Telegram account is not linked to a user, so I won't remember"
            " this in later conversations."
        ) % {"space": escape(space.name)}
    names = {"name": escape(speaker.user.get_short_name()), "space": escape(space.name)}
    if not (speaker.user.memory_on and space.memory_on):
        return (
            _(
                "Welcome, %(name)s! I'm Meddie, here for <b>%(space)s</b>. Ask me"
                " anything about health. Memory is switched off, so I won't remember"
                " this in later conversations."
            )
            % names
        )
    return (
        _(
            "Welcome, %(name)s! I'm Meddie, here for <b>%(space)s</b>. Tell me what I should"
            " know, or ask me anything about health. I also know what you told me on the"
            " web."
        )
        % names
    )


def commands() -> str:
    """The answer to /help."""
    return "\n".join(
        [
            _("/new: start a new conversation"),
            _("/help: show this list"),
        ]
    )


def started() -> str:
    return _("Started a new conversation. What would you like to know?")


def invalid_link() -> str:
    return _(
        "This link is no longer valid. Create a new one in the household's settings."
    )


def already_linked() -> str:
    return _(
        "This Telegram account is already linked to another user here. An admin of the"
        " household can remove that link in the household's settings."
    )


def cannot_read() -> str:
    """The answer to stickers, dice and other kinds of messages."""
    if current_provider().connected:
        return _(
            "I can read text, photos, documents, recordings, videos, contacts, places"
            " and polls, but no stickers, dice and animations."
        )
    return _("I can read text, photos, documents, recordings and videos.")


def edits_count() -> str:
    return _(
        "You changed a message: its last version counts, and what I had noted from the"
        " earlier one no longer does."
    )


def edit_not_known() -> str:
    return _(
        "I no longer have the message that you changed. Please send it as a new message."
    )


def in_groups(username: str) -> str:
    """The answer to /start and /help in a group."""
    return _(
        "In a group I answer linked members who mention @%(bot)s or reply to me."
        " Because others read along, I use no memory here and remember nothing. For"
        " that, write to me in a private chat: https://t.me/%(bot)s"
    ) % {"bot": escape(username)}


def files_missing(kept: int, sent: int) -> str:
    return ngettext(
        "I have %(kept)d of your %(sent)d file.",
        "I have %(kept)d of your %(sent)d files.",
        sent,
    ) % {"kept": kept, "sent": sent}


def not_heard() -> str:
    return _(
        "I’ve kept your recording, but I couldn’t listen to it. That needs a model"
        " provider; please write to me what you said."
    )


def too_large() -> str:
    return _("This file is too large. I can keep files of up to 20 MB.")


def lost() -> str:
    return _(
        "I couldn’t get your file from Telegram, so I haven’t kept it. Please send it"
        " again. I can keep files of up to 20 MB."
    )


def undo_label() -> str:
    return _("Undo")


def undone() -> str:
    return _("Undone")


def nothing_to_undo() -> str:
    return _("This can't be undone any more.")
