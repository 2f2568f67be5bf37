"""Attacks on addresses: keys of others, parts that are no key, no token."""

import random
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from tests.fuzz.actors import METHODS, UNSAFE, Actor, htmx
from tests.fuzz.addresses import Address
from tests.fuzz.checks import comparable
from tests.fuzz.values import PATHS
from tests.fuzz.world import STAFF

T = TypeVar("T")
FIXED = {"number": "1", "token": "t" * 43, "app": "people", "rest": "people/x"}
"""Arguments that name no row."""
PROGRAMS = (".well-known/", "token", "revoke", "register")
NO_BOT = "7999999999"


@dataclass(frozen=True)
class Scale:
    """At most how many of each to try."""

    addresses: int
    pages: int
    forms: int
    fields: int
    keys: int
    values: int


SHORT = Scale(addresses=90, pages=70, forms=7, fields=1, keys=1, values=1)
LONG = Scale(addresses=110, pages=100, forms=20, fields=6, keys=1, values=2)


@dataclass
class Attack:
    """By one actor, on random choices of everything."""

    actor: Actor
    addresses: list[Address]
    random: random.Random
    scale: Scale

    def some(self, every: Iterable[T], most: int) -> list[T]:
        """A random choice."""
        found = list(every)
        return self.random.sample(found, min(most, len(found)))

    def headers(self) -> dict[str, str] | None:
        """Of htmx, or of a plain form."""
        return self.random.choice([htmx(), None])

    def keys(self) -> list[str]:
        """Keys of rows that the actor may not reach."""
        ids = self.actor.world.ids
        return [key for key, users in ids.items() if self.actor.name not in users]

    def no_key(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))

    def targets(self) -> list[Address]:
        """Meddie's own addresses, and some of the admin's, which are all alike."""
        admin = [address for address in self.addresses if address.is_admin]
        own = [address for address in self.addresses if not address.is_admin]
        return own + self.some(admin, max(0, self.scale.addresses - len(own)))

    def foreign_keys(self) -> None:
        """The answer about a row of others equals the answer about no row."""
        for address in self.targets():
            if self.actor.name == STAFF and address.is_admin:
                continue  # she may view them
            for theirs, nothing in self._pairs(address):
                for method in self.some(["GET", "POST", *METHODS], self.scale.keys):
                    self._compare(method, address, theirs, nothing)
            self.actor.settle(f"keys of others in {address.route}")

    def _compare(
        self,
        method: str,
        address: Address,
        theirs: dict[str, str],
        nothing: dict[str, str],
    ) -> None:
        headers = self.headers()
        answers = [
            comparable(
                self.actor.ask(method, address.path(values), headers=headers),
                *(values[name] for name in values if theirs[name] != nothing[name]),
            )
            for values in (theirs, nothing)
        ]
        if answers[0] != answers[1]:
            request = f"{method} {address.path(theirs)} {headers}"
            self.actor.report(request, f"tells of a row: {answers}")

    def _pairs(
        self, address: Address
    ) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
        """Arguments with keys of others, and the same with keys of no row."""
        kinds = {name: address.kind_of(name) for name in address.arguments}
        fixed = {name: FIXED[kind] for name, kind in kinds.items() if kind in FIXED}
        sought = [name for name in kinds if name not in fixed]
        if not sought:
            return
        for key in self._fitting(address) + self.some(self.keys(), self.scale.keys):
            theirs = {name: self._theirs(kinds[name], key) for name in sought}
            nothing = {name: self._nothing(kinds[name]) for name in sought}
            yield fixed | theirs, fixed | nothing
            if len(sought) > 1 and (here := self._own_space()):
                yield fixed | theirs | here, fixed | nothing | here

    def _fitting(self, address: Address) -> list[str]:
        kinds = self.actor.world.kinds
        fitting = [key for key in self.keys() if kinds[key] == address.model]
        return self.some(fitting, 2 * self.scale.keys)

    def _own_space(self) -> dict[str, str]:
        spaces = [str(space.pk) for space in self.actor.world.spaces.values()]
        own = [key for key in spaces if key not in self.keys()]
        return {"pk": self.random.choice(own)} if own else {}

    def _theirs(self, kind: str, key: str) -> str:
        if kind == "bot":
            return str(self.random.choice(self.actor.world.bots).bot_id)
        if kind == "user":
            users = list(self.actor.world.users.values())
            return _uid(str(self.random.choice(users).pk))
        return key

    def _nothing(self, kind: str) -> str:
        if kind == "bot":
            return NO_BOT
        return _uid(self.no_key()) if kind == "user" else self.no_key()

    def _arguments(self, address: Address) -> dict[str, str]:
        kinds = {name: address.kind_of(name) for name in address.arguments}
        return {
            name: FIXED.get(kind) or self._nothing(kind) for name, kind in kinds.items()
        }

    def parts(self) -> None:
        """Parts of a path that are no key."""
        for address in self.some(self.targets(), self.scale.addresses // 2):
            for name in address.arguments:
                for part in self.some(PATHS, self.scale.values):
                    values = self._arguments(address) | {name: part.decode("latin1")}
                    method = self.random.choice(METHODS)
                    self.actor.ask(method, address.path(values))
        self.actor.settle("parts of paths")

    def no_token(self) -> None:
        """Only pages of Meddie may send forms."""
        for address in self.targets():
            if "bot_id" in address.arguments or address.route.startswith(
                ("v1/", "v2/", "v3/", "api/", "mcp")
            ):
                continue  # Telegram has a secret instead, and clients of the API a key
            if address.route.startswith(PROGRAMS):
                continue  # programs have codes and secrets, and no session
            if address.route == "share":
                continue  # it shows a draft, to browsers of the same site alone
            path = address.path(self._arguments(address))
            answer = self.actor.ask(self.random.choice(UNSAFE), path, headers={})
            if answer.status != 403:
                self.actor.report(path, f"needs no token: {answer.status}")
        self.actor.settle("requests without a token")


def _uid(key: str) -> str:
    return urlsafe_b64encode(key.encode()).decode().rstrip("=")
