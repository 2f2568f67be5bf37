"""The OpenAPI document of all addresses with a key, and the queries that it allows."""

import re
from functools import cache, partial
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
SECURITY: list[dict[str, list[str]]] = [{"BearerKey": []}]
TEXT: Json = {"type": "string"}
ANYTHING: Json = {"type": "object", "additionalProperties": True}
OF_KEY = (
    ("header", USER_ID, "The user, with the key of a trusted proxy."),
    ("query", "user", "Another member, for staff."),
)


def _openai(name: str, summary: str, *required: str, **fields: Json) -> Json:
    """An operation of OpenAI's protocol, whose other fields are passed to the provider."""
    body = {"type": "object", "required": [*required], "properties": fields}
    content = {JSON: {"schema": body | {"additionalProperties": True}}}
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["openai"],
        **({"requestBody": {"content": content, "required": True}} if fields else {}),
        "responses": {
            "200": {"description": "OK", "content": {JSON: {"schema": ANYTHING}}}
        },
    }


def _either(item: Json) -> Json:
    """A text or a list."""
    return {"anyOf": [TEXT, {"type": "array", "items": item}]}


OPENAI = {
    "/v1/chat/completions": {
        "post": _openai(
            "chat",
            "Answer with what Meddie remembers.",
            "messages",
            model=TEXT,
            messages={"type": "array", "items": ANYTHING},
            stream={"type": "boolean"},
        )
    },
    "/v1/responses": {
        "post": _openai(
            "respond",
            "The same in the form of OpenAI's Responses API.",
            "input",
            model=TEXT,
            input=_either(ANYTHING),
            stream={"type": "boolean"},
        )
    },
    "/v1/embeddings": {
        "post": _openai(
            "embed",
            "Vectors of texts.",
            "input",
            model=TEXT,
            input=_either(TEXT),
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


@cache
def openapi_document() -> Json:
    """OpenAPI 3.1, without servers."""
    document: Json = dict(routes.api.get_openapi_schema(path_prefix=PREFIX))
    others: Json = mem0.api.get_openapi_schema(path_prefix="/")
    schemas = document["components"]["schemas"]
    for methods in document["paths"].values():
        for operation in methods.values():
            if "security" in operation:
                _add_parameters(operation)
    for name, schema in others["components"]["schemas"].items():
        schemas.setdefault(name, schema)
    document["paths"] |= {**others["paths"], **OPENAI}
    for methods in document["paths"].values():
        for operation in methods.values():
            _amend(operation, schemas)
    return document


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
    operation.setdefault("security", SECURITY)
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    schemas.update(body.get("schema", {}).pop("$defs", {}))
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if int(status) >= 400 and JSON in content:
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
