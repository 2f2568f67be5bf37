"""Text in pictures, by tesseract: upright, rows as lines, without what it is not sure of."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import NamedTuple

from PIL import Image

from conversations.attachments.extraction.page_lines import Cell, lines_of_words
from meddie.languages import LANGUAGES, Language
from memory.wording.words import language_of

SURE, SURE_NUMBER = 60.0, 85.0  # of 100; a wrong dose is worse than none
UNSURE = "…"
REPEATED = re.compile(rf"{UNSURE}( +{UNSURE})+")
TURN = re.compile(r"^Rotate: (90|180|270)$", re.MULTILINE)
PLACE_IN_TEXT = ("page_num", "block_num", "par_num", "line_num")


class Recognised(NamedTuple):
    """`left_out` are the words that were not clear enough."""

    text: str
    left_out: int


def recognise_text(
    tesseract: Callable[..., str], pictures: Mapping[int, Path]
) -> dict[int, Recognised]:
    """`tesseract` takes arguments, and gives what is printed."""
    listed = tesseract("--list-langs").split()
    known = [lang for lang in LANGUAGES if lang.picture in listed]

    def read_in(picture: Path, languages: Sequence[Language]) -> Recognised:
        codes = "+".join(language.picture for language in languages) or "eng"
        return _read(tesseract(picture, "-", "-l", codes, "tsv"))

    def read(picture: Path) -> Recognised:
        """With the language that it is in first: its letters are more often right."""
        found = read_in(picture, known)
        spoken = language_of(found.text)
        ordered = sorted(known, key=lambda language: language.code != spoken)
        if ordered == known:
            return found
        again = read_in(picture, ordered)
        return again if again.text else found

    found = {}
    for page, picture in pictures.items():
        turn = TURN.search(tesseract(picture, "-", "-l", "osd", "--psm", "0"))
        upright = _turned(picture, int(turn[1])) if turn else picture
        found[page] = read(upright)
        if turn and not found[page].text:
            found[page] = read(picture)
    return found


def _turned(picture: Path, degrees: int) -> Path:
    turned = picture.with_suffix(".turned")
    with Image.open(picture, formats=["JPEG"]) as drawn:
        drawn.rotate(-degrees, expand=True).save(turned, "JPEG", quality=85)
    return turned


def _read(table: str) -> Recognised:
    """From words with boxes and confidences; empty if it is sure of less than half."""
    rows = csv.DictReader(table.split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = [row for row in rows if (row.get("text") or "").strip()]
    left_out = sum(not _is_sure(row) for row in words)
    if len(words) <= 2 * left_out:
        return Recognised("", left_out)
    lines = [
        [_cell(row) for row in line]
        for _place, line in groupby(words, lambda row: [row[n] for n in PLACE_IN_TEXT])
    ]
    slope, cells = _slope(lines), list[Cell]()
    for line in lines:
        base = median(word.base - slope * word.left for word in line)
        size = median(word.size for word in line)
        words_of_line = [replace(word, base=base, size=size) for word in line]
        for number, word in enumerate(words_of_line):
            if number and cells[-1].is_near(word):
                cells[-1].add(word, apart=True)
            else:
                cells.append(word)
    told = [REPEATED.sub(UNSURE, line) for line in lines_of_words(cells)]
    return Recognised("\n".join(line for line in told if line != UNSURE), left_out)


def _is_sure(row: Mapping[str, str]) -> bool:
    least = SURE_NUMBER if any(map(str.isdigit, row["text"])) else SURE
    return float(row["conf"]) >= least


def _cell(row: Mapping[str, str]) -> Cell:
    left, top, width, height = (
        float(row[name]) for name in ("left", "top", "width", "height")
    )
    text = row["text"].strip() if _is_sure(row) else UNSURE
    return Cell(text, left, left + width, top + height / 2, height)


def _slope(lines: list[list[Cell]]) -> float:
    """Of a page that is askew."""
    slopes = [
        (line[-1].base - line[0].base) / (line[-1].left - line[0].left)
        for line in lines
        if len(line) > 2 and line[-1].left > line[0].left
    ]
    return median(slopes) if slopes else 0
