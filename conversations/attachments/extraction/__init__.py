"""Text of documents and pictures, read in a child process without Django."""

import zipfile
from collections.abc import Sequence

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EXPORT = "export"  # of another assistant
PDF, HTML, PLAIN = "application/pdf", "text/html", "text/plain"
RTF, MAIL, XML = "application/rtf", "message/rfc822", "application/xml"
CARD, CALENDAR = "text/vcard", "text/calendar"
# What zipfile raises for a directory that it cannot read.
BROKEN_ARCHIVE = (zipfile.BadZipFile, ValueError, OSError, NotImplementedError)


class Unreadable(Exception):
    """Its text is the code of the reason; `samples` are readings of an unsure text.

    Pairs of an encoding and what a part of the text is in it.
    """

    def __init__(self, reason: str, samples: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(reason)
        self.samples = samples
