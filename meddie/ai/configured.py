"""The provider's key that a superuser has entered on `/model`, encrypted in the data folder.

Only with the bundled database, whose processes share that folder: each looks at the file's
time whenever it needs the key, so that none has to start again. The environment wins.
"""

import logging
import os
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from meddie.crypto import KeyLost, decrypt, encrypt
from meddie.embedded.locations import locations

logger = logging.getLogger(__name__)


def stored_key() -> str:
    """Empty if there is none."""
    if not settings.BUNDLED_DATABASE:
        return ""
    try:
        return _read(_file(), _file().stat().st_mtime_ns)
    except OSError:
        return ""


def store_key(key: str) -> None:
    """An empty one removes it."""
    if not key:
        _file().unlink(missing_ok=True)
        return
    draft = _file().with_suffix(".draft")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(encrypt(key))
    draft.replace(_file())


@cache
def _file() -> Path:
    return locations().make_data() / "provider_key"


@lru_cache(maxsize=1)
def _read(file: Path, _changed: int) -> str:
    try:
        return decrypt(file.read_text())
    except KeyLost:
        logger.warning("The stored provider key cannot be read: FIELD_KEYS has changed")
        return ""
