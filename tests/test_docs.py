"""Documentation is a contract: what a reader may use has its place in docs/."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from asgiref.sync import async_to_sync
from django.urls import URLPattern, URLResolver, get_resolver

from conversations.api.ingest import schema as ingest
from conversations.api.mcp.server import server as mcp_server
from conversations.api.mem0 import schema as mem0
from conversations.api.openai import schema as openai
from meddie.variables import SECTIONS
from tests.pages import ROOT, TABLES, rendered
from tests.test_architecture import SOURCES

VARIABLES = {one.name for section in SECTIONS for one in section.variables}
DOCS = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
TOP_LEVEL_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
NOT_FOR_DEPLOYMENTS = {"DJANGO_SETTINGS_MODULE", "OPENBLAS_NUM_THREADS"}


def read_names(source: str) -> set[str]:
    """The variables that a module reads: `environ.get("X")`, `env.int("X")`, `read(…)`."""
    names = set()
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            called = ast.unparse(call.func)
            if called.split(".")[0] in {"os", "env"} or called.endswith(".read"):
                texts = [
                    ast.literal_eval(a)
                    for a in call.args
                    if isinstance(a, ast.Constant)
                ]
                names.update(
                    [t for t in texts if isinstance(t, str) and t.isupper()][:1]
                )
    return names


def test_every_variable_that_is_read_is_declared():
    found = {name for path in SOURCES for name in read_names(path.read_text())}
    assert {"MEDDIE_DATA", "ENV_FILE", "NO_COLOR", "CHAT_MODEL"} <= found
    assert found - VARIABLES - NOT_FOR_DEPLOYMENTS == set()


def test_no_variable_is_declared_twice():
    assert len(VARIABLES) == sum(len(section.variables) for section in SECTIONS)


@pytest.mark.parametrize("name", TABLES)
def test_each_table_is_in_one_page_and_a_stale_one_is_found(name: str):
    mark = f"<!-- table of {name}, by `make docs` -->\n"
    pages = [
        page
        for path in (ROOT / "docs").glob("*.md")
        if mark in (page := path.read_text())
    ]
    assert len(pages) == 1
    assert rendered(pages[0]) == pages[0]
    stale = pages[0].replace(mark, f"{mark}| old |\n")
    assert rendered(stale) == pages[0]


def addresses(patterns: list[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every address outside of the admin, with its view."""
    for one in patterns:
        here = f"{path}{one.pattern}"
        if isinstance(one, URLPattern):
            yield here, one.callback
        elif isinstance(one, URLResolver) and one.app_name != "admin":
            yield from addresses(one.url_patterns, here)


def test_every_address_for_programs_has_its_place():
    """Pages have the protection against forged requests, or are links in others."""
    text = DOCS.replace("$MEDDIE", "")
    found = {
        f"/{path}"
        for path, view in addresses(get_resolver().url_patterns)
        if view.__module__.startswith(("conversations.api", "ninja", "meddie"))
        or getattr(view, "csrf_exempt", False)
    }
    assert {"/v1/chat/completions", "/api/memories", "/readyz"} <= found
    assert found == {path for path in found if named(path, text)}


def named(path: str, text: str) -> bool:
    """Whether a page has the address, with any words for its parameters."""
    parts = re.split(r"<[^>]+>", path)
    return bool(re.search(r"\{\w+\}".join(map(re.escape, parts)) + r"(?![\w/])", text))


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("api.md", {*ingest.Document.model_fields, *ingest.Author.model_fields}),
        ("api.md", {*openai.OWN_FIELDS, openai.INCLUDE_MEMORIES}),
        ("api.md", {openai.CHAT_ID, openai.TASK}),
        ("mem0.md", {*mem0.AddCall.model_fields, *mem0.SearchCall.model_fields}),
        ("mem0.md", {*mem0.UpdateCall.model_fields, *mem0.Paging.model_fields}),
    ],
)
def test_every_field_of_a_request_has_its_place(page: str, names: set[str]):
    text = (ROOT / "docs" / page).read_text()
    assert {
        name for name in names if not re.search(rf"`[^`]*\b{name}\b", text)
    } == set()


def test_every_tool_of_a_model_has_its_place():
    text = (ROOT / "docs" / "mcp.md").read_text()
    tools = {tool.name for tool in async_to_sync(mcp_server.list_tools)()}
    assert {name for name in tools if f"`{name}`" not in text} == set()


def test_every_reason_of_an_error_has_its_place():
    codes = {
        word.value.value
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        for word in call.keywords
        if word.arg == "code" and isinstance(word.value, ast.Constant)
    }
    assert {"invalid_json", "user_required"} <= codes
    text = "".join(
        (ROOT / "docs" / name).read_text() for name in ("api.md", "rest.md", "mem0.md")
    )
    assert {code for code in codes if f"`{code}`" not in text} == set()


def test_recipes_of_clients_can_be_read_and_name_addresses_that_are_there():
    page = (ROOT / "docs/clients.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    readers = {
        "yaml": yaml.safe_load,
        "json": json.loads,
        "python": lambda code: compile(code, "page", "exec", TOP_LEVEL_AWAIT),
    }
    for kind, code in blocks:
        assert kind == "ts" or readers[kind](code), code
    assert {kind for kind, _ in blocks} == {*readers, "ts"}
    named = {path for path in re.findall(r"meddie\.example(/[\w/]*)", page) if path}
    assert named == {"/v1", "/mcp"}
    there = {f"/{path}" for path, _ in addresses(get_resolver().url_patterns)}
    assert {"/mcp", "/v1/chat/completions", "/v1/responses"} <= there
