"""The words of a PDF's page with their places, by PDFium."""

import ctypes
import math
import unicodedata
from collections.abc import Iterator
from typing import Any

import pypdfium2
from pypdfium2 import raw

from conversations.attachments.extraction.page_lines import Cell, lines_of_words

MOST_CHARACTERS = 20_000  # of a page whose places are looked at
NO_LETTERS = {0, 0xFFFE, 0xFFFF}
PARTED_WORD = 2  # PDFium's mark of a hyphen
LINE_ENDS = "\r\n"


def page_text(page: pypdfium2.PdfPage) -> str:
    text = page.get_textpage()
    plain = str(text.get_text_bounded())
    if len(plain) > MOST_CHARACTERS or _is_from_right(plain):
        return plain
    by_turn: dict[int, list[Cell]] = {}
    for turn, cell in _words(text):
        by_turn.setdefault(turn, []).append(cell)
    turned = sorted(by_turn.values(), key=len, reverse=True)
    return "\n".join(line for words in turned for line in lines_of_words(words))


def _is_from_right(text: str) -> bool:
    letters = [letter for letter in text[:1000] if letter.isalpha()]
    from_right = [x for x in letters if unicodedata.bidirectional(x) in {"R", "AL"}]
    return len(from_right) * 2 > len(letters)


def _words(text: Any) -> Iterator[tuple[int, Cell]]:
    """With the quarters of a circle by which each is turned, in the order of the file."""
    box, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    word, turned, apart = None, 0, False
    for number in range(text.count_chars()):
        code = raw.FPDFText_GetUnicode(text, number)
        letter = "-" if code == PARTED_WORD else chr(code)
        if code in NO_LETTERS or letter.isspace():
            apart = apart or letter not in LINE_ENDS  # whose places tell it
            continue
        raw.FPDFText_GetLooseCharBox(text, number, box)
        raw.FPDFText_GetCharOrigin(text, number, x, y)
        turn = round(raw.FPDFText_GetCharAngle(text, number) / math.pi * 2) % 4
        placed = {
            0: (box.left, box.right, -y.value, box.top - box.bottom),
            1: (-box.top, -box.bottom, -x.value, box.right - box.left),
            2: (-box.right, -box.left, y.value, box.top - box.bottom),
            3: (box.bottom, box.top, x.value, box.right - box.left),
        }[turn]
        cell = Cell(letter, *placed)
        if word and turn == turned and word.is_near(cell):
            word.add(cell, apart=apart)
        else:
            if word:
                yield turned, word
            word, turned = cell, turn
        apart = False
    if word:
        yield turned, word
