"""A visitor or a user with a browser: cookies, a CSRF token, and what went wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote_from_bytes

import redis
from django.conf import settings

from tests.fuzz.checks import Checks
from tests.fuzz.door import Answer, Request, knock
from tests.fuzz.rows import Rows
from tests.fuzz.world import STAFF, World

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
METHODS = ("GET", "HEAD", "OPTIONS", *UNSAFE)
CSRF = "c" * 32
URLENCODED = "application/x-www-form-urlencoded"
VISITOR = "a visitor"
UNOWNED = ("django_session", "django_admin_log", "axes_")
"""Tables that every request may write, by the beginning of their names."""


@dataclass
class Actor:
    """`findings` has one sentence for each violation; all actors share them."""

    name: str
    world: World
    checks: Checks
    rows: Rows
    findings: list[str]
    count: int = 0

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: bytes = b"",
        body: tuple[str, bytes] = ("", b""),
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request with the cookies of a fresh page, and check its answer."""
        given = {"Cookie": self._cookies(), "Content-Type": body[0]}
        given |= {"X-CSRFToken": CSRF} if headers is None else headers
        request = Request(method, path.encode("latin1"), query, body[1], given)
        answer = knock(request)
        self.count += 1
        for problem in self.checks.problems(self.name, request, answer):
            self.report(request, problem)
        return answer

    def report(self, request: object, problem: str) -> None:
        self.findings.append(f"{self.name}, {str(request)[:500]}: {problem}")

    def settle(self, request: object, *, own_may_change: bool = False) -> None:
        """Look for changed rows of others, and undo all changes."""
        changed = self.rows.changed()
        if not changed:
            return
        quiet = {table for table in changed if table.startswith(UNOWNED)}
        if self.name == STAFF:
            quiet.add("memory_memoryevent")  # her looks are recorded
        own = self.world.own_of(self.name) if own_may_change else set()
        for row in self.rows.changed_of_others(changed - quiet, own):
            self.report(request, f"changed the {row}")
        self.rows.restore(changed)
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.flushdb()  # attempts are counted there

    def _cookies(self) -> str:
        key = self.world.sessions.get(self.name)
        session = f"sessionid={key}; " if key else ""
        return f"{session}csrftoken={CSRF}"


def htmx() -> dict[str, str]:
    return {"X-CSRFToken": CSRF, "HX-Request": "true"}


def encoded(fields: Mapping[str, bytes]) -> bytes:
    return b"&".join(
        f"{name}={quote_from_bytes(value)}".encode() for name, value in fields.items()
    )


def all_actors(world: World) -> dict[str, Actor]:
    shared = (world, Checks(world), Rows(), list[str]())
    return {name: Actor(name, *shared) for name in (VISITOR, *world.sessions)}
