"""One value per event loop."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

V = TypeVar("V")


class PerLoop(Generic[V]):
    """The running loop's value, made at its first use and closed with the loop."""

    def __init__(
        self, make: Callable[[], V], close: Callable[[V], Awaitable[object]]
    ) -> None:
        self._make = make
        self._close = close
        self._values: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[V, AsyncGenerator[None]]
        ] = WeakKeyDictionary()

    async def get(self) -> V:
        loop = asyncio.get_running_loop()
        if loop not in self._values:
            value = self._make()
            closer = self._closing(loop, value)
            self._values[loop] = value, closer
            await anext(closer)
        return self._values[loop][0]

    async def _closing(
        self, loop: asyncio.AbstractEventLoop, value: V
    ) -> AsyncGenerator[None]:
        """The end of its generators is a loop's only hook."""
        try:
            yield
        finally:
            self._values.pop(loop, None)
            await self._close(value)
