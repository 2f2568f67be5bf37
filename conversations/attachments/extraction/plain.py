"""Plain text, Markdown, CSV and HTML."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, paragraphs_of, table

# The first wins where the language does not decide.
ENCODINGS = ("cp1252", "cp1250", "iso8859_2", "cp1251")
GUESSED = 200_000  # bytes by which the encoding is found
LONGEST_ROW = 4000  # characters
INVISIBLE = ["script", "style", "noscript", "template", "head"]
HEADING_TAGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# The parser takes the square of the depth: 64 s for 1 MB of <div>.
MOST_TAGS, DEEPEST_TAG = 300_000, 1000
CLOSED = re.compile(r"</svg\s*>", re.IGNORECASE)
TAG = re.compile(r"<(/?)([a-z][^\s/>]*)", re.IGNORECASE)
# Elements that have no end tag, or may leave it out before their like.
UNNESTED = {
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"),
    *("param", "source", "track", "wbr", "p", "li", "dt", "dd", "option", "optgroup"),
    *("tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rt", "rp"),
}
BLOCKS = {*HEADING_TAGS, "p", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption"}


def read_text(source: Path) -> Iterator[Piece]:
    return paragraphs_of(decode(source.read_bytes()))


def read_csv(source: Path) -> Iterator[Piece]:
    lines = decode(source.read_bytes()).splitlines()
    return table(line[:LONGEST_ROW] for line in lines if line.strip())


def read_html(source: Path) -> Iterator[Piece]:
    """The visible text; nothing that it links to is fetched."""
    start, *drawings = re.split(
        "<svg", decode(source.read_bytes()), flags=re.IGNORECASE
    )
    text = start + "".join(
        part for drawing in drawings for part in CLOSED.split(drawing, 1)[1:]
    )
    _check_depth(text)
    tree = LexborHTMLParser(text)
    tree.strip_tags(INVISIBLE)
    place = ""
    for node in tree.css(", ".join(sorted(BLOCKS))):
        if any(child.tag in BLOCKS for child in node.css("*")[1:]):
            continue  # its blocks come by themselves
        text = " ".join(node.text(separator=" ").split())
        if node.tag in HEADING_TAGS:
            place = text[:200]
        if text:
            yield Piece(text, place)


def _check_depth(text: str) -> None:
    """Raises Unreadable. The depth is at most what is open of each element."""
    opened: Counter[str] = Counter()
    depth = 0
    for number, tag in enumerate(TAG.finditer(text)):
        name, step = tag[2].lower(), -1 if tag[1] else 1
        if name in UNNESTED or opened[name] + step < 0:
            continue
        opened[name] += step
        depth += step
        if depth > DEEPEST_TAG or number > MOST_TAGS:
            raise Unreadable("too_complex")


def decode(content: bytes) -> str:
    """Raises Unreadable."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        found = list(from_bytes(content[:GUESSED], cp_isolation=list(ENCODINGS)))
    if not found:
        raise Unreadable("unknown_encoding")
    best = max(
        found, key=lambda match: (match.coherence, match.encoding == ENCODINGS[0])
    )
    return content.decode(best.encoding, errors="replace")
