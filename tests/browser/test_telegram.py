"""The page on which members link their Telegram account."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection
from playwright.sync_api import Page, expect

from conversations.telegram.links import redeem
from people.models import Space, User
from tests.browser.conftest import Visit
from tests.factories import TelegramBotFactory


def test_sender_of_a_code_appears_by_itself_to_be_confirmed(visit: Visit, ann: User):
    space = Space.objects.get()
    TelegramBotFactory(space=space, username="home_meddie_bot")

    def send(code: str) -> None:
        redeem(space.pk, 4242, code)
        connection.close()

    def link(page: Page) -> None:
        page.goto(f"/spaces/{space.pk}/telegram")
        page.get_by_role("button", name="Link my Telegram").click()
        address = page.get_by_label("Link to Telegram").input_value()
        with ThreadPoolExecutor(1) as telegram:
            telegram.submit(send, address.partition("?start=")[2]).result()
        page.get_by_role("button", name="Confirm the Telegram ID 4242").click()
        expect(page.get_by_text("Linked.", exact=True)).to_be_visible()

    visit(link, ann)
    assert ann.telegram_links.get().confirmed_at is not None
