"""Pictures: checked, turned upright and made small enough for a model."""

import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from conversations.attachments.extraction import Unreadable

MOST_PIXELS = 50_000_000
LARGEST_SIDE = 2048  # pixels
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


def read_picture(source: Path, folder: Path) -> None:
    """Raises Unreadable."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(source, formats=PICTURE_FORMATS)
            picture.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unreadable("too_many_pixels") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        raise Unreadable("broken") from None
    save_picture(ImageOps.exif_transpose(picture), folder)


def save_picture(picture: Image.Image, folder: Path) -> None:
    """As a JPEG with the next number, without EXIF."""
    picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    number = len(list(folder.glob("*.jpg"))) + 1
    picture.convert("RGB").save(folder / f"{number:02}.jpg", quality=85)
