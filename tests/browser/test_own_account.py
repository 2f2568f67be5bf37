"""A user's data, address and account in the browser."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from people.models import User
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.conversations import transcripts
from tests.factories import (
    PASSWORD,
    AttachmentFactory,
    InvitationFactory,
    MembershipFactory,
    MemoryFactory,
    UserFactory,
)


@pytest.fixture
def told(ann):
    space = ann.memberships.get().space
    talk = transcripts.start_conversation(ann, space, title="A cold")
    message = transcripts.exchange(talk, "I have a cold.", "Drink tea.").answers
    AttachmentFactory(message=message, name="letter.txt", number=1)
    MemoryFactory(user=ann, space=space, content="User has a cold")
    return talk


def test_data_is_downloaded_after_the_password(visit, ann, told, tmp_path):
    def use(page: Page) -> list[str]:
        page.goto("/account")
        page.get_by_role("link", name="Download my data").click()
        password = page.get_by_label("Your password")
        password.fill("wrong")
        page.get_by_role("button", name="Download").click()
        expect(page.get_by_text("This is not your password.")).to_be_visible()
        found = violations_in_both(page)
        password.fill(PASSWORD)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        download.value.save_as(target)
        return found

    target = tmp_path / "data.zip"
    assert visit(use, ann, **AXE_PAGE) == []
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        names = {Path(name).name for name in archive.namelist()}
    assert {"README.txt", "0001 A cold.md", "A1 letter.txt", "facts.md"} <= names


def test_account_is_deleted_after_the_password(visit, ann, told):
    def use(page: Page) -> list[str]:
        page.goto("/account")
        page.get_by_role("link", name="Delete my account").click()
        expect(page.get_by_text("1 conversation")).to_be_visible()
        found = violations_in_both(page)
        page.get_by_label("Your password").fill(PASSWORD)
        page.get_by_role("button", name="Delete account").click()
        expect(
            page.get_by_role("heading", name="Your account is deleted")
        ).to_be_visible()
        found += violations_in_both(page)
        page.goto("/account")
        expect(page).to_have_url(re.compile("/sign-in"))
        return found

    assert visit(use, ann, **AXE_PAGE) == []
    assert not User.objects.exists()


def test_obstacles_to_the_deletion_are_named_with_a_way_out(visit, ann):
    def use(page: Page) -> list[str]:
        page.goto("/account/delete")
        expect(page.get_by_text("would be left without an admin")).to_be_visible()
        expect(page.get_by_role("button", name="Delete account")).to_have_count(0)
        found = violations_in_both(page)
        page.get_by_role("main").get_by_role("link", name="Household settings").click()
        expect(page.get_by_role("heading", name="Members")).to_be_visible()
        return found

    MembershipFactory(space=ann.memberships.get().space, role="member")
    assert visit(use, ann, **AXE_PAGE) == []


def test_address_is_changed_by_the_mailed_link(visit, ann, mailoutbox, wait_for_mail):
    def ask(page: Page) -> list[str]:
        page.goto("/account")
        page.get_by_role("link", name="Change email address").click()
        page.get_by_label("New email address").fill("new@example.com")
        page.get_by_label("Your password").fill(PASSWORD)
        found = violations_in_both(page)
        page.get_by_role("button", name="Send link").click()
        expect(page.get_by_text("Open the link for new@example.com")).to_be_visible()
        return found

    def confirm(page: Page) -> list[str]:
        page.goto(link)
        found = violations_in_both(page)
        page.get_by_role("button", name="Change address").click()
        expect(page.get_by_text("Your email address is now new@")).to_be_visible()
        page.goto(link)
        return found + violations_in_both(page)

    assert visit(ask, ann, **AXE_PAGE) == []
    wait_for_mail()
    (body,) = [mail.body for mail in mailoutbox if mail.to == ["new@example.com"]]
    found = re.search(r"/account/email/\S+", body)
    assert found
    link = found[0]
    assert visit(confirm, ann, **AXE_PAGE) == []
    assert User.objects.get(pk=ann.pk).email == "new@example.com"


def test_first_sign_in_takes_the_browser_s_time_zone(visit, ann):
    def use(page: Page) -> None:
        page.goto("/sign-in")
        page.get_by_label("Email address").fill("ann@example.com")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(re.compile("/chat/new"))

    visit(use, timezone_id="Asia/Calcutta")
    assert User.objects.get(pk=ann.pk).time_zone == "Asia/Kolkata"


def test_a_user_without_a_space_is_invited(visit, ann):
    def use(page: Page) -> None:
        page.goto("/invitation/t")
        expect(page.get_by_text("Ann invites you to “Home”")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("main")).to_have_count(1)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("You are now in “Home”.")).to_be_visible()

    nell = UserFactory(email="nell@example.com")
    space = ann.memberships.get().space
    InvitationFactory(token="t", space=space, invited_by=ann, email=nell.email)
    visit(use, nell)


def test_guest_reads_what_is_shared_and_joins(visit, ann):
    def use(page: Page) -> list[str]:
        page.goto("/invitation/t")
        expect(page.get_by_text("Ann invites you to “Home”")).to_be_visible()
        expect(page.get_by_text("Yours alone: your conversations")).to_be_visible()
        found = violations_in_both(page)
        page.get_by_label("Your name").fill("Nell")
        for label in ("Password", "The same password again"):
            page.get_by_label(label, exact=True).fill("a sentence of mine")
        page.get_by_role("button", name="Create account").click()
        expect(page).to_have_url(re.compile("/chat/new"))
        return found

    space = ann.memberships.get().space
    InvitationFactory(token="t", space=space, invited_by=ann, email="nell@example.com")
    assert visit(use, timezone_id="Europe/Warsaw", **AXE_PAGE) == []
    assert User.objects.get(email="nell@example.com").time_zone == "Europe/Warsaw"


def test_link_of_an_invitation_is_copied(visit, ann):
    def use(page: Page) -> tuple[str, list[str]]:
        page.goto(settings)
        page.get_by_label("Email address").fill("nell@example.com")
        page.get_by_role("button", name="Invite").click()
        page.get_by_role("button", name="Copy the link").click()
        expect(page.locator("#page-status")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        expect(page.get_by_text(copied)).to_be_visible()
        return copied, violations_in_both(page)

    allowed = ["clipboard-read", "clipboard-write"]
    settings = f"/spaces/{ann.memberships.get().space_id}/settings"
    copied, found = visit(use, ann, permissions=allowed, **AXE_PAGE)
    assert re.search(r"/invitation/[\w-]{40,}$", copied)
    assert found == []


def test_link_has_no_copy_button_without_a_clipboard(visit, ann):
    def use(page: Page) -> None:
        page.add_init_script("delete Navigator.prototype.clipboard")
        page.goto(settings)
        page.get_by_label("Email address").fill("nell@example.com")
        page.get_by_role("button", name="Invite").click()
        expect(page.get_by_text("/invitation/")).to_be_visible()
        expect(page.get_by_role("button", name="Copy the link")).to_be_hidden()

    settings = f"/spaces/{ann.memberships.get().space_id}/settings"
    visit(use, ann)
