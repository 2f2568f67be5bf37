"""How long to wait before the next attempt. Pure functions."""

import random
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Patience:
    """When to give up on a call: after `attempts`, or when the next would begin later
    than `seconds` after the first. A longer Retry-After than `retry_after` is not waited
    for. `backoff` is the first pause."""

    attempts: int = 3
    seconds: float = 20
    retry_after: float = 10
    backoff: float = 0.5

    def pause(
        self, attempt: int, elapsed: float, retry_after: float | None = None
    ) -> float | None:
        """Seconds to wait after the failed attempt number `attempt`, None to give up.

        Without a Retry-After the pause doubles each time and is spread at random, so
        that clients do not return all at once.
        """
        if attempt >= self.attempts:
            return None
        if retry_after is not None:
            wait = max(retry_after, 0)
            if not wait <= self.retry_after:
                return None
        else:
            wait = self.backoff * 2.0 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
        return wait if elapsed + wait <= self.seconds else None


def doubling(attempt: int, first: timedelta, longest: timedelta) -> timedelta:
    """The pause after attempt number `attempt`: twice the one before, up to `longest`."""
    return min(first * 2.0 ** min(attempt - 1, 20), longest)
