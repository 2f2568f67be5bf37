"""The edge of every API: methods and errors, in the form that its clients read."""

import json
from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import wraps
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from meddie.bounded_json import MOST_VALUES, TooMuch, parse_json


class Form(Enum):
    """Of errors."""

    OPENAI = auto()
    MEM0 = auto()
    PROBLEM = auto()  # RFC 9457


API_PREFIXES = (
    *("/v1/", "/v2/", "/v3/", "/api/", "/mcp/"),
    *("/.well-known/", "/register/", "/token/", "/revoke/"),
)
MEM0_PREFIXES = ("/v2/", "/v3/")
TYPES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}
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

    def detailed(self) -> dict[str, Any]:
        """The same for mem0's clients."""
        return {"detail": str(self.message), "reason": self.reason}

    def body(self, form: Form) -> tuple[str, bytes]:
        """The content type and the body."""
        match form:
            case Form.OPENAI:
                return "application/json", json.dumps(self.json()).encode()
            case Form.MEM0:
                return "application/json", json.dumps(self.detailed()).encode()
        return "application/problem+json", json.dumps(self.problem()).encode()

    def response(self, form: Form) -> HttpResponse:
        content_type, body = self.body(form)
        return HttpResponse(
            body,
            status=self.status,
            content_type=content_type,
            headers=dict(self.headers),
        )


class BodyTooLarge(ApiError):
    def __init__(self) -> None:
        text = _("The body of the request is too large, or has too many values.")
        super().__init__(413, text, code="request_entity_too_large")


class MethodNotAllowed(ApiError):
    def __init__(self, method: str) -> None:
        text = _("Use %(method)s here.") % {"method": method}
        super().__init__(405, text, {"Allow": method}, code="method_not_allowed")


def is_api(path: str) -> bool:
    return f"{path}/".startswith(API_PREFIXES)


def form_of(path: str, authorization: str) -> Form:
    """As the door of an address answers; mem0's clients send a scheme of their own."""
    path = f"{path}/"
    if path.startswith(MEM0_PREFIXES) or authorization.startswith("Token "):
        return Form.MEM0
    return Form.OPENAI if path.startswith("/v1/") else Form.PROBLEM


def answer_error(error: ApiError, request: HttpRequest) -> HttpResponse:
    """For who knows no more of a request than its address."""
    authorization = request.headers.get("Authorization", "")
    return error.response(form_of(request.path, authorization))


def api_view(*methods: str) -> Callable[[View], View]:
    """Require a method, and answer ApiErrors. Keys are the only way in."""

    def check(request: HttpRequest) -> None:
        if request.method not in methods:
            raise MethodNotAllowed(", ".join(methods))

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **named: Any) -> Any:
            try:
                check(request)
                return view(request, **named)
            except ApiError as error:
                return answer_error(error, request)

        @wraps(view)
        async def answer_async(request: HttpRequest, **named: Any) -> Any:
            try:
                check(request)
                return await view(request, **named)
            except ApiError as error:
                return answer_error(error, request)

        return csrf_exempt(answer_async if iscoroutinefunction(view) else answer)

    return decorate


def read_json_object(raw: bytes, most_values: int = MOST_VALUES) -> dict[str, Any]:
    """Raises ApiError."""
    found = read_json(raw, most_values)
    if not isinstance(found, dict):
        text = _("The body of the request must be a JSON object.")
        raise ApiError(400, text, code="invalid_json")
    return found


def read_json(raw: bytes, most_values: int = MOST_VALUES) -> Any:
    """Finite numbers, and text that can be stored. Raises ApiError."""
    try:
        return parse_json(raw, most_values)
    except TooMuch as error:
        raise BodyTooLarge from error
    except (ValueError, RecursionError) as error:
        raise ApiError(
            400, _("The body of the request is not valid JSON."), code="invalid_json"
        ) from error
