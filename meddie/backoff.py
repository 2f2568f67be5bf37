"""Pauses between attempts."""

import random
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits for repeating a call. All but `attempts` are seconds: until the last
    attempt begins, the longest Retry-After, and the first pause."""

    attempts: int = 3
    seconds: float = 20
    retry_after: float = 10
    backoff: float = 0.5

    def pause(
        self, attempt: int, elapsed: float, retry_after: float | None = None
    ) -> float | None:
        """Seconds to wait after a failed attempt (1, 2, …), None to give up.

        Without a Retry-After the pause doubles, with a random spread.
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
    """The pause after an attempt (1, 2, …), doubled each time up to `longest`."""
    return min(first * 2.0 ** min(attempt - 1, 20), longest)
