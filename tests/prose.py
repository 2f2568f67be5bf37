"""Plain words, unique names and short docstrings: what can be counted of the style.

`python -m tests.prose [words] [names] [docstrings]` checks these parts, or all. It
prints one line for each violation and exits with 1 if there is one. Files are parsed,
not imported.
"""

import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APPS = ("meddie", "people", "memory", "conversations")
TEXTS = ("templates/**/*.html", "templates/**/*.txt", "docs/*.md", "*.md")
LANGUAGE_DATA = (
    "memory/wording/lexicon.py",
    "meddie/ai/offline/",
    "conversations/emergencies.py",
)
"""Their strings are words of users."""

AVOIDED = re.compile(
    r"\b(?:whoever|whatever|whichever|wherever|somebody|nobody|anew|it is none"
    r"|^test (?:what|who|where|nor|of)"
    r"|(?:the|a|this|one|old|older|recent|long|raw) talks?"
    r"|as good as|lies|stands(?! for)|behind(?! (?:a|an|the|its) (?:\w+ )?proxy))\b",
    re.IGNORECASE,
)
CODE = re.compile(r"(?sm)^ *```.*?^ *```|```|`[^`]*`|\bhttps?://\S+")
"""Quoted names and commands are not prose."""

NAMESAKES = {
    "Command": "Django finds management commands by this name",
    "main": "the entrance of a program",
}
"""Public names that several modules may have, with the reason."""
EDGES = re.compile(r"(?:^|/)views(?:/|\.py)|/tasks\.py$|^memory/service\.py$")
"""Views, tasks and memory's front door are named like the functions that they call."""

DOCSTRING_WORDS = 0.8
"""Words in docstrings per line of code: 1.5 could not be read, healthchecks has 0.2.

It was 0.7 while lists of words, which have no docstrings, were a twentieth of the code.
"""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Found:
    """One violation."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def sources(*folders: str, root: Path = ROOT) -> Iterator[Path]:
    """The Python files of these folders, without migrations."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def avoided_words(root: Path = ROOT) -> Iterator[Found]:
    """Words that the style avoids, in prose and in the names of functions."""
    for path in sources(*APPS, "benchmarks", "tests", root=root):
        name = str(path.relative_to(root))
        if path != Path(__file__):
            yield from _avoided(name, _python_prose(name, path.read_text()))
    for pattern in TEXTS:
        for path in sorted(root.glob(pattern)):
            text = CODE.sub(_blank, path.read_text())
            yield from _avoided(
                str(path.relative_to(root)), enumerate(text.split("\n"), 1)
            )


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _avoided(path: str, prose: Iterable[tuple[int, str]]) -> Iterator[Found]:
    for line, text in prose:
        for word in AVOIDED.finditer(CODE.sub("", " ".join(text.split()))):
            yield Found(path, line, f"avoid “{word[0]}”")


def _python_prose(name: str, source: str) -> Iterator[tuple[int, str]]:
    """Comments, docstrings, names, and in production code all sentences."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield node.lineno, node.name.replace("_", " ")
    only_docstrings = name.startswith(("tests/", *LANGUAGE_DATA))
    texts = _docstrings(tree) if only_docstrings else _strings(tree)
    for text in texts:
        if " " in str(text.value):
            yield text.lineno, str(text.value)


def _strings(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node


def _docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings that are statements: also those below a constant or a field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            yield from (text for text in _strings(node) if text is node.value)


def namesakes(root: Path = ROOT) -> Iterator[Found]:
    """Public functions and classes that several modules define."""
    places = defaultdict(list)
    for path in sources(*APPS, root=root):
        name = str(path.relative_to(root))
        for node in [] if EDGES.search(name) else ast.parse(path.read_text()).body:
            if isinstance(node, Definition) and not node.name.startswith("_"):
                places[node.name].append((name, node.lineno))
    for name, found in places.items():
        if len(found) > 1 and name not in NAMESAKES:
            others = ", ".join(path for path, _line in found[1:])
            yield Found(*found[0], f"{name} is also defined in {others}")


def docstring_words(path: Path) -> tuple[int, int]:
    """The words in docstrings, and the lines of code without them."""
    source = path.read_text()
    words, taken = 0, set[int]()
    for text in _docstrings(ast.parse(source)):
        words += len(str(text.value).split())
        taken.update(range(text.lineno, (text.end_lineno or 0) + 1))
    code = {
        line
        for line, text in enumerate(source.split("\n"), 1)
        if text.strip() and not text.lstrip().startswith("#")
    }
    return words, len(code - taken)


def docstring_ratio(folders: Iterable[str] = APPS, root: Path = ROOT) -> float:
    """Words in docstrings per line of code."""
    counts = [docstring_words(path) for path in sources(*folders, root=root)]
    return sum(words for words, _ in counts) / max(sum(code for _, code in counts), 1)


def docstring_problems(root: Path = ROOT) -> Iterator[Found]:
    """One violation where docstrings are too long altogether, with the longest."""
    ratio = docstring_ratio(root=root)
    if ratio > DOCSTRING_WORDS:
        longest = max(
            sources(*APPS, root=root), key=lambda path: docstring_words(path)[0]
        )
        text = f"{ratio:.2f} docstring words per code line, more than {DOCSTRING_WORDS}"
        yield Found(str(longest.relative_to(root)), 1, text)


PARTS = {
    "words": avoided_words,
    "names": namesakes,
    "docstrings": docstring_problems,
}


def main(arguments: Sequence[str]) -> int:
    """Check the parts that are named, or all, and print what is wrong."""
    problems = [problem for part in arguments or PARTS for problem in PARTS[part](ROOT)]
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
