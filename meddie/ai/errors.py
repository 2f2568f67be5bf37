"""The failures of a model provider."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

from meddie.backoff import Failure, Patience

# Errors of a prompt that is longer than the context of a model, in any provider's words.
# Not "context deadline exceeded" and "took too long".
TOO_LONG = re.compile(
    r"context.(length|size|window)|(prompt|input|request) is too long|input token count",
    re.IGNORECASE,
)

# llama.cpp says with the status 500 that its model reads text only.
NO_PICTURES = re.compile(r"image.?(input|url)", re.IGNORECASE)


class AIError(Failure):
    """`said` is the provider's error, which may have words of users."""

    code = "ai_error"
    said: Mapping[str, object] = MappingProxyType({})

    def quoting(self, said: object) -> Self:
        if isinstance(said, dict):
            self.said = said
        return self

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
    """429."""

    code = "rate_limited"


class NoQuota(AIError):
    """402, or a 429 that waiting does not end."""

    code = "no_quota"
    permanent = True


class NoCallsLeft(AIError):
    """The user's background calls of the day (UTC) are used up."""

    code = "daily_limit"


class ProviderDown(AIError):
    """No connection, or 5xx."""

    code = "provider_down"


class TimedOut(AIError):
    code = "timed_out"


class GaveWay(AIError):
    """A background call, to a reply that needs the server."""

    code = "gave_way"
    permanent = True


class Refused(AIError):
    """Other 4xx."""

    code = "refused"
    permanent = True

    def __init__(self, detail: str = "", *, status: int = 400, said: object = None):
        super().__init__(detail)
        self.status = status
        self.quoting(said)
        self.is_too_long = bool(TOO_LONG.search(str(said)))


class BrokenOff(AIError):
    code = "broken_off"


class CutOff(AIError):
    """The answer reached the model's limit of length, or ours."""

    code = "cut_off"
    permanent = True


class Filtered(AIError):
    """A content filter of the provider ended the answer."""

    code = "filtered"
    permanent = True


# By the finish reasons of answers that lack their end
UNFINISHED_REASONS: Mapping[str, type[AIError]] = {
    "length": CutOff,
    "content_filter": Filtered,
}


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


class UnknownSound(AIError):
    """No provider takes a recording of this kind; it was not sent."""

    code = "unknown_sound"
    permanent = True


class RecordingTooLarge(AIError):
    """It cannot be cut; it was not sent."""

    code = "recording_too_large"
    permanent = True


class Unparseable(AIError):
    """Two answers were no valid object; `raw` is the last."""

    code = "unparseable"
    permanent = True

    def __init__(self, raw: str, detail: str = "") -> None:
        super().__init__(detail)
        self.raw = raw


# Of a question with a schema that asking again does not help.
NO_ANSWER = (Refused, Unparseable)
