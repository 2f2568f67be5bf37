"""What of a file was read, and why the rest was not, in the user's words."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from conversations.attachments.extraction.chunks import Piece, Unread
from conversations.models import Attachment
from meddie.ai.provider import current_provider
from meddie.ocr import find_tesseract

NEEDS_PROVIDER, NEEDS_OCR, WORDLESS = "needs_provider", "needs_ocr", "wordless"
WAITING = (NEEDS_PROVIDER, NEEDS_OCR, WORDLESS)
PROBLEMS: dict[str, Promise] = {
    "bomb": _("This file unpacks to far more than it holds, so I haven’t read it."),
    "broken": _("This file is damaged, so I couldn’t read it."),
    "encrypted": _("This file has a password, so I couldn’t read it."),
    "missing": _("This file is lost, so I couldn’t read it. Send it again."),
    NEEDS_PROVIDER: _("I can write down speech only with a model provider."),
    NEEDS_OCR: _(
        "I can look at pictures only with a model provider, and read their text where the "
        "package tesseract-ocr is installed."
    ),
    WORDLESS: _(
        "I found no text in this picture. I can describe it only with a model provider."
    ),
    "no_speech": _("I heard no speech in this recording."),
    "no_text": _("I found no text in this file."),
    "too_complex": _("This file is too large or too complex for me to read."),
    "too_many_pixels": _("This picture has too many pixels for me to look at."),
    "unknown_type": _("I can’t read this kind of file."),
    "unsupported": _("The model provider can’t read this kind of file."),
    "refused": _("The model provider refused this file."),
    "unknown_sound": _(
        "The model provider takes recordings only as MP3, M4A, MP4, WAV, FLAC, Ogg or "
        "WebM. Send it as one of them."
    ),
    "recording_too_large": _(
        "This recording is too long for the model provider. Send it in shorter parts."
    ),
    "ambiguous": _(
        "I couldn’t tell in which characters this file is written. Which is right?"
    ),
    "unknown_encoding": _("I couldn’t tell in which characters this file is written."),
}
UNREADABLE_FILE = _("I couldn’t read this file.")
# Of a part of a file that was read.
REASONS: dict[str, Promise] = {
    "broken": _("damaged"),
    "encrypted": _("has a password"),
    "formula": _("a formula without its result"),
    "picture": _("a picture without text that I could read"),
    "unclear": _("some words, which are not clear enough"),
    "send_alone": _("send it by itself"),
    "too_complex": _("too much to read"),
    "unknown_type": _("a kind of file that I can’t read"),
}
PLACES: dict[str, Promise] = {
    "page": _("page"),
    "slide": _("slide"),
    "sheet": _("sheet"),
    "attachment": _("attachment"),
    "picture": _("picture"),
    "rest": _("the rest"),
}
UNIT = re.compile(r"(page|slide|sheet) [^,]*")
MOST_NAMED = 5  # parts


def problem(attachment: Attachment) -> Promise | str:
    """Empty for a file that was read or will be."""
    if attachment.state != Attachment.State.FAILED:
        return ""
    return PROBLEMS.get(attachment.error, UNREADABLE_FILE)


def told_of(attachment: Attachment) -> str:
    """What became of a file, in one line."""
    if attachment.state == Attachment.State.PENDING:
        return str(_("Reading…"))
    return str(problem(attachment) or account(attachment))


def gaps(files: Iterable[Attachment]) -> list[str]:
    """What of read files is missing, a line each, but for what was told when they came."""
    return [
        f"{file.name}: {told_of(file)}"
        for file in files
        if file.account.get("unread") or (problem(file) and not _is_told_at_once(file))
    ]


def _is_told_at_once(file: Attachment) -> bool:
    is_document = file.kind == Attachment.Kind.DOCUMENT
    return not is_document and file.error in {NEEDS_OCR, NEEDS_PROVIDER}


def is_broken(attachment: Attachment) -> bool:
    failed = attachment.state == Attachment.State.FAILED
    return failed and attachment.error not in {*WAITING, "unsupported", "no_text"}


def lacking(attachment: Attachment) -> str:
    """The reason why a file of which nothing was read is not."""
    if current_provider().reads_files:
        return "unsupported"
    if attachment.kind == Attachment.Kind.AUDIO:
        return NEEDS_PROVIDER
    return WORDLESS if find_tesseract() else NEEDS_OCR


def account_of(pieces: Sequence[Piece], unread: Sequence[Unread]) -> dict[str, Any]:
    """As it is stored: how many units were read, and places with reasons."""
    units = {found[0] for piece in pieces if (found := UNIT.match(piece.place))}
    unit = next(iter(units)).partition(" ")[0] if units else "line"
    lines = sum(len(piece.text.splitlines()) for piece in pieces)
    return {"read": [unit, len(units) or lines], "unread": list(unread)}


def account(attachment: Attachment) -> str:
    """One line: how much was read, and what was not. Empty where that says nothing."""
    unit, count = attachment.account.get("read", ("", 0))
    told = [_read(unit, count)] if count else []
    unread = attachment.account.get("unread", ())
    if unread:
        named = "; ".join(_part(*part) for part in unread[:MOST_NAMED])
        rest = "; …" if len(unread) > MOST_NAMED else ""
        told.append(str(_("Not read: %(parts)s") % {"parts": named + rest}))
    return ". ".join(told)


def _read(unit: str, count: int) -> str:
    sentences = {
        "page": ngettext("Read: %(count)d page", "Read: %(count)d pages", count),
        "slide": ngettext("Read: %(count)d slide", "Read: %(count)d slides", count),
        "sheet": ngettext("Read: %(count)d sheet", "Read: %(count)d sheets", count),
        "line": ngettext("Read: %(count)d line", "Read: %(count)d lines", count),
    }
    return sentences[unit] % {"count": count}


def _part(place: str, reason: str) -> str:
    kind, _space, rest = place.partition(" ")
    named = f"{PLACES.get(kind, kind)} {rest}".strip()
    return f"{named} ({REASONS.get(reason, UNREADABLE_FILE)})"
