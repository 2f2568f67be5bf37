"""Words of a page as people read them: a row of a table is one line, columns of prose are not mixed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

SAME_LINE = 0.4  # of the size: baselines that are not farther apart are one line
SPACE, GAP = 0.2, 1.0  # of the size: between words, and between cells
TIGHT = 1.35  # of the size: the distance of a line within a cell
FULL = 0.75  # of its column's width: most lines of prose are as long
FEWEST_LINES, NARROWEST = 4, 12  # of a column of prose; its width in sizes
FEWEST_WORDS = 4  # of a line of prose
MOST_LINES = 6  # of a cell
FEWEST_ROWS = 3  # of a table whose cells may have several lines
BETWEEN_CELLS = "  "


@dataclass(slots=True)
class Cell:
    """Words without a gap. `base` grows down the page."""

    text: str
    left: float
    right: float
    base: float
    size: float

    def is_near(self, other: "Cell") -> bool:
        """Whether the other goes on with it in its line."""
        gap = other.left - self.right
        same = abs(other.base - self.base) < SAME_LINE * self.size
        return same and -SAME_LINE * self.size < gap < GAP * self.size

    def add(self, other: "Cell", *, apart: bool = False) -> None:
        apart = apart or other.left - self.right > SPACE * self.size
        self.text += f" {other.text}" if apart else other.text
        self.right, self.size = max(self.right, other.right), max(self.size, other.size)


def lines_of_words(words: Sequence[Cell]) -> list[str]:
    return _read(_joined(words))


def _joined(words: Sequence[Cell]) -> list[Cell]:
    """Cells by lines, from the left."""
    lines: list[list[Cell]] = []
    for word in sorted(words, key=lambda word: word.base):
        first = lines[-1][0] if lines else None
        size = max(first.size, word.size) if first else 0
        if first and word.base - first.base < SAME_LINE * size:
            lines[-1].append(word)
        else:
            lines.append([word])
    cells: list[Cell] = []
    for line in lines:
        line.sort(key=lambda word: word.left)
        base = line[0].base
        for word in line:
            last = cells[-1] if cells and cells[-1].base == base else None
            word.base = base
            if last and word.left - last.right < GAP * max(last.size, word.size):
                last.add(word)
            else:
                cells.append(word)
    return cells


def _read(cells: Sequence[Cell]) -> list[str]:
    """By columns beside the gutter of prose, and by rows where lines go over it."""
    gutter = _gutter(cells)
    if gutter is None:
        return _rows(cells)
    found: list[str] = []
    for crosses, part in groupby(cells, lambda c: c.left < gutter - 1 <= c.right):
        beside = list(part)
        columns = [
            [cell for cell in beside if cell.left < gutter - 1],
            [cell for cell in beside if cell.left >= gutter - 1],
        ]
        for column in [beside] if crosses else columns:
            found += _rows(column) if crosses else _read(column)
    return found


def _gutter(cells: Sequence[Cell]) -> float | None:
    """Where a second column of prose begins."""
    starts = Counter(round(cell.left) for cell in cells)
    for start, count in sorted(starts.items()):
        left = [cell for cell in cells if cell.right < start - 1]
        if count < FEWEST_LINES or not _is_prose(left):
            continue
        right = [cell for cell in cells if cell.left >= start - 1]
        if _is_prose(right) or _gutter(right) is not None:
            return start
    return None


def _is_prose(cells: Sequence[Cell]) -> bool:
    """Whether most lines are one cell of several words that is as wide as the column."""
    if len(cells) < FEWEST_LINES or len({cell.base for cell in cells}) < len(cells):
        return False
    width = max(cell.right for cell in cells) - min(cell.left for cell in cells)
    full = [cell for cell in cells if cell.right - cell.left >= FULL * width]
    wordy = [cell for cell in full if cell.text.count(" ") >= FEWEST_WORDS - 1]
    return width >= NARROWEST * cells[0].size and len(wordy) * 2 > len(cells)


def _rows(cells: Sequence[Cell]) -> list[str]:
    lines = [list(line) for _base, line in groupby(cells, lambda cell: cell.base)]
    bands: list[list[list[Cell]]] = []
    for line in lines:
        last = bands[-1][-1][0] if bands else None
        size = max(last.size, line[0].size) if last else 0
        if last and line[0].base - last.base < TIGHT * size:
            bands[-1].append(line)
        else:
            bands.append([line])
    rows = [len(band) for band in bands if any(len(line) > 1 for line in band)]
    may_wrap = len(rows) >= FEWEST_ROWS and rows.count(1) > 1
    found: list[str] = []
    for band in bands:
        wraps = may_wrap and 1 < len(band) <= MOST_LINES
        found += (_wrapped(band) if wraps else None) or map(_line, band)
    return found


def _line(cells: Sequence[Cell]) -> str:
    return BETWEEN_CELLS.join(cell.text for cell in cells)


def _wrapped(band: Sequence[Sequence[Cell]]) -> list[str]:
    """The one row of a table that it is; empty if each of its lines is a row."""
    columns: list[list[Cell]] = []
    for cell in sorted((c for line in band for c in line), key=lambda c: c.left):
        if columns and cell.left < max(other.right for other in columns[-1]):
            columns[-1].append(cell)
        else:
            columns.append([cell])
    several = [column for column in columns if len(column) > 1]
    are_words = all(any(map(str.isalpha, c.text)) for col in several for c in col)
    if len(columns) == 1 or len(several) == len(columns) or not are_words:
        return []
    told = (sorted(column, key=lambda cell: cell.base) for column in columns)
    return [BETWEEN_CELLS.join(" ".join(c.text for c in column) for column in told)]
