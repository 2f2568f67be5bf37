"""The edge of every API: methods and errors.

Errors under /v1/ have the shape of OpenAI's protocol, others are problem details
(RFC 9457).
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from meddie.text import REPLACEMENT

PREFIXES = ("/v1/", "/v2/", "/v3/", "/api/", "/mcp/")
TYPES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}
# A pair of escapes, any other escape, or half of a character: as an escape, or as the
# beginning of its bytes in UTF-8.
CHARACTERS = re.compile(
    rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
    rb"|\xed[\xa0-\xbf][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]?(?![\x80-\xbf]))|\\.",
    re.DOTALL,
)
View = Callable[..., Any]


class ApiError(Exception):
    """`about` may have a code and a param."""

    def __init__(
        self,
        status: int,
        message: str | Promise,
        headers: Mapping[str, str] | None = None,
        **about: str | None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.about = about

    def json(self) -> dict[str, Any]:
        status = self.status
        kind = "server_error" if status >= 500 else "invalid_request_error"
        error = {"message": str(self.message), "type": TYPES.get(status, kind)}
        return {"error": {**error, "param": None, "code": None, **self.about}}

    @property
    def reason(self) -> str:
        return self.about.get("code") or HTTPStatus(self.status).phrase.lower().replace(
            " ", "_"
        )

    def problem(self) -> dict[str, Any]:
        """The same as problem details."""
        param = self.about.get("param")
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": str(self.message),
            "reason": self.reason,
            **({"param": param} if param else {}),
        }

    def body(self, path: str) -> tuple[str, bytes]:
        """The content type and the body, as clients of the address expect them."""
        if f"{path}/".startswith("/v1/"):
            return "application/json", json.dumps(self.json()).encode()
        return "application/problem+json", json.dumps(self.problem()).encode()

    def response(self, path: str) -> HttpResponse:
        content_type, body = self.body(path)
        return HttpResponse(
            body,
            status=self.status,
            content_type=content_type,
            headers=dict(self.headers),
        )


class MethodNotAllowed(ApiError):
    def __init__(self, method: str) -> None:
        text = _("Use %(method)s here.") % {"method": method}
        super().__init__(405, text, {"Allow": method}, code="method_not_allowed")


def is_api(path: str) -> bool:
    return f"{path}/".startswith(PREFIXES)


def api_view(method: str) -> Callable[[View], View]:
    """Require the method, and answer ApiErrors. Keys are the only way in."""

    def check(request: HttpRequest) -> None:
        if request.method != method:
            raise MethodNotAllowed(method)

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **named: Any) -> Any:
            try:
                check(request)
                return view(request, **named)
            except ApiError as error:
                return error.response(request.path)

        @wraps(view)
        async def answer_async(request: HttpRequest, **named: Any) -> Any:
            try:
                check(request)
                return await view(request, **named)
            except ApiError as error:
                return error.response(request.path)

        return csrf_exempt(answer_async if iscoroutinefunction(view) else answer)

    return decorate


def with_whole_characters(raw: bytes) -> bytes:
    """JSON with U+FFFD for each half of an emoji, which clients that cut texts send."""
    replacement = REPLACEMENT.encode()
    return CHARACTERS.sub(lambda found: replacement if found["half"] else found[0], raw)


def read_json(raw: bytes) -> Any:
    """Finite numbers, and text that can be stored. Raises ApiError."""
    try:
        body = json.loads(
            with_whole_characters(raw).decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise ApiError(
            400, _("The body of the request is not valid JSON."), code="invalid_json"
        ) from error
    return body


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    """JSON cannot say the infinity that 1e999 becomes."""
    number = float(digits)
    if math.isinf(number):
        _refuse_constant(digits)
    return number
