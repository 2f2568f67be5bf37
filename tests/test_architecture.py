"""The house stays in order: arrows point downwards, and no room is called "utils"."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).parent.parent
APPS = ("meddie", "people", "memory", "conversations")
BELOW = {
    "people": {"people", "auth"},
    "memory": {"memory", "people"},
    "conversations": {"conversations", "memory", "people"},
}
THE_ONE_EXCEPTION = "memory.Memory.source_message"
SOURCES = [
    path
    for app in APPS
    for path in sorted((ROOT / app).rglob("*.py"))
    if "migrations" not in path.parts
]


def names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)
    }


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_relations_point_downwards_but_for_the_one_exception():
    upward = [
        str(field)
        for app, allowed in BELOW.items()
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.related_model and not field.auto_created
        if field.related_model._meta.app_label not in allowed
    ]
    assert upward == [THE_ONE_EXCEPTION]


def test_every_constraint_and_index_of_ours_has_a_name_of_its_own():
    given = [
        (model._meta.db_table, thing.name)
        for app in BELOW
        for model in apps.get_app_config(app).get_models()
        for thing in [*model._meta.constraints, *model._meta.indexes]
    ]
    assert all(name and not name.startswith("%") for _, name in given)
    assert len({name for _, name in given}) == len(given)


def test_no_module_is_a_drawer_for_everything():
    drawers = {"utils", "helpers", "common", "misc", "manager", "base"}
    assert [label(p) for p in SOURCES if p.stem in drawers] == []


def test_only_the_streams_module_makes_streaming_responses():
    users = [label(p) for p in SOURCES if "StreamingHttpResponse" in names(p)]
    assert users == ["conversations/web/streams.py"]


def test_only_the_settings_read_the_environment_of_the_application():
    readers = [
        label(path)
        for path in SOURCES
        if {"environ", "getenv"} & names(path)
        if not label(path).startswith("meddie/embedded/")
    ]
    # They say which settings are meant, and read nothing.
    entrances = {"meddie/__init__.py", "meddie/asgi.py", "meddie/celery.py"}
    allowed = {"meddie/settings.py", *entrances}
    assert set(readers) <= allowed


def test_no_signal_steers_the_flow():
    receivers = [
        label(p) for p in SOURCES if {"receiver", "post_save", "pre_save"} & names(p)
    ]
    assert receivers == []


@pytest.mark.parametrize("app", ["people", "memory", "conversations"])
def test_no_view_fetches_a_row_by_its_bare_key(app):
    edges = [p for p in SOURCES if "views" in p.parts or p.stem == "views"]
    bare = re.compile(r"\.objects\s*\.get\(\s*(pk|id)=")
    assert [
        label(p) for p in edges if app in p.parts and bare.search(p.read_text())
    ] == []


def test_the_settings_stay_one_short_file():
    assert len((ROOT / "meddie/settings.py").read_text().splitlines()) <= 250


def test_no_module_grows_past_three_hundred_lines():
    long = {
        label(p): n for p in SOURCES if (n := len(p.read_text().splitlines())) > 300
    }
    assert long == {}


def test_templates_and_scripts_hold_no_inline_code():
    inline = re.compile(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", re.I)
    bad = [
        label(path)
        for path in (ROOT / "templates").rglob("*.html")
        if inline.search(path.read_text())
    ]
    assert bad == []
