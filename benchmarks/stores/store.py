"""What every rival can do."""

from collections.abc import Sequence
from typing import Any, Protocol


class Store(Protocol):
    def add(self, user: str, text: str) -> None:
        """Embed and store one text as it is."""

    def search(self, user: str, text: str, limit: int) -> list[str]:
        """The texts that it finds for one user."""

    def fill(self, users: Sequence[str], texts: Sequence[str], vectors: Any) -> None:
        """Store many texts whose vectors are known, dealt out to the users in turn."""
