"""Plain text, Markdown, CSV and HTML."""

from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser

from conversations.attachments.extraction.chunks import Piece, paragraphs_of, table
from conversations.attachments.extraction.unreadable import Unreadable

GUESSED = 200_000  # bytes by which the encoding is found
LONGEST_ROW = 4000  # characters
INVISIBLE = ["script", "style", "noscript", "template", "svg", "head"]
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {*HEADINGS, "p", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption"}


def read_text(source: Path) -> Iterator[Piece]:
    return paragraphs_of(decode(source.read_bytes()))


def read_csv(source: Path) -> Iterator[Piece]:
    lines = decode(source.read_bytes()).splitlines()
    return table(line[:LONGEST_ROW] for line in lines if line.strip())


def read_html(source: Path) -> Iterator[Piece]:
    """The visible text; nothing that it links to is fetched."""
    tree = LexborHTMLParser(decode(source.read_bytes()))
    tree.strip_tags(INVISIBLE)
    place = ""
    for node in tree.css(", ".join(sorted(BLOCKS))):
        if any(child.tag in BLOCKS for child in node.css("*")[1:]):
            continue  # its blocks come by themselves
        text = " ".join(node.text(separator=" ").split())
        if node.tag in HEADINGS:
            place = text[:200]
        if text:
            yield Piece(text, place)


def decode(content: bytes) -> str:
    """Raises Unreadable."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        best = from_bytes(content[:GUESSED]).best()
    if best is None:
        raise Unreadable("unknown_encoding")
    return content.decode(best.encoding, errors="replace")
