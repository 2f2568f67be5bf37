"""Mails: headers, the text, and what is attached, each read as a file of its own."""

from collections.abc import Callable, Iterable, Iterator
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from io import BytesIO
from itertools import islice
from pathlib import Path

from conversations.attachments.extraction import HTML, Unreadable
from conversations.attachments.extraction.chunks import Piece, Unread, paragraphs_of
from conversations.attachments.extraction.content_types import content_type_of
from conversations.attachments.extraction.encodings import decode
from conversations.attachments.extraction.plain import html_pieces

SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")
MOST_ATTACHED = 20
Parts = Iterable[Piece | Unread]
Parser = Callable[[Path, str], Parts]


def read_mail(source: Path, parse: Parser) -> Iterator[Piece | Unread]:
    """`parse` reads an attachment of a type. A mail in a mail is not opened."""
    mail = BytesParser(policy=policy.default).parsebytes(source.read_bytes())
    assert isinstance(mail, EmailMessage)  # noqa: S101 -- by the policy
    lines = (f"{name}: {mail[name]}" for name in SHOWN_HEADERS if mail[name])
    yield Piece("\n".join(lines), "mail")
    body = mail.get_body(preferencelist=("plain", "html"))
    if body is not None:
        yield from _body(body)
    attached = islice(mail.iter_attachments(), MOST_ATTACHED)
    for number, part in enumerate(attached, start=1):
        yield from _attached(source, part, number, parse)


def _body(part: MIMEPart) -> Iterator[Piece]:
    raw, charset = _bytes_of(part), part.get_content_charset("")
    text = decode(raw, charset if charset != "us-ascii" else "")
    if part.get_content_type() == HTML:
        yield from (Piece(piece.text, "mail") for piece in html_pieces(text))
    else:
        yield from (Piece(piece.text, "mail") for piece in paragraphs_of(text))


def _attached(
    source: Path, part: MIMEPart, number: int, parse: Parser
) -> Iterator[Piece | Unread]:
    name = part.get_filename() or f"attachment {number}"
    place, raw = f"attachment {name}", _bytes_of(part)
    try:
        content_type = content_type_of(BytesIO(raw), name)
        file = source.with_name(f"attached{number}")
        file.write_bytes(raw)
        for found in parse(file, content_type):
            yield found._replace(place=f"{place}, {found.place}".strip(", "))
    except Unreadable as error:
        yield Unread(place, str(error))


def _bytes_of(part: MIMEPart) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
