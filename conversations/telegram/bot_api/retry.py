"""When a call to Telegram is made again, and after how long."""

import random
from dataclasses import dataclass

from conversations.telegram.bot_api.errors import TelegramFailed, TooMany, Unreachable


@dataclass(frozen=True, slots=True)
class Patience:
    """`flood`: seconds that a 429 may cost in all; beyond that the caller waits."""

    attempts: int = 3
    backoff: float = 0.5
    flood: float = 20


PATIENCE = Patience()
AT_ONCE = Patience(attempts=1, flood=0)
DEFAULT_RETRY_AFTER = 1.0


def pause(
    failure: TelegramFailed,
    patience: Patience,
    attempt: int,
    waited: float,
    *,
    repeatable: bool,
) -> float | None:
    """Seconds to wait after the failed attempt number `attempt`, None to give up."""
    match failure:
        case TooMany():
            wait = max(failure.retry_after or DEFAULT_RETRY_AFTER, 0)
            return wait if waited + wait <= patience.flood else None
        case Unreachable() if attempt < patience.attempts:
            if failure.maybe_done and not repeatable:
                return None
            return patience.backoff * 2.0 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
        case _:
            return None
