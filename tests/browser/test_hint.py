"""The composer's hint, which names the space on a phone as well."""

import pytest
from playwright.sync_api import Page, expect

from people.models import Space, User

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
ROOM = """(box) => {
  const style = getComputedStyle(box);
  const context = document.createElement("canvas").getContext("2d");
  context.font = style.font;
  const room = box.clientWidth - 2 * parseFloat(style.paddingInlineStart);
  return room - context.measureText(box.placeholder).width;
}"""
"""The pixels that the hint leaves free in its box."""


@pytest.mark.parametrize(
    ("language", "hint"),
    [("en", "Message in The Bergs"), ("pl", "Wiadomość")],
)
def test_a_phone_shows_the_name_of_the_space_in_the_hint(visit, ann, language, hint):
    def look(page: Page) -> None:
        page.goto("/chat/new")
        expect(page.get_by_placeholder(hint)).to_be_visible()
        assert page.get_by_placeholder(hint).evaluate(ROOM) >= 0

    Space.objects.update(name="The Bergs")
    User.objects.update(locale=language)
    visit(look, ann, **PHONE)


def test_a_long_name_leaves_the_box_one_line(visit, ann):
    def look(page: Page) -> None:
        page.goto("/chat/new")
        box = page.get_by_placeholder("Message in")
        assert box.evaluate(ROOM) < 0
        assert box.evaluate("(box) => box.clientHeight") < 50
        assert box.evaluate("(box) => box.scrollHeight <= box.clientHeight")

    Space.objects.update(name="The Bergs and their many friends in the mountains")
    visit(look, ann, **PHONE)
