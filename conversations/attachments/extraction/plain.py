"""Texts: plain, Markdown, CSV, HTML, XML, RTF, cards and calendars."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from selectolax.lexbor import LexborHTMLParser
from striprtf.striprtf import rtf_to_text

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, paragraphs_of, table
from conversations.attachments.extraction.encodings import decode

FHIR = "http://hl7.org/fhir"
# Names and addresses of its parts that say nothing to people.
UNREAD_FHIR = {"id", "meta", "url", "system", "fullUrl", "reference"}
INVISIBLE = ["script", "style", "noscript", "template", "head"]
HEADING_TAGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# The parser takes the square of the depth: 64 s for 1 MB of <div>.
MOST_TAGS, DEEPEST_TAG = 300_000, 1000
CLOSED = re.compile(r"</svg\s*>", re.IGNORECASE)
FOLD = re.compile(r"\r?\n[ \t]")
# A line of a card without words for people: its picture, keys, versions.
UNREAD_LINE = re.compile(
    r"(PHOTO|LOGO|KEY|SOUND|VERSION|PRODID|UID|REV|DTSTAMP|SEQUENCE|END|X-)\b[^:]*:"
)
CHARSET = re.compile(rb"""<meta[^>]{1,100}charset=["']?([\w-]{2,20})""", re.IGNORECASE)
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
    return table(line for line in lines if line.strip())


def read_rtf(source: Path) -> Iterator[Piece]:
    """Its own words say in which code page its letters are."""
    try:
        raw = source.read_bytes().decode("latin-1")
        text = rtf_to_text(raw, errors="replace")  # type: ignore[no-untyped-call] # has none
    except (ValueError, LookupError, RecursionError):
        raise Unreadable("broken") from None
    return paragraphs_of(text)


def read_xml(source: Path) -> Iterator[Piece]:
    """The text of its elements, as of an HL7 document; a row of a table is one line."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(source.read_bytes(), parser)
    except etree.XMLSyntaxError:
        raise Unreadable("broken") from None
    if etree.QName(root).namespace == FHIR:
        yield from _fhir_lines(root)
        return
    place = ""
    for element in root.iter(etree.Element):
        if etree.QName(element).localname == "title":
            place = _words(element)[:200]
        is_in_row = next(element.iterancestors("{*}tr"), None) is not None
        is_row = etree.QName(element).localname == "tr"
        if (is_row or not (len(element) or is_in_row)) and (text := _words(element)):
            yield Piece(text, place)


def _fhir_lines(root: etree._Element) -> Iterator[Piece]:
    """Its texts are attributes: "code text: Penicillin", by resources."""
    for element in root.iter(etree.Element):
        value, names = element.get("value", ""), list[str]()
        for above in (element, *element.iterancestors()):
            names.insert(0, etree.QName(above).localname)
            if names[0][0].isupper():
                break
        if value and not UNREAD_FHIR.intersection(names):
            resource, *path = names
            yield Piece(f"{' '.join(path)}: {' '.join(value.split())}", resource)


def _words(element: etree._Element) -> str:
    words = (" ".join(text.split()) for text in element.itertext())
    return ", ".join(filter(None, words))


def read_card(source: Path) -> Iterator[Piece]:
    """Lines of vCard and iCalendar, unfolded (RFC 5545, 3.1), without pictures."""
    text = FOLD.sub("", decode(source.read_bytes()))
    for block in text.split("BEGIN:")[1:]:
        lines = (line.strip() for line in block.splitlines()[1:])
        yield Piece(
            "\n".join(line for line in lines if not UNREAD_LINE.match(line)), ""
        )


def read_html(source: Path) -> Iterator[Piece]:
    raw = source.read_bytes()
    declared = CHARSET.search(raw[:2048])
    return html_pieces(decode(raw, declared[1].decode() if declared else ""))


def html_pieces(text: str) -> Iterator[Piece]:
    """The visible text; nothing that it links to is fetched."""
    start, *drawings = re.split("<svg", text, flags=re.IGNORECASE)
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
