"""The OpenAPI document is a contract: programs generate clients from it."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from conversations.api.document import openapi_document

METHODS = {"get", "post", "put", "patch", "delete"}
LONGEST_ID = 20


@pytest.fixture
def document():
    answer = Client().get("/api/openapi.json", HTTP_HOST="127.0.0.1:8000")
    assert answer.status_code == 200
    return answer.json()


def refs(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        for value in part.values():
            yield from refs(value)
    if isinstance(part, list):
        for value in part:
            yield from refs(value)


def operations(document):
    return {
        f"{method} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_every_reference_resolves(document):
    found = set(refs(document))
    assert "#/components/schemas/Author" in found
    for ref in found:
        place: Any = document
        for part in ref.removeprefix("#/").split("/"):
            place = place[part]


def test_operations_have_short_names_of_their_own(document):
    names = [operation["operationId"] for operation in operations(document).values()]
    assert len(set(names)) == len(names) > 25
    assert [name for name in names if len(name) > LONGEST_ID] == []


def test_every_parameter_of_a_path_is_described(document):
    for address, operation in operations(document).items():
        told = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"}
        named = {part[1:-1] for part in address.split("/") if part.startswith("{")}
        assert told == named, address


def test_errors_are_problems(document):
    of_api = {
        address: operation
        for address, operation in operations(document).items()
        if " /api/" in address
    }
    for address, operation in of_api.items():
        answers = operation["responses"].items()
        errors = {status: answer for status, answer in answers if int(status) >= 400}
        assert {"401", "422", "429"} <= set(errors), address
        kinds = {kind for answer in errors.values() for kind in answer["content"]}
        assert kinds == {"application/problem+json"}, address


def test_server_key_and_header_of_proxies_are_told(document):
    assert document["servers"] == [{"url": "http://127.0.0.1:8000"}]
    assert document["components"]["securitySchemes"]["BearerKey"]["scheme"] == "bearer"
    listing = document["paths"]["/api/memories"]["get"]
    assert "X-OpenWebUI-User-Id" in {one["name"] for one in listing["parameters"]}


def test_addresses_of_other_protocols_have_their_bodies(document):
    for address in (
        *("/v1/chat/completions", "/v1/responses", "/v1/embeddings"),
        *("/v3/memories/add/", "/api/ingest"),
    ):
        content = document["paths"][address]["post"]["requestBody"]["content"]
        assert content["application/json"]["schema"], address


def test_threads_that_ask_at_once_get_the_same_document(document):
    uncached = openapi_document.__wrapped__
    assert uncached() == uncached() == openapi_document()
    assert openapi_document()["paths"].keys() == document["paths"].keys()


def test_answers_and_errors_of_other_protocols_are_described(document):
    for address, operation in operations(document).items():
        kinds = {
            status: one["content"] for status, one in operation["responses"].items()
        }
        assert all(kinds.values()), address
        assert "429" in kinds, address
    chat = document["paths"]["/v1/chat/completions"]["post"]["responses"]["200"]
    assert set(chat["content"]) == {"application/json", "text/event-stream"}
