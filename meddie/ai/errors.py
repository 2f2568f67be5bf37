"""The failures of a model provider, and whether a retry can help."""

from typing import ClassVar

from meddie.backoff import Patience


class AIError(Exception):
    """The model did not answer.

    The text may be logged: it names a status or an error code, never a user's words.
    `code` is stored with the message and selects the text on the page.
    """

    code: ClassVar[str] = "ai_error"
    permanent: bool = False

    def __init__(
        self,
        detail: str = "",
        *,
        permanent: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail or self.code)
        self.retry_after = retry_after
        if permanent is not None:
            self.permanent = permanent

    def pause(self, attempt: int, elapsed: float, patience: Patience) -> float | None:
        """Seconds to wait before the next attempt, None to give up."""
        if self.permanent:
            return None
        return patience.pause(attempt, elapsed, self.retry_after)


class WrongKey(AIError):
    """The provider does not accept the key (401, 403)."""

    code = "wrong_key"
    permanent = True


class RateLimited(AIError):
    """Too many requests (429); permanent if the account has no quota left."""

    code = "rate_limited"


class ProviderDown(AIError):
    """No connection, or an error of the provider (5xx)."""

    code = "provider_down"


class TimedOut(AIError):
    """No connection or no text in time."""

    code = "timed_out"


class Refused(AIError):
    """The provider does not serve the request (other 4xx)."""

    code = "refused"
    permanent = True


class BrokenOff(AIError):
    """The answer ended in the middle."""

    code = "broken_off"


class Garbled(AIError):
    """The answer cannot be read."""

    code = "garbled"


class NoEmbedder(AIError):
    """Neither a key nor the local model is there; recall uses keywords only."""

    code = "no_embedder"
    permanent = True


class Unsupported(AIError):
    """The offline stand-in has no rules for the request."""

    code = "unsupported"
    permanent = True


class Unparseable(AIError):
    """Neither of two answers is a valid object; `raw` is the last, for the dead letter."""

    code = "unparseable"
    permanent = True

    def __init__(self, raw: str, detail: str = "") -> None:
        super().__init__(detail)
        self.raw = raw
