"""The page of requirements is whole, and the tests' marks mean something."""

import tomllib

import pytest

from tests.requirements import (
    PAGE,
    ROOT,
    TESTS,
    Mark,
    Row,
    list_problems,
    mark_problems,
    marks,
    page_problems,
    promise_problems,
    rows,
    table,
)

FILE = """
import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.req("S0-01")]


@pytest.mark.req("S0-02", "B-01")
def test_one(): ...


@pytest.mark.req("S0-03")
class TestTwo:
    pytestmark = pytest.mark.req("S0-04")

    @pytest.mark.req("S0-05")
    async def test_three(self): ...


@pytest.mark.parametrize(
    "x", [pytest.param(1, marks=pytest.mark.req("S0-06")), 2]
)
def test_four(x): ...


@pytest.mark.req(NAME)
def test_five(): ...
"""


def test_every_row_of_the_specification_has_its_line():
    page = rows(PAGE.read_text())
    assert list(page_problems(page)) == []
    assert sum(row.id.startswith("S") for row in page) == 293


def test_the_marks_name_known_rows():
    assert list(mark_problems(marks(TESTS))) == []


def test_marks_are_found_in_every_place_that_pytest_allows(tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_it.py").write_text(FILE)
    assert {(mark.id, mark.test) for mark in marks(folder)} == {
        ("S0-01", "tests/test_it.py"),
        ("S0-02", "tests/test_it.py::test_one"),
        ("B-01", "tests/test_it.py::test_one"),
        ("S0-03", "tests/test_it.py::TestTwo"),
        ("S0-04", "tests/test_it.py::TestTwo"),
        ("S0-05", "tests/test_it.py::TestTwo::test_three"),
        ("S0-06", "tests/test_it.py::test_four"),
        (None, "tests/test_it.py::test_five"),
    }


def test_marks_of_nothing_are_problems():
    found = [Mark("S0-99", "a"), Mark(None, "b"), Mark("S0-01", "c")]
    assert list(mark_problems(found)) == [
        "a names S0-99, which is no requirement.",
        "b has a mark that is no plain string.",
    ]


def test_a_page_with_gaps_is_a_problem():
    page = rows(PAGE.read_text())
    broken = [*page[1:], page[5], Row("S9-01", "done", ())]
    assert list(page_problems(broken)) == [
        "S0-01 has no row in docs/requirements.md.",
        "S9-01 has a row in docs/requirements.md but is no requirement.",
        f"{page[5].id} has 2 rows in docs/requirements.md.",
        "S9-01 is done, which is no status.",
    ]


def test_weak_and_bent_rows_are_listed_at_the_end():
    page = PAGE.read_text()
    assert list(list_problems(page)) == []
    assert len(list(list_problems(page.replace("S0-14, ", "", 1)))) == 1
    assert len(list(list_problems(page.replace("Bent: ", "", 1)))) == 1


def test_a_built_row_needs_a_test_and_existing_files():
    page = [
        Row("S0-01", "built", ("people/scope.py",)),
        Row("S0-02", "built", ("people/nowhere.py",)),
        Row("S0-03", "planned", ("people/nowhere.py",)),
        Row("S0-04", "explained", ("people/nowhere.py",)),
    ]
    assert list(promise_problems(page, ["S0-01"])) == [
        "S0-02 is built, but no test is marked with it.",
        "S0-02 is said to be in people/nowhere.py, which does not exist.",
    ]


def test_the_table_shows_each_row_with_its_tests():
    page = [Row("S0-01", "built", ()), Row("S0-02", "planned", ())]
    found = [Mark("S0-01", "b"), Mark("S0-01", "a"), Mark("S0-01", "a")]
    assert list(table(page, found)) == [
        "S0-01  built      a",
        "                  b",
        "S0-02  planned    -",
    ]


@pytest.mark.req("S1-57")
def test_every_app_is_held_to_the_coverage_of_branches():
    """`make coverage` fails below it."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]
    apps = {path.parent.name for path in ROOT.glob("*/apps.py")}
    assert apps <= set(options["run"]["source"])
    assert options["run"]["branch"]
    assert options["report"]["fail_under"] >= 95
