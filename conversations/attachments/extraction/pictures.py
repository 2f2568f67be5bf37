"""Pictures: checked, turned upright and made small enough for a model."""

import shutil
import subprocess
import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from conversations.attachments.extraction import Unreadable

MOST_PIXELS = 50_000_000
SIDE = 2048  # pixels
LANGUAGES = ("eng", "pol", "rus")
PATIENCE = 30.0  # seconds
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


def read_picture(source: Path, folder: Path) -> None:
    """Raises Unreadable."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(source, formats=FORMATS)
            picture.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unreadable("too_many_pixels") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        raise Unreadable("broken") from None
    save_picture(ImageOps.exif_transpose(picture), folder)


def save_picture(picture: Image.Image, folder: Path) -> None:
    """As a JPEG with the next number, without EXIF."""
    picture.thumbnail((SIDE, SIDE))
    number = len(list(folder.glob("*.jpg"))) + 1
    picture.convert("RGB").save(folder / f"{number:02}.jpg", quality=85)


def recognise(picture: Path) -> str:
    """The text in the picture, by tesseract; empty where it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return ""
    listed = _output(program, "--list-langs").split()
    known = [language for language in LANGUAGES if language in listed]
    return _output(program, str(picture), "-", "-l", "+".join(known or ["eng"])).strip()


def _output(program: str, *arguments: str) -> str:
    ended = subprocess.run(  # noqa: S603 -- an installed program
        [program, *arguments],
        env={"PATH": "/usr/bin:/bin", "OMP_THREAD_LIMIT": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return ended.stdout if not ended.returncode else ""
