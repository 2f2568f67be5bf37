"""Documentation is a contract: what a reader may use has its place in docs/."""

import ast

import pytest

from meddie.environment import SECTIONS
from tests.pages import ROOT, TABLES, rendered
from tests.test_architecture import SOURCES

VARIABLES = {one.name for section in SECTIONS for one in section.variables}
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
