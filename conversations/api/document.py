"""The OpenAPI document of all addresses with a key, and the queries that it allows."""

import re
from copy import deepcopy
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _

from conversations.api import operators
from conversations.api.ingest import receive
from conversations.api.mem0 import routes as mem0
from conversations.api.memories import routes
from conversations.api.memories.reference import read_reference
from conversations.api.ninja_errors import with_errors
from meddie.http.api_edge import ApiError
from people.external_users import USER_ID

Json = dict[str, Any]
PREFIX = "/api/"
MODULES = (routes, mem0, operators, receive)
JSON, PROBLEM = "application/json", "application/problem+json"
OF_PROBLEMS = ("memories", "files", "ingest", "operators")
SECURITY: list[dict[str, list[str]]] = [{"BearerKey": []}]
TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
ANYTHING: Json = {"type": "object", "additionalProperties": True}
REFUSALS = tuple(map(HTTPStatus, (400, 401, 403, 404, 410, 413, 422, 429, 502, 503)))
OF_KEY = (
    ("header", USER_ID, "The user, with the key of a trusted proxy."),
    ("query", "user", "Another member, for staff."),
)


def _answer(description: str, schema: Json, *types: str) -> Json:
    content = {kind: {"schema": schema} for kind in types}
    return {"description": description, "content": content}


def _errors(name: str) -> Json:
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {
        str(status.value): _answer(status.phrase, schema, JSON) for status in REFUSALS
    }


def _text_object(**fields: Any) -> Json:
    return {"type": "object", "properties": fields, "required": [*fields]}


def _openai(name: str, summary: str, *required: str, **fields: Json) -> Json:
    """An operation of OpenAI's protocol, whose other fields are passed to the provider."""
    streams = "stream" in fields
    body = {"type": "object", "required": [*required], "properties": fields}
    content = {JSON: {"schema": body | {"additionalProperties": True}}}
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["openai"],
        **({"requestBody": {"content": content, "required": True}} if fields else {}),
        "responses": {
            "200": _answer("OK", ANYTHING, JSON, *(["text/event-stream"] * streams)),
            **_errors("OpenAIError"),
        },
    }


def _either(*items: Json) -> Json:
    """A text or a list."""
    return {"anyOf": [TEXT, *map(_several, items)]}


def _several(item: Json) -> Json:
    return {"type": "array", "items": item, "minItems": 1}


OPENAI = {
    "/v1/chat/completions": {
        "post": _openai(
            "chat",
            "Answer with what Meddie remembers.",
            "messages",
            model=TEXT,
            messages=_several(ANYTHING),
            stream={"type": ["boolean", "null"]},
        )
    },
    "/v1/responses": {
        "post": _openai(
            "respond",
            "The same in the form of OpenAI's Responses API.",
            "input",
            model=TEXT,
            input=_either(ANYTHING),
            stream={"type": ["boolean", "null"]},
        )
    },
    "/v1/embeddings": {
        "post": _openai(
            "embed",
            "Vectors of texts.",
            "input",
            model=TEXT,
            input=_either(TEXT, NUMBER, _several(NUMBER)),
        )
    },
    "/v1/models": {"get": _openai("list_models", "The models that answer.")},
    "/v1/models/{name}": {
        "get": _openai("show_model", "One model.")
        | {
            "parameters": [
                {"in": "path", "name": "name", "required": True, "schema": TEXT}
            ]
        }
    },
}


FORMS = {
    "OpenAIError": _text_object(
        error=_text_object(
            message=TEXT,
            type=TEXT,
            param={"type": ["string", "null"]},
            code={"type": ["string", "null"]},
        )
    ),
    "Mem0Error": _text_object(detail=TEXT, reason=TEXT),
}
"""Of errors, beside the problems of RFC 9457."""


@cache
def openapi_document() -> Json:
    """OpenAPI 3.1, without servers."""
    # A copy, of which two threads may each make one.
    document: Json = deepcopy(dict(routes.api.get_openapi_schema(path_prefix=PREFIX)))
    others: Json = deepcopy(dict(mem0.api.get_openapi_schema(path_prefix="/")))
    schemas = document["components"]["schemas"]
    for operation in _operations(document):
        if "security" in operation:
            _add_parameters(operation)
    for operation in _operations(others):
        operation["tags"] = ["mem0"]
        operation["responses"] = {
            "200": _answer("OK", {}, JSON),
            **_errors("Mem0Error"),
        }
    for name, schema in (others["components"]["schemas"] | FORMS).items():
        schemas.setdefault(name, schema)
    document["paths"] |= {**others["paths"], **OPENAI}
    for operation in _operations(document):
        _amend(operation, schemas)
    return document


def _operations(document: Json) -> list[Json]:
    return [
        operation
        for methods in document["paths"].values()
        for operation in methods.values()
    ]


def _add_parameters(operation: Json) -> None:
    """What the key's check reads beside the route."""
    parameters = operation.setdefault("parameters", [])
    there = {parameter["name"] for parameter in parameters}
    parameters += [
        {"in": place, "name": name, "description": text, "schema": TEXT}
        for place, name, text in OF_KEY
        if name not in there
    ]


def _amend(operation: Json, schemas: Json) -> None:
    for module in MODULES:
        prefix = module.__name__.replace(".", "_") + "_"
        operation["operationId"] = operation["operationId"].removeprefix(prefix)
    operation["security"] = SECURITY
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    schemas.update(body.get("schema", {}).pop("$defs", {}))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if int(status) >= 400 and operation["tags"][0] in OF_PROBLEMS:
            content[PROBLEM] = content.pop(JSON)


def show_document(request: HttpRequest) -> JsonResponse:
    server = request.build_absolute_uri("/").rstrip("/")
    return JsonResponse(openapi_document() | {"servers": [{"url": server}]})


def show_reference(request: HttpRequest) -> HttpResponse:
    """The page with the schema."""
    context = read_reference(openapi_document(), PREFIX)
    return render(request, "conversations/api/reference.html", context)


def _check_query(request: HttpRequest, *, address: str) -> None:
    """Raises ApiError for a parameter that the document does not have."""
    operations = openapi_document()["paths"].get(address, {})
    operation = operations.get((request.method or "").lower())
    if operation is None:
        return
    parameters = operation.get("parameters", ())
    known = {p["name"] for p in parameters if p["in"] == "query"}
    for name in request.GET:
        if name not in known:
            text = _("%(name)s: There is no such parameter.") % {"name": name[:100]}
            raise ApiError(422, text, code="invalid_value", param=name[:100])


def _with_known_query(pattern: Any) -> Any:
    address = PREFIX + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
    check = partial(_check_query, address=address)
    return with_errors(routes.as_problem, pattern, check)


urlpatterns = [
    path("docs", show_reference, name="reference"),
    path("openapi.json", show_document, name="document"),
    *map(_with_known_query, routes.api.urls[0]),
]
