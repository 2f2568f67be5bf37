"""Failures of services, and pauses between attempts."""

import random
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds, except `attempts`."""

    attempts: int = 3
    seconds: float = 20
    retry_after: float = 10
    backoff: float = 0.5

    def pause(
        self, attempt: int, elapsed: float, retry_after: float | None = None
    ) -> float | None:
        """Seconds to wait, doubling with a random spread; None to give up."""
        if attempt >= self.attempts:
            return None
        if retry_after is not None:
            wait = max(retry_after, 0)
            if not wait <= self.retry_after:
                return None
        else:
            wait = self.backoff * 2.0 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
        return wait if elapsed + wait <= self.seconds else None


class Failure(Exception):
    """A call of a service failed. The text may be logged: it has no words of users."""

    code: ClassVar[str]
    permanent: ClassVar[bool] = False

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(detail or self.code)
        self.retry_after = retry_after
