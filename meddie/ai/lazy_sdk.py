"""The OpenAI SDK and aiohttp, imported at their first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["aiohttp", "openai"]


class _Later:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


if TYPE_CHECKING:
    import aiohttp
    import openai
else:
    aiohttp = _Later("aiohttp")
    openai = _Later("openai")
