"""What a person does on the chat page, for the browser tests."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

PARTS = tuple(f"Part {n} of **the story** goes on.\n\n" for n in range(1, 13))
STORY = "".join(PARTS)


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Messages")


def replies(page: Page) -> Locator:
    return log(page).locator(".reply")


def send(page: Page, text: str) -> None:
    """Type a message and press the button."""
    box(page).fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def answered(page: Page) -> str:
    """Wait for the end of the reply; return its words."""
    expect(page.locator(".growing, .waiting")).to_have_count(0)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    return replies(page).last.locator(".blocks").inner_text()


def say(page: Page, text: str) -> str:
    """Send a message and wait for the whole reply."""
    before = replies(page).count()
    send(page, text)
    expect(replies(page)).to_have_count(before + 1)
    return answered(page)


def again(page: Page, press: Callable[[Locator], None] = Locator.click) -> str:
    """Regenerate the last reply, and wait for it."""
    old = replies(page).last.get_attribute("id")
    press(page.get_by_role("button", name="Try again"))
    expect(page.locator(f"#{old}")).to_have_count(0)
    return answered(page)


def start_conversation(page: Page) -> None:
    """Press "New conversation" and wait for the empty page."""
    page.get_by_role("button", name="New conversation").click()
    expect(log(page).locator(".message")).to_have_count(0)


def actions(page: Page) -> Locator:
    """The button of the open conversation's menu."""
    return page.get_by_role("main").get_by_role("link", name="Actions")


def choose(page: Page, name: str) -> None:
    """Choose an action of the open menu."""
    page.locator("#row-menu").get_by_text(name, exact=True).click()


def rows(page: Page, name: str = "Conversations") -> Locator:
    """The links of a list of conversations."""
    return page.get_by_role("list", name=name, exact=True).locator(".row-link")
