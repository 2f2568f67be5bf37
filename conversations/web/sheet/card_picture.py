"""An emergency card as a picture for a lock screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from unicodedata import bidirectional

from PIL import Image, ImageDraw, ImageFont

FONT = Path(__file__).parent / "font" / "DejaVuSans.ttf"
WIDTH, HEIGHT = 1080, 2340  # pixels of a phone
TOP = 640  # below the clock
BOTTOM = 240  # above the buttons
SIDE = 80
LARGEST, SMALLEST, STEP = 52, 24, 2  # pixels of a letter
LINE_HEIGHT = 1.35
INK, QUIET, PAPER = "white", "#ffb4a8", "#141414"
NO_LETTER = "\u0378"  # assigned to none
RIGHT_TO_LEFT = frozenset({"R", "AL"})


@dataclass(frozen=True, slots=True)
class CardLine:
    text: str
    is_heading: bool = False


def draw_card(lines: Sequence[CardLine]) -> bytes:
    """A PNG with letters as large as all lines fit in."""
    size, rows = _fitting(lines)
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(picture)
    font = _font(size)
    top = float(TOP)
    for row in rows:
        top += size * 0.6 * row.is_heading
        place = SIDE
        anchor = "la"
        if is_right_to_left(row.text):
            place, anchor = WIDTH - SIDE, "ra"
        ink = QUIET if row.is_heading else INK
        draw.text((place, top), row.text, fill=ink, font=font, anchor=anchor)
        top += size * LINE_HEIGHT
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def card_fits(lines: Sequence[CardLine]) -> bool:
    size, rows = _fitting(lines)
    return _height(size, rows) <= HEIGHT - TOP - BOTTOM


def without_letters(text: str) -> str:
    """The letters that the font does not have, each once."""
    missing = _shape(NO_LETTER)
    letters = dict.fromkeys(letter for letter in text if not letter.isspace())
    return "".join(letter for letter in letters if _shape(letter) == missing)


def is_right_to_left(text: str) -> bool:
    """By the first letter that has a direction."""
    directions = (bidirectional(letter) for letter in text)
    strong = (found for found in directions if found in RIGHT_TO_LEFT | {"L"})
    return next(strong, "L") in RIGHT_TO_LEFT


def _fitting(lines: Sequence[CardLine]) -> tuple[int, list[CardLine]]:
    for size in range(LARGEST, SMALLEST, -STEP):
        rows = _rows(lines, size)
        if _height(size, rows) <= HEIGHT - TOP - BOTTOM:
            return size, rows
    return SMALLEST, _rows(lines, SMALLEST)


def _height(size: int, rows: Sequence[CardLine]) -> float:
    headings = sum(row.is_heading for row in rows)
    return size * (LINE_HEIGHT * len(rows) + 0.6 * headings)


def _rows(lines: Sequence[CardLine], size: int) -> list[CardLine]:
    return [
        CardLine(row, line.is_heading)
        for line in lines
        for row in _wrapped(line.text, size)
    ]


def _wrapped(text: str, size: int) -> Iterator[str]:
    """Between words, and inside of one that is longer than a row."""
    font, width, row = _font(size), WIDTH - 2 * SIDE, ""
    for word in text.split(" "):
        joined = f"{row} {word}".strip()
        if font.getlength(joined) <= width:
            row = joined
            continue
        if row:
            yield row
        row = word
        while (length := font.getlength(row)) > width:
            end = max(int(len(row) * width / length), 1)
            while end > 1 and font.getlength(row[:end]) > width:
                end -= 1
            yield row[:end]
            row = row[end:]
    yield row


@lru_cache(maxsize=2000)
def _shape(letter: str) -> bytes:
    return bytes(_font(SMALLEST).getmask(letter))


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
