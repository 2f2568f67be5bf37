"""The people of the tests of memory, whose facts the operators' API shows."""

from tests.memory.conftest import ann, bob, embedder, home, office, scope, tell

__all__ = ["ann", "bob", "embedder", "home", "office", "scope", "tell"]
