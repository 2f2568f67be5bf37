"""The hash that identifies a fact."""

import hashlib

from meddie.text import one_line


def content_hash(text: str) -> str:
    """SHA-256 of one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()
