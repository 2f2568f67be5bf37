"""A reply that grows: what is announced, where the focus is, and that nothing jumps."""

import pytest
from playwright.sync_api import Page, expect

from conversations.reply import active_replies
from conversations.web.views import replies as reply_views
from conversations.web.views.send import start_turn
from tests.browser.chat import again, answered, replies, say, send
from tests.openai_answers import says


@pytest.mark.parametrize("pace", [0, 0.02], ids=["at once", "slowly"])
def test_only_finished_blocks_are_announced(visit, ann, openai_server, pace):
    def listen(page: Page) -> list[str]:
        page.goto("/chat/new")
        page.evaluate(
            """() => {
              window.heard = [];
              const quiet = (node) => (node.nodeType === 1 ? node : node.parentElement)
                ?.closest("[aria-live=off]");
              new MutationObserver((all) => all.forEach((one) =>
                one.addedNodes.forEach((node) => {
                  if (!quiet(one.target) && !quiet(node) && node.textContent.trim())
                    window.heard.push(node.textContent.trim());
                }))).observe(document.querySelector("[role=log]"),
                  { subtree: true, childList: true });
            }"""
        )
        say(page, "Tell me.")
        return page.evaluate("window.heard")

    sentences = ["One is here.", "Two is here.", "Three is here."]
    openai_server.chat.default = lambda _body: says("\n\n".join(sentences), pace=pace)
    heard = visit(listen, ann)
    said = [one for one in heard if one.startswith(("One", "Two", "Three"))]
    assert said == sentences


@pytest.mark.parametrize("done", [False, True], ids=["begun", "done"])
def test_focus_stays_when_a_reply_is_regenerated(
    visit, ann, openai_server, monkeypatch, done
):
    """Also when the new reply is done before the log is rendered."""

    async def start_and_wait(begin):
        turn = await start_turn(begin)
        if done and turn.reply_id in active_replies.replies:
            await active_replies.replies[turn.reply_id].task
        return turn

    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        again(page, lambda button: button.press("Enter"))
        expect(page.locator(".reply")).to_be_focused()

    monkeypatch.setattr(reply_views, "start_turn", start_and_wait)
    openai_server.chat.default = lambda _body: says("Hello.")
    visit(use, ann)


# The position of the paragraph, in every frame since it appeared.
RECORD_HEIGHTS = """
    window.heights = [];
    (function look() {
        for (const p of document.querySelectorAll("[role=log] .reply p"))
            if (p.textContent.trim() === "One is here.")
                window.heights.push(p.getBoundingClientRect().y);
        requestAnimationFrame(look);
    })();
"""


def test_growing_reply_never_moves_the_text_above_it(visit, ann, openai_server):
    def use(page: Page) -> tuple[list[float], int]:
        page.add_init_script(RECORD_HEIGHTS)
        page.goto("/chat/new")
        send(page, "Tell me.")
        expect(replies(page).get_by_text("One is here.")).to_be_visible()
        openai_server.released.set()
        answered(page)
        return page.evaluate("[window.heights, scrollY]")

    pieces = ("One is here.", "\n\n## Two", "\n\nThree", "\n\n1. four", "\n2. five")
    openai_server.chat.default = lambda _body: says(
        "".join(pieces), pieces=pieces, hold=1, pace=0.1
    )
    heights, scrolled = visit(use, ann, viewport={"width": 900, "height": 1000})
    assert scrolled == 0
    assert len(heights) > 1
    assert max(heights) - min(heights) < 1
