"""The provider and its models: of the environment, or as a superuser entered them on `/model`.

What is entered is encrypted in the data folder, only with the bundled database: each
process looks at the file's time. A key of the environment wins.
"""

import json
import logging
import os
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from meddie.crypto import KeyLost, decrypt, encrypt
from meddie.embedded.locations import locations

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entered:
    """An earlier version stored the key alone: the rest is of the settings."""

    key: str
    base_url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Configured:
    """Without a `key` the stand-in answers. Models may be empty: the provider has none."""

    key: str
    base_url: str
    chat_model: str
    further_models: tuple[str, ...]
    fast_model: str
    extraction_model: str
    vision_model: str
    transcription_model: str


def configured() -> Configured:
    key = settings.OPENAI_API_KEY.strip()
    entered = None if key else stored_provider()
    address = (entered and entered.base_url) or settings.OPENAI_BASE_URL
    model = (entered and entered.model) or settings.CHAT_MODEL
    key = entered.key if entered else key
    if (address, model) == (settings.OPENAI_BASE_URL, settings.CHAT_MODEL):
        return Configured(
            *(key, address, model, tuple(settings.CHAT_MODELS), settings.FAST_MODEL),
            *(settings.EXTRACTION_MODEL, settings.VISION_MODEL),
            settings.TRANSCRIPTION_MODEL,
        )
    # One model does all; another provider may lack those of the settings.
    elsewhere = settings.EXTRACTION_API_KEY or settings.EXTRACTION_BASE_URL
    extraction = settings.EXTRACTION_MODEL if elsewhere else model
    return Configured(key, address, model, (), model, extraction, model, "")


def stored_provider() -> Entered | None:
    if not settings.BUNDLED_DATABASE:
        return None
    try:
        return _read(_file(), _file().stat().st_mtime_ns)
    except OSError:
        return None


def store_provider(entered: Entered | None) -> None:
    """None removes it."""
    if entered is None:
        _file().unlink(missing_ok=True)
        return
    draft = _file().with_suffix(".draft")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(encrypt(json.dumps(asdict(entered))))
    draft.replace(_file())


@cache
def _file() -> Path:
    return locations().make_data() / "provider_key"


@lru_cache(maxsize=1)
def _read(file: Path, _changed: int) -> Entered | None:
    try:
        stored = decrypt(file.read_text())
    except KeyLost:
        logger.warning("The stored provider key cannot be read: FIELD_KEYS has changed")
        return None
    return Entered(**json.loads(stored)) if stored[:1] == "{" else Entered(stored)
