"""Text that lies in the database encrypted, under keys of its own.

The first of FIELD_KEYS encrypts, every one of them decrypts. So a new key is put in
front, `manage.py rotate_keys` writes all rows anew, and the old key can go. Where none
is set, one is made at first use and kept in the data folder.
"""

from functools import cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models

from meddie.embedded.locations import locations

VERSION = "gAAAAA"
"""How everything begins that Fernet has encrypted in this century."""


class Unreadable(Exception):
    """The value was encrypted with a key that is not among FIELD_KEYS."""

    def __init__(self) -> None:
        super().__init__("no key of FIELD_KEYS opens this value")


def check_keys() -> None:
    """Raise ImproperlyConfigured where FIELD_KEYS holds something else."""
    if settings.FIELD_KEYS:
        _opener(tuple(settings.FIELD_KEYS))


def _keys() -> tuple[str, ...]:
    return tuple(settings.FIELD_KEYS) or (locations().field_key(),)


@cache
def _opener(keys: tuple[str, ...]) -> MultiFernet:
    try:
        return MultiFernet([Fernet(_padded(key)) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(
            "FIELD_KEYS holds a key that is none: each is 32 random bytes in url-safe"
            " base64"
        ) from error


def _padded(key: str) -> str:
    """The kept key's file is without base64's last sign."""
    return key + "=" * (-len(key) % 4)


def encrypt(text: str) -> str:
    """What is stored for a text; another one each time."""
    return _opener(_keys()).encrypt(text.encode()).decode()


def decrypt(stored: str) -> str:
    """The text again; raises Unreadable."""
    try:
        return _opener(_keys()).decrypt(stored).decode()
    except InvalidToken:
        raise Unreadable from None


def is_current(stored: str) -> bool:
    """Whether the first key opens it."""
    try:
        _opener(_keys()[:1]).decrypt(stored)
    except InvalidToken:
        return False
    return True


class EncryptedField(models.TextField):  # type: ignore[type-arg]
    """A text that only the application reads: in the database, in back-ups and in
    fixtures it is encrypted, and no form offers it.

    Rows cannot be looked for by it, because the same text is stored differently each
    time.
    """

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
        """Fixtures hold what `value_to_string` made."""
        if isinstance(value, str) and value.startswith(VERSION):
            return decrypt(value)
        return super().to_python(value)

    def get_lookup(self, lookup_name: str) -> Any:
        return super().get_lookup(lookup_name) if lookup_name == "isnull" else None
