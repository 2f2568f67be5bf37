"""A corpus is one test that prints its misses."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., Any]


def each_of(names: str | Iterable[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for every row, and name all rows that fail.

    In place of `pytest.mark.parametrize`, for tests without fixtures.
    """
    arguments = [names] if isinstance(names, str) else list(names)
    table = [row if len(arguments) > 1 else (row,) for row in rows]

    def decorate(test: Test) -> Test:
        def run(*owner: Any) -> None:
            misses = []
            for row in table:
                try:
                    test(*owner, **dict(zip(arguments, row, strict=True)))
                except (AssertionError, pytest.fail.Exception) as error:
                    first = str(error).partition("\n")[0]
                    misses.append(f"{row!r}: {first}")
            assert table
            assert not misses, "\n".join([f"{len(misses)} of {len(table)}:", *misses])

        def of_module() -> None:
            run()

        def of_class(self: Any) -> None:
            run(self)

        is_method = "self" in inspect.signature(test).parameters
        made: Test = of_class if is_method else of_module
        made.__name__, made.__doc__ = test.__name__, test.__doc__
        made.__module__, made.__qualname__ = test.__module__, test.__qualname__
        made.pytestmark = getattr(test, "pytestmark", [])  # type: ignore[attr-defined]
        return made

    return decorate
