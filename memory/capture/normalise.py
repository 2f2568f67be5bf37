"""The hash by which a fact is known again."""

import hashlib

from meddie.text import one_line


def content_hash(text: str) -> str:
    """What makes two facts the same: SHA-256 of the one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()
