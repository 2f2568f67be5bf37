"""The tests of each requirement: joins docs/requirements.md with the tests' marks.

`python -m tests.requirements` prints the table, and exits with 1 and one sentence for
each mismatch. Tests are parsed, not imported, so that
neither Django nor a database is needed.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "requirements.md"
TESTS = ROOT / "tests"

ROWS = {"S0": 63, "S1": 57, "S2": 56, "S3": 74, "S4": 43, "B": 45}
"""How many rows each document has, and how many traps there are."""
KNOWN = frozenset(
    f"{document}-{number:02}"
    for document, count in ROWS.items()
    for number in range(1, count + 1)
)
STATUSES = {"built", "planned", "explained"}
ROW = re.compile(
    r"^\| (?P<id>[A-Z]\d?-\d+) \| (?P<text>.+) \| (?P<where>.+) \| (?P<status>\w+) \|$"
)
NAMED = re.compile(r"^(Weak|Bent) \((\d+)\): ((?:[A-Z]\d?-\d+[,.]\s*)+)", re.M)
QUOTED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the page."""

    id: str
    status: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """That a test shows a requirement. `id` is None where it is no plain string."""

    id: str | None
    test: str


def rows(page: str) -> list[Row]:
    """The lines of the page's tables."""
    found = filter(None, map(ROW.match, page.splitlines()))
    return [
        Row(line["id"], line["status"], tuple(QUOTED.findall(line["where"])))
        for line in found
    ]


class MarkReader(ast.NodeVisitor):
    """Collects the marks of a file, with the test, class or module that has them."""

    def __init__(self, path: str) -> None:
        self.names = [path]
        self.marks: list[Mark] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._enter(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._enter(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._enter(node)

    def _enter(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    ) -> None:
        self.names.append(node.name)
        self.generic_visit(node)
        self.names.pop()

    def visit_Call(self, node: ast.Call) -> None:
        if ast.unparse(node.func) in {"pytest.mark.req", "mark.req"}:
            for argument in node.args:
                value = argument.value if isinstance(argument, ast.Constant) else None
                known = value if isinstance(value, str) else None
                self.marks.append(Mark(known, "::".join(self.names)))
        self.generic_visit(node)


def marks(folder: Path) -> Iterator[Mark]:
    """Every mark in the test files below a folder."""
    # The kill tests are run by themselves, so pytest does not find them by name.
    for path in sorted([*folder.rglob("test_*.py"), *folder.rglob("killing.py")]):
        reader = MarkReader(str(path.relative_to(folder.parent)))
        reader.visit(ast.parse(path.read_text()))
        yield from reader.marks


def page_problems(page: Sequence[Row]) -> Iterator[str]:
    """Rows that are missing, unknown or repeated."""
    times = Counter(row.id for row in page)
    for missing in sorted(KNOWN - times.keys()):
        yield f"{missing} has no row in docs/requirements.md."
    for strange in sorted(times.keys() - KNOWN):
        yield f"{strange} has a row in docs/requirements.md but is no requirement."
    for row_id, count in times.items():
        if count > 1:
            yield f"{row_id} has {count} rows in docs/requirements.md."
    for row in page:
        if row.status not in STATUSES:
            yield f"{row.id} is {row.status}, which is no status."


def list_problems(page: str) -> Iterator[str]:
    """Where the lists at the end and the words in the rows differ."""
    named = {
        word: (int(n), re.findall(r"[^\s,.]+", ids))
        for word, n, ids in NAMED.findall(page)
    }
    texts = [
        (line["id"], line["text"]) for line in map(ROW.match, page.splitlines()) if line
    ]
    for word in ("Weak", "Bent"):
        said = [row_id for row_id, text in texts if re.search(rf"\b{word}\b", text)]
        if named.get(word) != (len(said), said):
            yield f"{word} rows are {len(said)}: {', '.join(said)}; the list differs."


def mark_problems(found: Iterable[Mark]) -> Iterator[str]:
    """Marks without a known requirement."""
    for mark in found:
        if mark.id is None:
            yield f"{mark.test} has a mark that is no plain string."
        elif mark.id not in KNOWN:
            yield f"{mark.test} names {mark.id}, which is no requirement."


def promise_problems(page: Iterable[Row], shown: Iterable[str | None]) -> Iterator[str]:
    """Rows that say built but have no test, or name missing files."""
    proven = set(shown)
    for row in page:
        if row.status != "built":
            continue
        if row.id not in proven:
            yield f"{row.id} is built, but no test is marked with it."
        for name in row.files:
            if not (ROOT / name).exists():
                yield f"{row.id} is said to be in {name}, which does not exist."


def table(page: Iterable[Row], found: Sequence[Mark]) -> Iterator[str]:
    """Each row with its tests, one a line."""
    for row in page:
        tests = sorted({mark.test for mark in found if mark.id == row.id}) or ["-"]
        yield f"{row.id}  {row.status:9}  {tests[0]}"
        yield from (f"{'':18}{test}" for test in tests[1:])


def main() -> int:
    """Print the table, then what is wrong."""
    page, found = rows(PAGE.read_text()), list(marks(TESTS))
    for line in table(page, found):
        sys.stdout.write(f"{line}\n")
    problems = [
        *page_problems(page),
        *list_problems(PAGE.read_text()),
        *mark_problems(found),
        *promise_problems(page, [mark.id for mark in found]),
    ]
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
