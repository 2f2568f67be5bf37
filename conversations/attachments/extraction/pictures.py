"""Pictures: checked, turned upright and made small enough for a model."""

import warnings
from pathlib import Path

import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError

from conversations.attachments.extraction import Unreadable

MOST_PIXELS = 50_000_000
LARGEST_SIDE = 2048  # pixels
Image.MAX_IMAGE_PIXELS = MOST_PIXELS
PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "HEIF")
pillow_heif.register_heif_opener(thumbnails=False)


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


def save_picture(picture: Image.Image, folder: Path, number: int = 1) -> None:
    """As a JPEG named by the number of its page, without EXIF."""
    picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    picture.convert("RGB").save(folder / f"{number:04}.jpg", quality=85)
