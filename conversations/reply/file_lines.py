"""The lines of files and notes that may answer something."""

import re
from collections.abc import Iterator

from memory.wording.splitting import split_sentences
from memory.wording.words import DENSE, tokens
from people.person_text import markdown_lines

LEAST_WORDS = 3  # of a line that answers something
LABEL = re.compile(r"([^\W\d][^:\n]{0,40}):(?:\s+|$)")
"""Of a form's line, as in "Known allergies: cefuroxime"."""
ROWS = "rows "
"""In the place of a text of a table, whose first line is the head."""


def telling_lines(text: str, place: str) -> list[str]:
    """Without headings, and cells such as "Dose"; rows of a table with its head."""
    lines = _with_head(text) if ROWS in place else sentences_in(text)
    return [line for line in lines if _tells(line) and line != place]


def sentences_in(text: str) -> list[str]:
    lines = (line.text for line in markdown_lines(text))
    return [sentence for line in lines for sentence in split_sentences(line)]


def _with_head(table: str) -> Iterator[str]:
    """Each row as "Name: Ferritin, Value: 9", where it has as many cells as the head."""
    head, *rows = table.splitlines()
    mark = max((", ", ",", ";", "\t"), key=lambda m: (head.count(m), len(m)))
    names = [name.strip() for name in head.split(mark)]
    for row in rows:
        cells = [cell.strip() for cell in row.split(mark)]
        if len(cells) == len(names):
            pairs = zip(names, cells, strict=True)
            yield ", ".join(f"{name}: {cell}" for name, cell in pairs if cell)
        else:
            yield row


def _tells(line: str) -> bool:
    """Whether a line has three words, a number, a label, or letters of a dense script."""
    words, label = tokens(line), LABEL.match(line)
    return (
        len(words) >= LEAST_WORDS
        or any(character.isdigit() for character in line)
        or (label is not None and label.end() < len(line))
        or DENSE.search(line) is not None
    )
