"""Meddie on a phone: installed as an app, and spoken to."""

import re

from playwright.sync_api import Page, expect

from tests.browser.chat import answered, box, log
from tests.browser.files import arrived, unsent
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.browser.test_chat_layout import PHONE

MICROPHONE = {"permissions": ["microphone"]}


def test_browser_can_install_it(visit, ann):
    def use(page: Page) -> tuple[list[object], list[object]]:
        page.goto("/chat/new")
        devtools = page.context.new_cdp_session(page)
        manifest = devtools.send("Page.getAppManifest")
        errors = devtools.send("Page.getInstallabilityErrors")
        for icon in page.request.get("/manifest.webmanifest").json()["icons"]:
            assert page.request.get(icon["src"]).ok
        return manifest["errors"], errors["installabilityErrors"]

    manifest_errors, others = visit(use, ann)
    assert manifest_errors == []
    # A test's window has no profile that could keep an app.
    assert {one["errorId"] for one in others} <= {"in-incognito"}


def test_message_is_recorded_by_the_keyboard_and_sent(visit, ann, openai_server):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        record = page.get_by_role("button", name="Record")
        record.press("Enter")
        stop = page.get_by_role("button", name="Stop recording")
        expect(stop).to_have_attribute("aria-pressed", "true")
        expect(stop).to_have_text("0:01")
        found = violations_in_both(page)
        stop.press("Enter")
        arrived(page, 1)
        expect(unsent(page)).to_contain_text(
            re.compile(r"Recording \d\d-\d\d\.(webm|ogg|m4a)")
        )
        expect(box(page)).to_be_focused()
        page.keyboard.press("Enter")
        answered(page)
        expect(log(page).get_by_text("Recording")).to_be_visible()
        return found

    assert visit(use, ann, **MICROPHONE, **AXE_PAGE) == []


def test_recording_is_dropped_by_escape(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.get_by_role("button", name="Record").tap()
        stop = page.get_by_role("button", name="Stop recording")
        expect(stop).to_have_text("0:01")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Record")).to_be_visible()
        expect(unsent(page)).to_have_count(0)

    visit(use, ann, **MICROPHONE, **PHONE)


def test_microphone_that_is_not_allowed_says_so(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.get_by_role("button", name="Record").click()
        expect(page.get_by_text("Meddie may not use the microphone.")).to_be_visible()

    visit(use, ann)


def test_without_a_model_that_hears_there_is_no_button(
    visit, ann, openai_server, settings
):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        expect(box(page)).to_be_focused()
        expect(page.get_by_role("button", name="Record")).to_have_count(0)

    settings.TRANSCRIPTION_MODEL = ""
    visit(use, ann)
    settings.OPENAI_API_KEY = ""
    visit(use, ann)


def test_without_a_network_a_page_says_so_and_comes_back(visit, ann):
    ann.locale = "pl"
    ann.save()

    def use(page: Page) -> tuple[list[str], list[str]]:
        page.goto("/chat/new")
        page.evaluate("navigator.serviceWorker.ready")
        kept = page.evaluate(
            """async () => (await Promise.all((await caches.keys()).map(async (name) =>
              (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat()"""
        )
        page.context.set_offline(True)
        page.goto("/people")
        expect(page.get_by_role("heading", name="Brak połączenia")).to_be_visible()
        found = violations_in_both(page)
        page.context.set_offline(False)
        expect(page.get_by_role("heading", name="Brak połączenia")).to_have_count(0)
        assert page.url.endswith("/people")
        return kept, found

    kept, found = visit(use, ann, **AXE_PAGE)
    assert found == []
    paths = [re.sub(r"https?://[^/]+", "", url) for url in kept]
    assert [path for path in paths if not path.startswith("/static/")] == ["/offline"]
