"""The text functions and regular expressions of Meddie, found in its modules."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType

PACKAGES = ("memory", "conversations", "meddie", "people")
OTHERS = (
    ".migrations",
    "meddie.asgi",
    "meddie.celery",
    "meddie.dispatch",  # calls the broker
    "meddie.embedded",  # starts programs
    "meddie.ai.configured",  # writes a file
    "people.mail",  # sends mail
    "people.invitations",
    "telegram.bot_api.api",  # makes clients
)
NOT_SEARCHED = {"prepare_query", "extract"}
"""They ask a model."""
SENTENCE = "I am allergic to ibuprofen."


def modules() -> Iterator[ModuleType]:
    for package in map(importlib.import_module, PACKAGES):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(other in found.name for other in OTHERS):
                yield importlib.import_module(found.name)


def text_functions() -> dict[str, Callable[[str], object]]:
    """The public functions of texts, with the hostile text in each place."""
    found: dict[str, Callable[[str], object]] = {}
    for module in modules():
        for name, function in vars(module).items():
            own = getattr(function, "__module__", "") == module.__name__
            public = not name.startswith("_") and name not in NOT_SEARCHED
            if own and public and inspect.isfunction(function):
                found |= _calls(f"{module.__name__}.{name}", function)
    return found


def _calls(
    name: str, function: Callable[..., object]
) -> dict[str, Callable[[str], object]]:
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty]
    if not needed or any(p.annotation not in (str, "str") for p in needed):
        return {}
    try:
        function(*[SENTENCE] * len(needed))
    except Exception:  # noqa: BLE001 -- not a function of any text
        return {}
    calls = {name: lambda text: function(*[text] * len(needed))}
    if len(needed) > 1:
        calls[f"{name}: of a fact"] = lambda text: function(
            SENTENCE, *[text] * (len(needed) - 1)
        )
    return calls


def patterns() -> dict[str, re.Pattern[str]]:
    """The compiled expressions, also those in collections and objects."""
    found: dict[re.Pattern[str], str] = {}
    for module in modules():
        for name, value in vars(module).items():
            if not name.startswith("__"):
                for number, pattern in enumerate(_patterns_in(value, depth=3)):
                    found.setdefault(pattern, f"{module.__name__}.{name} {number}")
    return {name: pattern for pattern, name in found.items()}


def _patterns_in(value: object, *, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth:
        inside: Iterable[object]
        if isinstance(value, Mapping):
            inside = value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            inside = value
        elif type(value).__module__.startswith(PACKAGES):
            inside = getattr(value, "__dict__", {}).values()
        else:
            return
        for one in inside:
            yield from _patterns_in(one, depth=depth - 1)
