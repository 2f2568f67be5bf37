"""A fact without what a prompt adds to it, and the hash that identifies it."""

import hashlib
import re

from meddie.text import one_line

STATED = re.compile(r"(?:\(stated \d{4}-\d\d-\d\d\)\W*)+$")


def content_hash(text: str) -> str:
    """SHA-256 of one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()


def without_date(text: object) -> object:
    """Cut off the dates of a line that a model copied from its prompt."""
    return STATED.sub("", text).rstrip() if isinstance(text, str) else text
