"""The check of the style finds what it looks for, and nothing in what is exempt."""

from pathlib import Path

import pytest

from tests.prose import (
    avoided_words,
    docstring_problems,
    docstring_ratio,
    namesakes,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def words(root: Path) -> list[str]:
    return [str(found) for found in avoided_words(root)]


@pytest.mark.parametrize(
    "line",
    [
        '"""What nobody reads."""',
        "x = 1  # for whoever comes first",
        'raise ValueError("the URL stands elsewhere")',
        "def test_somebody_elses_row(): ...",
        "def test_what_becomes_of_a_row(): ...",
        '"""The title of a talk."""',
        'x = f"{1} lies behind it"',
    ],
)
def test_avoided_words_are_found_in_production_code(root: Path, line: str) -> None:
    write(root, "people/module.py", f"import os\n{line}\n")
    found = words(root)
    assert found
    assert all(text.startswith("people/module.py:2: avoid “") for text in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "people/module.py",
            '"""The user `nobody`, behind a proxy; UTC stands for it."""',
        ),
        ("people/module.py", 'ROLE = "nobody"'),
        ("memory/wording/lexicon.py", 'WORDS = "somebody nobody"'),
        ("tests/test_it.py", 'SAID = "I told nobody that"'),
        ("docs/page.md", "```text\nnobody\n```\nSee `whatever`."),
    ],
)
def test_quoted_words_and_the_words_of_users_are_exempt(
    root: Path, name: str, text: str
) -> None:
    write(root, name, text)
    assert words(root) == []


def test_avoided_words_are_found_in_pages_with_their_line(root: Path) -> None:
    write(root, "docs/page.md", "```text\nx\n```\nIt stands here.\n")
    write(root, "templates/page.html", "<p>{% trans 'Nobody is here' %}</p>")
    assert words(root) == [
        "templates/page.html:1: avoid “Nobody”",
        "docs/page.md:4: avoid “stands”",
    ]


def test_public_names_that_two_modules_define_are_found(root: Path) -> None:
    module = "def read(): ...\ndef _own(): ...\nclass Command: ...\n"
    write(root, "people/one.py", module)
    write(root, "memory/two.py", module)
    write(root, "memory/views.py", "def read(): ...\n")
    assert [str(found) for found in namesakes(root)] == [
        "people/one.py:1: read is also defined in memory/two.py"
    ]


def test_docstrings_are_weighed_against_lines_of_code(root: Path) -> None:
    write(root, "people/one.py", '"""Four words of text."""\n\n# why\nx = 1\ny = 2\n')
    assert docstring_ratio(root=root) == 2.0
    assert [found.path for found in docstring_problems(root)] == ["people/one.py"]
    write(root, "people/two.py", "x = 1\n" * 4)
    assert docstring_ratio(root=root) < 0.7
    assert list(docstring_problems(root)) == []
