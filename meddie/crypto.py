"""Encrypted columns. The first of FIELD_KEYS encrypts, all decrypt.

Without FIELD_KEYS a key is kept in the data folder. `manage.py rotate_keys` re-
encrypts.
"""

from functools import cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models

from meddie.embedded.locations import locations

ENCRYPTED_BEGINNING = "gAAAAA"  # start of every Fernet token until 2106


class KeyLost(Exception):
    def __init__(self) -> None:
        super().__init__("no key of FIELD_KEYS opens this value")


def check_keys() -> None:
    if settings.FIELD_KEYS:
        _opener(tuple(settings.FIELD_KEYS))


def field_keys() -> tuple[str, ...]:
    return tuple(settings.FIELD_KEYS) or (locations().field_key(),)


@cache
def _opener(keys: tuple[str, ...]) -> MultiFernet:
    try:
        # The generated key lacks padding.
        return MultiFernet([Fernet(key + "=" * (-len(key) % 4)) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(
            "FIELD_KEYS holds a key that is none: each is 32 random bytes in url-safe"
            " base64"
        ) from error


def encrypt(text: str) -> str:
    return _opener(field_keys()).encrypt(text.encode()).decode()


def decrypt(stored: str) -> str:
    """Raises KeyLost."""
    try:
        return _opener(field_keys()).decrypt(stored).decode()
    except InvalidToken:
        raise KeyLost from None


def is_current(stored: str) -> bool:
    try:
        _opener(field_keys()[:1]).decrypt(stored)
    except InvalidToken:
        return False
    return True


class EncryptedField(models.TextField):  # type: ignore[type-arg]
    """Text that is encrypted in the database, backups and fixtures."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "editable": False})

    def get_prep_value(self, value: Any) -> Any:
        text = super().get_prep_value(value)
        return text if text is None else encrypt(text)

    def from_db_value(self, value: str | None, *_where: Any) -> str | None:
        return value if value is None else decrypt(value)

    def value_to_string(self, obj: models.Model) -> str:
        return encrypt(self.value_from_object(obj))

    def to_python(self, value: Any) -> Any:
        """Decrypt what `value_to_string` wrote into a fixture."""
        if isinstance(value, str) and value.startswith(ENCRYPTED_BEGINNING):
            return decrypt(value)
        return super().to_python(value)

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None
