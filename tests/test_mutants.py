"""The list of mutants fits the code, and the judge of them can be believed."""

from pathlib import Path
from queue import Queue

import pytest

from tests import mutants
from tests.mutants import (
    LIST,
    ROOT,
    Mutant,
    broken,
    judge,
    lines_changed,
    problems,
    run_tests,
)

CODE = "def positive(number):\n    return number > 0\n"
TEST = "from code_here import positive\n\n\ndef test_it():\n    assert {}\n"


def mutant(old="number > 0", new="number >= 0", tests=("test_it.py",)):
    return Mutant("zero", "code_here.py", old, new, tests)


@pytest.fixture
def copy(tmp_path):
    (tmp_path / "code_here.py").write_text(CODE)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest]\npythonpath = ["."]\n')
    return tmp_path


def verdict(copy: Path, assertion: str):
    (copy / "test_it.py").write_text(TEST.format(assertion))
    copies: Queue[Path] = Queue()
    copies.put(copy)
    found = judge(mutant(), copies)
    assert copies.get() == copy
    assert (copy / "code_here.py").read_text() == CODE
    return found


def test_the_list_fits_the_code():
    listed = mutants.mutants(LIST.read_text())
    assert list(problems(listed, ROOT)) == []
    assert len({m.name for m in listed}) == len(listed) >= 30


def test_a_line_that_is_gone_or_not_alone_is_a_problem(copy):
    (copy / "test_it.py").touch()
    gone = mutant("number < 0", "number <= 0")
    twice = mutant("number", "other")
    wide = mutant("number > 0\n", "number > 1\n\n", ("test_none.py::test_it",))
    assert list(problems([mutant(), gone, twice, wide], copy)) == [
        "zero: its line stands 0 times in code_here.py.",
        "zero: its line stands 2 times in code_here.py.",
        "zero: it changes 2 lines, not one.",
        "zero: there is no test_none.py::test_it.",
    ]


def test_lines_around_the_broken_one_do_not_count():
    assert lines_changed(mutant("a\nb\nc", "a\nB\nc")) == 1
    assert lines_changed(mutant("a\nb", "A\nB")) == 2


def test_the_line_is_broken_only_for_a_while(copy):
    path = copy / "code_here.py"
    with broken(mutant(), copy):
        assert "number >= 0" in path.read_text()
    assert path.read_text() == CODE


def test_a_test_that_minds_notices(copy):
    found = verdict(copy, "not positive(0)")
    assert (found.word, found.noticed) == ("noticed", True)
    assert found.detail == "test_it.py::test_it"


def test_a_test_that_does_not_mind_lets_it_pass(copy):
    found = verdict(copy, "positive(1)")
    assert (found.word, found.noticed) == ("UNNOTICED", False)


def test_a_run_that_cannot_begin_proves_nothing(copy):
    found = verdict(copy, "(")
    assert (found.word, found.noticed) == ("NO VERDICT", False)


def test_a_run_that_hangs_is_ended_and_proves_nothing(copy, monkeypatch):
    monkeypatch.setattr(mutants, "PATIENCE", 2)
    found = verdict(copy, "__import__('time').sleep(60)")
    assert (found.word, found.noticed) == ("TOO SLOW", False)


def test_nothing_of_this_run_reaches_the_judged_one(copy):
    """Not its servers above all: it would share its database with ours."""
    (copy / "test_it.py").write_text(
        "import os\n\n\ndef test_it():\n    assert 'DATABASE_URL' not in os.environ\n"
    )
    code, output = run_tests(copy, ["test_it.py"])
    assert code == 0, output


def test_code_that_does_not_pass_unbroken_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "run_tests", lambda copy, tests: (1, "1 failed"))
    with pytest.raises(mutants.Unfit, match="1 failed"):
        mutants.run([mutant()], tmp_path)
