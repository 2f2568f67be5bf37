"""When to try again, and after how long."""

import random
from dataclasses import dataclass

from meddie.ai.errors import AIError


@dataclass(frozen=True)
class Patience:
    """No attempt begins after `seconds`; a longer Retry-After is not waited for."""

    attempts: int = 3
    seconds: float = 20
    retry_after: float = 10
    backoff: float = 0.5


def pause(
    error: AIError, attempt: int, elapsed: float, patience: Patience
) -> float | None:
    """Seconds to wait after the failed attempt number `attempt`, None to give up."""
    if error.permanent or attempt >= patience.attempts:
        return None
    if error.retry_after is not None:
        wait = max(error.retry_after, 0)
        return wait if wait <= patience.retry_after else None
    wait = patience.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
    return wait if elapsed + wait <= patience.seconds else None
