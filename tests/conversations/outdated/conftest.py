"""Ann and Bob as in the tests of memory, and conversations that used what is known."""

from tests.memory.conftest import ann, bob, embedder, home, office, scope, tell

__all__ = ["ann", "bob", "embedder", "home", "office", "scope", "tell"]
