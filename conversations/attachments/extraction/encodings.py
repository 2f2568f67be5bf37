"""Which characters a text is written in: by its mark, its own word, or its letters.

charset-normalizer mistakes those of Europe for each other where a text is short. In the
right one all letters belong to one language, and no capital follows a small letter.
"""

import codecs
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, starmap
from operator import attrgetter
from typing import NamedTuple

from charset_normalizer import from_bytes
from charset_normalizer.constant import FREQUENCIES

from conversations.attachments.extraction import Unreadable

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
JUDGED = 200_000  # bytes by which the encoding is found
SEEN = 4000  # characters of them that are judged by their letters
# What one byte stands for a character in. The first wins where all letters are the same.
SINGLE = (
    *(
        "cp1252",
        "cp1250",
        "iso8859_2",
        "cp1254",
        "cp1257",
        "cp1253",
        "cp1251",
        "cp1255",
    ),
    *("cp1256", "cp874", "koi8_r", "cp852", "cp850", "cp866", "iso8859_5", "mac_roman"),
)
# Letters of languages that charset-normalizer's lists of the most frequent ones leave out.
RARE_LETTERS = {
    "German": "ß",
    "French": "âæçëîïôœùûü",
    "Polish": "ćńśźż",
    "Spanish": "éúñü",
    "Italian": "ìùé",
    "Portuguese": "àâêóõúü",
    "Dutch": "éïóöü",
    "Czech": "čďňóšťúůýž",
    "Slovak": "äďĺľňóôŕšťúýž",
    "Hungarian": "íóőúüű",
    "Turkish": "ğöâîû",
    "Romanian": "şţ",
    "Croatian": "ćđ",
    "Lithuanian": "ęįųū",
    "Estonian": "šž",
    "Danish": "é",
    "Norwegian": "é",
    "Russian": "щэюфшёъ",
    "Ukrainian": "єґщюшжф",
    "Bulgarian": "юьф",
    "Serbian": "љњђћџчшжзцфхб",
    "Greek": "βζξφψώϊϋΐΰ",
    "Hebrew": "ףץ",
    "Arabic": "آؤئءذزضظغثپچژکگی",
}
ALPHABETS = {
    language: {
        letter: 1 - rank / (len(letters) + 10)
        for rank, letter in enumerate([*letters, *RARE_LETTERS.get(language, "")])
    }
    for language, letters in FREQUENCIES.items()
}
MARKS_OF_TEXT = frozenset(
    "–—‘’‚“”„«»‹›…•·°²³µ§€£¥©®±½¼×÷¿¡ªº\u00a0\u00ad‰†™、。，；：（）「」？！"  # noqa: RUF001 -- signs of many scripts
)
SCRIPTS = "\u0370"  # Latin letters are before it
# Of 79 texts of a few lines in 24 encodings, half of them written apart, those that one
# byte a character writes had a fit of at least 1.75, and 2.4 in other letters than Latin
# ones; what others looked like was below. The right one of two was ahead by 0.1.
POOR, POOR_BEYOND, CLOSE = 1.7, 2.3, 0.08
JAPANESE, FEWEST_KANA = ("euc_jp", "cp932"), 0.2  # share of the letters
KANA = ("\u3040", "\u30ff")
SAMPLE = 60  # characters
ESCAPED = (b"\x1b$", b"\x1b(")  # ISO-2022-JP


class Decoded(NamedTuple):
    encoding: str
    text: str
    fit: float


def decode(content: bytes, encoding: str = "") -> str:
    """Without NULs. Raises Unreadable, with two readings if both are likely."""
    return _decoded(content, encoding).replace("\0", "")


def _decoded(content: bytes, encoding: str) -> str:
    if encoding:
        with suppress(
            LookupError, UnicodeDecodeError
        ):  # what a sender says may be wrong
            return content.decode(encoding)
    for mark, name in MARKS:
        if content.startswith(mark):
            return content.decode(name, errors="replace")
    if wide := wide_encoding(content):
        return content.decode(wide, errors="replace")
    if any(mark in content for mark in ESCAPED):
        return content.decode("iso2022_jp", errors="replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode(_found(content[:JUDGED]), errors="replace")


def wide_encoding(content: bytes) -> str:
    """UTF-16 without a mark: every other byte of Western letters is zero."""
    head = content[:SEEN]
    if len(head) < 8:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.1 * half else ""


def _found(content: bytes) -> str:
    for encoding in JAPANESE:
        with suppress(UnicodeDecodeError):
            if _kana(content.decode(encoding)) > FEWEST_KANA:
                return encoding
    readings = list(_readings(content))
    readings.sort(key=attrgetter("fit"), reverse=True)
    if not readings or _is_poor(readings[0]):
        found = from_bytes(content).best()
        if found is None or not (found.multi_byte_usage or found.encoding == "cp874"):
            raise Unreadable("unknown_encoding")
        return str(found.encoding)
    best = readings[0]
    for other in readings[1:]:
        if other.text != best.text and best.fit - other.fit < CLOSE:
            raise Unreadable("ambiguous", _samples(best, other))
    return best.encoding


def _samples(*readings: Decoded) -> list[tuple[str, str]]:
    """What is around the first letter that differs."""
    pairs = zip(*(reading.text for reading in readings), strict=False)
    differs = next(at for at, pair in enumerate(pairs) if len(set(pair)) > 1)
    start = max(differs - SAMPLE // 2, 0)
    shown = (" ".join(r.text[start : start + SAMPLE].split()) for r in readings)
    return [(r.encoding, text) for r, text in zip(readings, shown, strict=True)]


def _kana(text: str) -> float:
    letters = [char for char in text[:SEEN] if char > "\x7f"]
    return sum(KANA[0] < char <= KANA[1] for char in letters) / (len(letters) or 1)


def _is_poor(reading: Decoded) -> bool:
    is_beyond = any(char >= SCRIPTS and char.isalpha() for char in reading.text)
    return reading.fit < (POOR_BEYOND if is_beyond else POOR)


def _readings(content: bytes) -> Iterator[Decoded]:
    for encoding in SINGLE:
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)[:SEEN]
            yield Decoded(encoding, text, _fit(text))


def _fit(text: str) -> float:
    """Letters of one language alone, and as frequent as in it: at most 3."""
    letters = [char for char in text.lower() if char.isalpha()]
    beyond = [char for char in text if char > "\x7f"]
    own = [char for char in beyond if char.isalpha()]
    strange = sum(not (char.isalpha() or char in MARKS_OF_TEXT) for char in beyond)
    strange += sum(starmap(_is_odd, pairwise(text)))
    total = len(beyond) or 1
    return max(
        (sum(1 + alphabet.get(char.lower(), -1) for char in own) - strange) / total
        + sum(alphabet.get(char, 0) for char in letters) / (len(letters) or 1)
        for alphabet in ALPHABETS.values()
    )


def _is_odd(one: str, other: str) -> bool:
    if max(one, other) <= "\x7f" or not (one.isalpha() and other.isalpha()):
        return False
    is_mixed = (one < SCRIPTS) != (other < SCRIPTS)
    return is_mixed or (one.islower() and other.isupper())
