"""The errors of routes that ninja serves, as ApiErrors."""

from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder
from pydantic import ValidationError as InvalidValue

from conversations.api.openai.failures import as_api_errors
from conversations.refusals import LimitReached, NoRoomForText
from meddie.http.api_edge import (
    ApiError,
    BodyTooLarge,
    MethodNotAllowed,
    read_json_object,
)
from meddie.http.error_views import api_error_of, status_of
from meddie.moments import json_time
from people import api_keys
from people.api_keys import InvalidApiKey


class Problem(Schema):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    reason: str
    param: str | None = None


Render = Callable[[HttpRequest, ApiError], HttpResponse]
PLACES = {"body", "query", "new", "asked", "correction", "wish"}
"""Parts of ninja's names of fields that no client knows."""


class JsonParser(Parser):
    def parse_body(self, request: HttpRequest) -> Any:
        try:
            return read_json_object(request.body)
        except RequestDataTooBig as error:
            raise BodyTooLarge from error


class Encoder(NinjaJSONEncoder):
    def default(self, o: Any) -> Any:
        """Times to the microsecond, as other doors have them."""
        return json_time(o) if isinstance(o, datetime) else super().default(o)


class Renderer(JSONRenderer):
    encoder_class = Encoder


def handle_errors(api: NinjaAPI, render: Render) -> None:
    refusals = (ApiError, LimitReached, NoRoomForText)
    deleted = (ObjectDoesNotExist, DatabaseError)
    for kind in (*refusals, *deleted, HttpError, ValidationError, InvalidValue):
        api.add_exception_handler(kind, partial(_answer, render=render))


def _answer(request: HttpRequest, error: Any, *, render: Render) -> HttpResponse:
    return render(request, as_api_error(error))


def as_api_error(error: Exception) -> ApiError:
    match error:
        case ApiError():
            return error
        case LimitReached() | NoRoomForText():
            return _of_limit(error)
        case AuthenticationError():
            return InvalidApiKey()
        case HttpError():  # a body that is no JSON
            cause = error.__cause__
            return cause if isinstance(cause, ApiError) else ApiError(400, str(error))
        case ValidationError() | InvalidValue():
            return _invalid(error)
    if status_of(error) == 500:
        raise error
    return api_error_of(error)


def _of_limit(error: LimitReached | NoRoomForText) -> ApiError:
    try:
        with as_api_errors():
            raise error
    except ApiError as limit:
        return limit


def _invalid(error: ValidationError | InvalidValue) -> ApiError:
    if isinstance(error, ValidationError):
        first = error.errors[0]
    else:
        first = dict(error.errors(include_url=False, include_input=False)[0])
    place = [str(part) for part in first["loc"] if part not in PLACES]
    param = ".".join(place) or None
    text = f"{param or 'body'}: {first['msg'].removeprefix('Value error, ')}."
    return ApiError(422, text, code="invalid_value", param=param)


def _told(render: Render, request: HttpRequest, response: Any) -> Any:
    if response.status_code == 405:
        response = render(request, MethodNotAllowed(response.headers["Allow"]))
    auth = getattr(request, "auth", None)  # a key, or a caller with one
    if key := getattr(auth, "key", auth):
        for name, value in api_keys.limit_headers(key).items():
            response.headers[name] = value
    return response


def with_errors(
    render: Render,
    pattern: Any,
    check: Callable[[HttpRequest], None] = lambda _request: None,
) -> Any:
    """Let what `check` raises, and a method that an address has not, be errors like others.

    The answer tells how many calls the key has left.
    """
    view = pattern.callback

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> Any:
        try:
            check(request)
        except ApiError as error:
            return render(request, error)
        return _told(render, request, view(request, **parts))

    @wraps(view)
    async def answer_async(request: HttpRequest, **parts: Any) -> Any:
        try:
            check(request)
        except ApiError as error:
            return render(request, error)
        return _told(render, request, await view(request, **parts))

    pattern.callback = answer_async if iscoroutinefunction(view) else answer
    return pattern
