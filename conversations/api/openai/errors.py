"""The failures of a call, as errors of OpenAI's protocol."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import user_texts
from conversations.refusals import LimitReached
from meddie.ai.errors import (
    AIError,
    NoQuota,
    ProviderDown,
    RateLimited,
    Refused,
    TimedOut,
)
from meddie.http.api import ApiError
from people.scope import NotAMember

DAY = 24 * 3600
RETRY_LATER = "5"  # seconds


@contextmanager
def as_api_errors() -> Iterator[None]:
    """Replace the failures of a call by the errors to answer with."""
    try:
        yield
    except AIError as error:
        raise api_error(error) from error
    except NotAMember as error:
        text = _("The user is not a member of the space.")
        raise ApiError(403, text, code="not_a_member") from error
    except LimitReached as error:
        now = timezone.now()
        left = DAY - (now.hour * 3600 + now.minute * 60 + now.second)
        after = {"Retry-After": str(left), "X-Should-Retry": "false"}
        raise ApiError(429, str(error), after, code="daily_limit_reached") from error


def api_error(error: AIError) -> ApiError:
    text = str(user_texts.about_reply("failed", error.code))
    match error:
        case Refused():
            return _as_refused(error, text)
        case RateLimited() | NoQuota():
            seconds = error.retry_after
            after = {"Retry-After": RETRY_LATER if seconds is None else f"{seconds:g}"}
            return ApiError(429, text, after, code=error.code)
        case ProviderDown() | TimedOut():
            return ApiError(503, text, {"Retry-After": RETRY_LATER}, code=error.code)
        case _:
            return ApiError(502, text, code=error.code)


def _as_refused(error: Refused, text: str) -> ApiError:
    """With the provider's own words: the client's request is at fault."""
    said = {n: v for n, v in error.said.items() if isinstance(v, str)}
    return ApiError(
        error.status,
        said.get("message", text),
        code=said.get("code", error.code),
        param=said.get("param"),
    )
