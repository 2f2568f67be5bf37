"""Pages in Polish have no English left. Texts of users are left out."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client

from people.models import User
from tests.fuzz.addresses import Address, all_addresses
from tests.fuzz.world import build

ENGLISH = re.compile(
    r"\b(?:the|and|of|with|your|you|this|that|is|are|have|not|by|be|or|it)\b", re.I
)
OF_USERS = re.compile(r"(?:Memory line: )?(?:User likes |You like )?\S*qx\w+\S*")
NO_LANGUAGE = {"script", "style", "code", "pre", "kbd", "option"}
TOLD = {"aria-label", "title", "placeholder", "alt"}


REFERENCE = "api/docs"  # the words of the schema, which is English
FEWEST = {"": 5, "clara": 40}
"""How many pages a visitor and the admin of a space see at least."""


class Texts(HTMLParser):
    """What a page says, in its text and in attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._without = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NO_LANGUAGE:
            self._without = tag
        self.found += [value for name, value in attrs if name in TOLD and value]

    def handle_endtag(self, tag: str) -> None:
        if tag == self._without:
            self._without = ""

    def handle_data(self, data: str) -> None:
        if not self._without:
            self.found.append(data)


def translated() -> set[str]:
    """English texts that are another in Polish."""
    path = Path(settings.LOCALE_PATHS[0]) / "pl" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        catalogue = list(read_po(file, locale="pl"))
    polish = {message.string for message in catalogue}
    return {message.id for message in catalogue if message.id} - polish


def left_in_english(html: str, english: set[str]) -> set[str]:
    texts = (OF_USERS.sub("", " ".join(text.split())) for text in Texts(html).found)
    return {text for text in texts if text.strip() in english or ENGLISH.search(text)}


@pytest.fixture
def world(api_url):
    world = build(api_url)
    User.objects.update(locale="pl")
    return world


def paths(world, address: Address) -> list[str]:
    if not address.arguments:
        return [address.path({})]
    keys = [key for key, kind in world.kinds.items() if kind == address.model]
    return [address.path(dict.fromkeys(address.arguments, key)) for key in keys]


@pytest.mark.req("B-20")
@pytest.mark.parametrize("name", FEWEST)
def test_no_english_is_left_on_a_polish_page(world, name):
    client = Client(headers={"Accept-Language": "pl"})
    if name:
        client.cookies["sessionid"] = world.sessions[name]
    english, seen, left = translated(), 0, {}
    for address in all_addresses():
        english_only = address.is_admin or address.route == REFERENCE
        for path in [] if english_only else paths(world, address):
            answer = client.get(path)
            if answer.headers["Content-Type"].startswith("text/html"):
                seen += 1
                left |= dict.fromkeys(left_in_english(answer.text, english), path)
    assert seen > FEWEST[name]
    assert not left
