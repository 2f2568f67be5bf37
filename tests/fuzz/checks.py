"""What must hold for every answer."""

import re
from collections.abc import Iterator
from functools import cached_property

from tests.fuzz.door import Answer, Request
from tests.fuzz.pages import Page, events
from tests.fuzz.world import STAFF, World

KEY = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=)"\w+"')
API_KEY = re.compile(r"sk-meddie-[\w-]+")
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?|load delay:\d+ms"
)
LOCAL = re.compile(r"(?:/(?![/\\])|\?)")
REDIRECTS = {"location", "hx-redirect", "hx-location"}
POLICY = "default-src 'self'"


class Checks:
    """Looks for exceptions, leaks, inline code and addresses that lead elsewhere."""

    def __init__(self, world: World) -> None:
        self.world = world

    @cached_property
    def canary(self) -> re.Pattern[str]:
        # The longer first: one may begin with another.
        words = sorted(map(re.escape, self.world.canaries), key=len, reverse=True)
        return re.compile("|".join(words))

    def problems(self, name: str, request: Request, answer: Answer) -> Iterator[str]:
        """One sentence for each violation of `name`'s answer."""
        if answer.failure or answer.status in {500, 501, 502}:
            yield f"failed with {answer.status}: {answer.failure}"
        shown = "\n".join([answer.text, *(f"{k}: {v}" for k, v in answer.headers)])
        yield from self._leaks(name, request, shown)
        yield from _inline_code(request, answer)
        for key, value in answer.headers:
            if key in REDIRECTS and not LOCAL.match(value):
                yield f"leads to {value[:200]}"
            if "\n" in value or "\r" in value or value.startswith("evil="):
                yield f"has the header {key}: {value[:200]!r}"

    def _leaks(self, name: str, request: Request, shown: str) -> Iterator[str]:
        sent = request.sent
        for word in sorted(set(self.canary.findall(shown))):
            if name not in self.world.canaries[word] and word not in sent:
                yield f"shows {word}"
        if name == STAFF and request.path.startswith(b"/admin/"):
            return  # she may view them
        for key in sorted(set(KEY.findall(shown))):
            if name not in self.world.ids.get(key, {name}) and key not in sent:
                yield f"shows the key {key} of a {self.world.kinds[key]}"


def _inline_code(request: Request, answer: Answer) -> Iterator[str]:
    kind = answer.header("content-type") if answer.body else ""
    if kind.startswith("text/html"):
        if POLICY not in answer.header("content-security-policy"):
            yield "is a page without a content security policy"
        pieces = [answer.text]
    elif kind.startswith("text/event-stream"):
        pieces = list(events(answer.text))
    else:
        return
    for html in pieces:
        for code in Page(request.path.decode("latin1"), html).code:
            yield f"contains {code}"


def comparable(answer: Answer, *keys: str) -> tuple[object, ...]:
    """The answer without tokens, moments and keys of rows, and without these keys."""

    def plain(text: str) -> str:
        for key in keys:
            text = text.replace(key, "KEY")
        text = API_KEY.sub("KEY", text)
        return KEY.sub("KEY", MOMENT.sub("MOMENT", TOKEN.sub(r"\1", text)))

    headers = [
        (name, value.partition("=")[0] if name == "set-cookie" else plain(value))
        for name, value in answer.headers
        if name not in {"content-length", "expires"}
    ]
    return answer.status, tuple(headers), plain(answer.text)
