"""Decisions are short, and each is cited from the line that needs it."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/decisions.md").read_text()
HEADING = re.compile(r"^### (\d+)\. .+\n", re.MULTILINE)
LONGEST = 6  # lines
CITED = re.compile(r"\b[Dd]ecisions? (\d+)(?: and (\d+))?")


def test_decisions_are_numbered_once_and_short():
    found = list(HEADING.finditer(PAGE))
    assert len({one[1] for one in found}) == len(found) > 30
    ends = [one.start() for one in found[1:]] + [len(PAGE)]
    bodies = [PAGE[one.end() : end] for one, end in zip(found, ends, strict=True)]
    texts = [body.partition("\n## ")[0].strip().splitlines() for body in bodies]
    assert [text for text in texts if not 0 < len(text) < LONGEST] == []


def test_each_decision_is_cited_and_none_that_is_not_there():
    files = [ROOT / "pyproject.toml", ROOT / "Makefile"]
    for app in ("meddie", "people", "memory", "conversations", "static"):
        files += [*(ROOT / app).rglob("*.py"), *(ROOT / app).rglob("*.js")]
    cited = {
        number
        for path in files
        for pair in CITED.findall(path.read_text())
        for number in pair
        if number
    }
    assert cited == {one[1] for one in HEADING.finditer(PAGE)}
