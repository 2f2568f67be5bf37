"""The failures of a call, as errors of OpenAI's protocol."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
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
from meddie.api_errors import error_object, error_response
from people.api_keys import InvalidApiKey, TooManyCalls
from people.external_users import BadIdentity
from people.scope import NotAMember

DAY = 24 * 3600
RETRY_LATER = "5"  # seconds


class ApiError(Exception):
    """`about` may have a code and a param."""

    def __init__(
        self,
        status: int,
        message: str,
        headers: Mapping[str, str] | None = None,
        **about: str | None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.about = about

    def json(self) -> dict[str, Any]:
        return error_object(self.status, self.message, **self.about)

    def response(self) -> HttpResponse:
        return error_response(
            self.status, self.message, headers=self.headers, **self.about
        )


OF_CALLER = (InvalidApiKey, BadIdentity, NotAMember)
OF_LIMIT = (TooManyCalls, LimitReached)
CAUGHT = (ApiError, AIError, *OF_CALLER, *OF_LIMIT)


def api_error(error: Exception) -> ApiError:
    """The error to answer with for one of CAUGHT."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, AIError):
        return _of_provider(error)
    return _of_caller(error) if isinstance(error, OF_CALLER) else _of_limit(error)


def _of_caller(error: Exception) -> ApiError:
    if isinstance(error, BadIdentity):
        return ApiError(401, str(error), code="invalid_user")
    if isinstance(error, NotAMember):
        text = _("The user is not a member of the space.")
        return ApiError(403, text, code="not_a_member")
    return ApiError(401, _("This API key is not valid."), code="invalid_api_key")


def _of_limit(error: Exception) -> ApiError:
    if isinstance(error, TooManyCalls):
        text = _("This API key has reached its limit of calls per minute.")
        after = {"Retry-After": str(error.retry_after)}
        return ApiError(429, text, after, code="rate_limit_exceeded")
    after = {"Retry-After": str(_until_midnight()), "X-Should-Retry": "false"}
    return ApiError(429, str(error), after, code="daily_limit_reached")


def _of_provider(error: AIError) -> ApiError:
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


def _until_midnight() -> int:
    now = timezone.now()
    return DAY - (now.hour * 3600 + now.minute * 60 + now.second)
