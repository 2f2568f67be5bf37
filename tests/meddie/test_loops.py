import asyncio
import gc
import weakref

from meddie.loops import PerLoop


def test_each_loop_has_its_own_value_and_closes_it_at_its_end():
    async def close(value: list[str]) -> None:
        value.append("closed")

    async def get_twice() -> tuple[list[str], list[str]]:
        return await values.get(), await values.get()

    values: PerLoop[list[str]] = PerLoop(list, close)
    first, again = asyncio.run(get_twice())
    other, _ = asyncio.run(get_twice())

    assert first is again
    assert first is not other
    assert first == other == ["closed"]


def test_a_closed_loop_is_not_kept():
    async def close(value: object) -> None:
        pass

    async def use() -> weakref.ref[asyncio.AbstractEventLoop]:
        await values.get()
        return weakref.ref(asyncio.get_running_loop())

    values: PerLoop[object] = PerLoop(object, close)
    loop = asyncio.run(use())

    gc.collect()
    assert loop() is None
