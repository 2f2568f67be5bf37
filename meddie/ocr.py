"""Whether text in pictures can be read without a provider."""

import shutil

PACKAGE = "tesseract-ocr"  # of Debian, and of most others
PLACES = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"


def find_tesseract() -> str | None:
    return shutil.which("tesseract", path=PLACES)


def described() -> str:
    """For the terminal."""
    if find_tesseract():
        return "Text in pictures is read by: tesseract"
    return f"Text in pictures needs a provider, or the package {PACKAGE}"
