"""Making a key in the browser."""

from playwright.sync_api import Page, expect

from people.models import ApiKey
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both


def test_new_key_can_be_copied(visit, ann):
    space = ann.memberships.get().space

    def make(page: Page) -> tuple[str, str, list[str]]:
        page.goto(f"/spaces/{space.pk}/keys")
        page.get_by_label("Name").fill("Laptop")
        page.get_by_role("button", name="Create key").click()
        page.get_by_title("Copy").click()
        expect(page.locator("#page-status")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        shown = page.get_by_role("status").locator("code").first.inner_text()
        return copied, shown, violations_in_both(page)

    allowed = ["clipboard-read", "clipboard-write"]
    copied, shown, violations = visit(make, ann, permissions=allowed, **AXE_PAGE)
    assert copied == shown
    assert copied.startswith(ApiKey.objects.get().prefix)
    assert violations == []
