"""The OpenAI SDK, read when something of it is first asked for.

Reading it is a quarter of a program's start, and without a key nothing of it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["openai"]


class _Later:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


if TYPE_CHECKING:
    import openai
else:
    openai = _Later("openai")
