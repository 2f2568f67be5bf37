"""Failures of a call as the errors that its client gets."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from conversations import user_texts
from conversations.limits import daily_messages
from conversations.refusals import LimitReached, NoRoomForText
from meddie.ai.errors import (
    AIError,
    NoQuota,
    ProviderDown,
    RateLimited,
    Refused,
    TimedOut,
)
from meddie.http.api_edge import ApiError
from meddie.http.error_views import api_error_of
from meddie.http.headers import rate_limit
from meddie.outages import refers_to_deleted
from people.throttling import DAY_SECONDS

RETRY_LATER = "5"  # seconds


@contextmanager
def as_api_errors() -> Iterator[None]:
    """Replace the failures of a call by the errors to answer with."""
    try:
        yield
    except AIError as error:
        raise api_error(error) from error
    except NoRoomForText as error:
        raise ApiError(error.status, str(error), code="no_room") from error
    except LimitReached as error:
        now = timezone.now()
        left = DAY_SECONDS - (now.hour * 3600 + now.minute * 60 + now.second)
        after = {"Retry-After": str(left), "X-Should-Retry": "false"}
        after |= rate_limit("messages", daily_messages(), DAY_SECONDS, 0, left)
        raise ApiError(429, str(error), after, code="daily_limit_reached") from error
    except Exception as error:
        if refers_to_deleted(error):
            raise api_error_of(error) from error
        raise


def api_error(error: AIError) -> ApiError:
    """A refusal has the provider's own words: the client's request is at fault."""
    text = str(user_texts.about_reply("failed", error.code))
    said = {n: v for n, v in error.said.items() if isinstance(v, str)}
    text, code = said.get("message", text), said.get("code", error.code)
    match error:
        case Refused():
            return ApiError(error.status, text, code=code, param=said.get("param"))
        case RateLimited() | NoQuota():
            seconds = error.retry_after
            after = {"Retry-After": RETRY_LATER if seconds is None else f"{seconds:g}"}
            return ApiError(429, text, after, code=code)
        case ProviderDown() | TimedOut():
            return ApiError(503, text, {"Retry-After": RETRY_LATER}, code=code)
        case _:
            return ApiError(502, text, code=code)
