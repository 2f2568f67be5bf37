"""Pictures of every page, wide and narrow, light and dark: `make screenshots`.

Not a test: pytest runs it only when it is named, because it needs the same servers.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import pictured
from tests.browser.conftest import Visit
from tests.browser.files import LETTER, PICTURE, add_files
from tests.factories import UserFactory

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).parents[2] / ".data" / "screenshots"
SIZES = {"wide": (1280, 800), "narrow": (360, 740)}


@pytest.fixture
def home(transactional_db: None) -> pictured.Home:
    return pictured.the_bergs()


def test_screenshots(visit: Visit, home: pictured.Home) -> None:
    ann, space, me = home
    staff = UserFactory(
        email="operator@example.com", name="Olga", is_staff=True, is_superuser=True
    )
    long_conversation = pictured.long_conversation(home)
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = {
        "sign-in": ("/sign-in", None),
        "new": ("/chat/new", ann),
        "chat": (long_conversation, ann),
        "states": (pictured.bad_conversation(home), ann),
        "emergency": (pictured.emergency_conversation(home), ann),
        "memory-lines": (pictured.memory_conversation(home), ann),
        "outdated": (pictured.outdated_conversation(home), ann),
        "memory": ("/memory", ann),
        "files": (pictured.files_conversation(home), ann),
        "versions": (pictured.versions_conversation(home), ann),
        "formulas": (pictured.prose_conversation(home), ann),
        "telegram-conversation": (pictured.telegram_conversation(home), ann),
        "list": ("/chat", ann),
        "search": ("/chat?q=ibuprofen", ann),
        "selection": ("/chat?select=1", ann),
        "row-menu": ("/chat", ann),
        "keys": ("/chat", ann),
        "delete": (f"{long_conversation}/delete", ann),
        "model": ("/model", ann),
        "people": ("/people", ann),
        "person": (f"/people/{me.pk}", ann),
        "person-edit": (f"/people/{me.pk}/edit", ann),
        "space": (f"/spaces/{space.pk}/settings", ann),
        "telegram": (f"/spaces/{space.pk}/telegram", ann),
        "api-keys": (f"/spaces/{space.pk}/keys", ann),
        "account": ("/account", ann),
        "account-download": ("/account/download", ann),
        "account-delete": ("/account/delete", ann),
        "account-proofs": ("/account/proofs", ann),
        "account-email": ("/account/email", ann),
        "invitation": ("/invitation/of-grandma", None),
        "not-found": ("/nothing-here", ann),
        "desk-facts": (f"/admin/memory/memory/?user={ann.pk}", staff),
        "desk-events": (f"/admin/memory/memoryevent/?user={ann.pk}", staff),
        "desk-inspector": (
            f"/admin/desk/inspector/?user={ann.pk}&space={space.pk}",
            staff,
        ),
        "desk-judgement": ("/admin/desk/judgement/", staff),
        "desk-probes": ("/admin/desk/probes/", staff),
        "desk-queues": ("/admin/desk/queues/", staff),
        "desk-charts": ("/admin/desk/charts/", staff),
    }
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            for name, (path, user) in pages.items():
                visit(
                    lambda page, path=path, target=FOLDER / f"{name}-{size}-{scheme}.png": (
                        shoot(page, path, target)
                    ),
                    user,
                    viewport={"width": width, "height": height},
                    color_scheme=scheme,
                )


def _add_files(page: Page) -> None:
    add_files(page, PICTURE, {**LETTER, "name": "notes.zip", "buffer": b"PK\0"})
    expect(page.locator(".arriving:not(.failed)")).to_have_count(0)


def _select_two(page: Page) -> None:
    for box in page.get_by_role("main").get_by_role("checkbox").all()[:2]:
        box.check()


def _open_row_menu(page: Page) -> None:
    row = page.get_by_role("main").locator(".conversation-row").first
    row.hover()
    row.get_by_role("link", name="Actions").click()
    expect(page.locator("#row-menu").get_by_text("Rename")).to_be_visible()


def _list_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


# What is done on a page before its picture is taken.
STEPS = {
    "files": _add_files,
    "selection": _select_two,
    "row-menu": _open_row_menu,
    "keys": _list_keys,
}


def shoot(page: Page, path: str, target: Path) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if prepare := STEPS.get(target.name.rsplit("-", 2)[0]):
        prepare(page)
        page.wait_for_load_state("networkidle")
    page.screenshot(path=target)
