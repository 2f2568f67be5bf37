"""Errors of calls to Telegram."""

from meddie.backoff import Failure


class TelegramFailed(Failure):
    code = "telegram_failed"


class WrongToken(TelegramFailed):
    """No bot has this token (401, 404)."""

    code = "wrong_token"
    permanent = True


class Blocked(TelegramFailed):
    """The user has blocked the bot or never started it (403)."""

    code = "blocked"
    permanent = True


class TelegramRefused(TelegramFailed):
    """Telegram rejects the call for good (other 4xx)."""

    code = "refused"
    permanent = True


class InvalidApiUrl(TelegramFailed):
    """The address of the Bot API is not a valid URL."""

    code = "refused"
    permanent = True


class TooLarge(TelegramRefused):
    code = "too_large"


class TooMany(TelegramFailed):
    """Too many calls (429); `retry_after` is in seconds."""

    code = "too_many"


class Elsewhere(TelegramFailed):
    """The updates go to a webhook or to another poller (409)."""

    code = "elsewhere"


class Unreachable(TelegramFailed):
    """`maybe_done`: Telegram may have carried out the call."""

    code = "unreachable"

    def __init__(self, detail: str = "", *, maybe_done: bool = True) -> None:
        super().__init__(detail)
        self.maybe_done = maybe_done
