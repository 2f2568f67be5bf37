"""Variables of the environment, as `meddie.environment` declares them and docs list them."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

Value = TypeVar("Value")
SECTIONS: list["Variables"] = []


class Variable(NamedTuple):
    """One line of docs/settings.md."""

    name: str
    default: object
    text: str


class Variables:
    """Variables of one subject, in the order in which docs/settings.md has them."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.variables: list[Variable] = []
        SECTIONS.append(self)

    def read(
        self,
        parse: Callable[..., Value],
        name: str,
        default: object,
        text: str,
        **options: object,
    ) -> Value:
        """The value of a variable, by one of environs' parsers."""
        self.describe(name, default, text)
        return parse(name, default, **options)

    def describe(self, name: str, default: object, text: str) -> None:
        """A variable that another program reads, or one before Django's settings."""
        self.variables.append(Variable(name, default, text))
