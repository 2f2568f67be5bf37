"""What can go wrong with a model provider, and whether trying again can help."""

from typing import ClassVar

from meddie.backoff import Patience


class AIError(Exception):
    """The model did not answer.

    The text names a status or a provider's error code, never what somebody said: it may
    be logged. `code` is stored with the message and chooses the sentence on the page.
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
    """Too many requests for now (429); permanent when the account has no quota left."""

    code = "rate_limited"


class ProviderDown(AIError):
    """No connection, or the provider's own fault (5xx)."""

    code = "provider_down"


class TimedOut(AIError):
    """No connection in time, or no text for too long."""

    code = "timed_out"


class Refused(AIError):
    """The provider understands the request and will not serve it (other 4xx)."""

    code = "refused"
    permanent = True


class BrokenOff(AIError):
    """The answer ended in the middle."""

    code = "broken_off"


class Garbled(AIError):
    """The answer cannot be read."""

    code = "garbled"


class NoEmbedder(AIError):
    """There is neither a key nor the local model, so recall goes on by keyword."""

    code = "no_embedder"
    permanent = True


class Unsupported(AIError):
    """The offline stand-in has no rules for what is asked."""

    code = "unsupported"
    permanent = True


class Unparseable(AIError):
    """The model's answer is not the object asked for, even after a second request.

    `raw` is the last answer, for the dead letter; the error's text does not repeat it.
    """

    code = "unparseable"
    permanent = True

    def __init__(self, raw: str, detail: str = "") -> None:
        super().__init__(detail)
        self.raw = raw
