"""Errors of the API, in the shape of OpenAI's protocol."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse

PREFIXES = ("/v1/", "/api/")
TYPES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


def is_api(path: str) -> bool:
    return f"{path}/".startswith(PREFIXES)


def error_object(
    status: int, message: str, *, code: str | None = None, param: str | None = None
) -> dict[str, Any]:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    kind = TYPES.get(status, kind)
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def error_body(status: int, message: str, **about: str | None) -> bytes:
    return json.dumps(error_object(status, message, **about)).encode()


def error_response(
    status: int,
    message: str,
    *,
    headers: Mapping[str, str] | None = None,
    **about: str | None,
) -> HttpResponse:
    return HttpResponse(
        error_body(status, message, **about),
        status=status,
        content_type="application/json",
        headers=dict(headers or {}),
    )
