"""What can go wrong with a call to Telegram, and whether trying again can help."""

from typing import ClassVar

from telegram.error import TelegramError


class TelegramFailed(TelegramError):
    """The call did not do what it was for.

    The text is Telegram's own description or the kind of failure; it never has the
    token or somebody's words in it, so it may be logged and shown to an admin. A
    TelegramError, because the library lets only those through its own hands.
    """

    code: ClassVar[str] = "telegram_failed"
    permanent: ClassVar[bool] = False

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(detail or self.code)
        self.retry_after = retry_after


class WrongToken(TelegramFailed):
    """No bot has this token, or no longer (401, 404)."""

    code = "wrong_token"
    permanent = True


class Blocked(TelegramFailed):
    """The user has blocked the bot or never begun to talk to it (403)."""

    code = "blocked"
    permanent = True


class Refused(TelegramFailed):
    """Telegram understands the call and will not serve it (400 and the like)."""

    code = "refused"
    permanent = True


class TooLarge(Refused):
    """The file is larger than wanted; nothing of it is kept."""

    code = "too_large"


class TooMany(TelegramFailed):
    """Too many calls for now (429); `retry_after` seconds are to pass."""

    code = "too_many"


class Elsewhere(TelegramFailed):
    """The bot's updates go to a webhook, or to somebody else who polls (409)."""

    code = "elsewhere"


class Unreachable(TelegramFailed):
    """No connection, no answer in time, Telegram's own fault (5xx), or garbage.

    `maybe_done`: the call may have reached Telegram and had its effect.
    """

    code = "unreachable"

    def __init__(self, detail: str = "", *, maybe_done: bool = True) -> None:
        super().__init__(detail)
        self.maybe_done = maybe_done
