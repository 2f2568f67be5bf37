"""Text of documents and pictures, read in a child process without Django."""

import zipfile

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EXPORT = "export"  # of another assistant
PDF, HTML, PLAIN = "application/pdf", "text/html", "text/plain"
# What zipfile raises for a directory that it cannot read.
BROKEN_ARCHIVE = (zipfile.BadZipFile, ValueError, OSError, NotImplementedError)


class Unreadable(Exception):
    """Its text is the code of the reason."""
