"""The failures of a model provider."""

from typing import ClassVar

from meddie.backoff import Patience


class AIError(Exception):
    """The model did not answer. The text may be logged: it holds no words of users."""

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
        """Seconds until the next attempt, None to give up."""
        if self.permanent:
            return None
        return patience.pause(attempt, elapsed, self.retry_after)


class WrongKey(AIError):
    """401 or 403."""

    code = "wrong_key"
    permanent = True


class RateLimited(AIError):
    """429; permanent without quota."""

    code = "rate_limited"


class ProviderDown(AIError):
    """No connection, or 5xx."""

    code = "provider_down"


class TimedOut(AIError):
    code = "timed_out"


class Refused(AIError):
    """Other 4xx."""

    code = "refused"
    permanent = True


class BrokenOff(AIError):
    code = "broken_off"


class Garbled(AIError):
    code = "garbled"


class NoEmbedder(AIError):
    """Recall uses keywords only."""

    code = "no_embedder"
    permanent = True


class Unsupported(AIError):
    """The offline stand-in has no rules for the request."""

    code = "unsupported"
    permanent = True


class Unparseable(AIError):
    """Two answers were no valid object; `raw` is the last."""

    code = "unparseable"
    permanent = True

    def __init__(self, raw: str, detail: str = "") -> None:
        super().__init__(detail)
        self.raw = raw
