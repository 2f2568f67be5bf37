"""Replies with formulas, tables and code: how they grow, scroll and are copied."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import answered, replies, say, send
from tests.browser.prose import MIXED, REPLY
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.openai_answers import says

PHONE = {"viewport": {"width": 360, "height": 740}}
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
WATCH = r"""
window.shifts = [];
window.moves = [];
window.raw = [];
new PerformanceObserver((list) => {
  for (const { value, sources, hadRecentInput } of list.getEntries()) {
    const nodes = sources.map(({ node }) => node?.outerHTML?.slice(0, 80));
    if (!hadRecentInput) window.shifts.push([value, nodes]);
  }
}).observe({ type: "layout-shift" });
// The browser takes a block that is rendered again for a new one: watch their places.
const tops = [];
new MutationObserver(() => {
  const reply = document.querySelectorAll(".log > .reply")[1];
  if (!reply) return;
  const start = reply.getBoundingClientRect().top;
  const blocks = [...reply.querySelectorAll(".prose > *")];
  blocks.forEach((block, place) => {
    const top = block.getBoundingClientRect().top - start;
    tops[place] ??= top;
    if (Math.abs(tops[place] - top) > 1) window.moves.push([tops[place], top, block.outerHTML]);
  });
  const words = blocks.map((block) => {
    const copy = block.cloneNode(true);
    copy.querySelectorAll("code").forEach((element) => element.remove());
    return copy.textContent;
  });
  window.raw.push(...(words.join(" ").match(/[$|`\\]|\[ \]/g) ?? []));
}).observe(document.getElementById("log"), { childList: true, subtree: true });
"""


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_jumps_and_nothing_is_raw_while_a_reply_streams(
    visit, ann, openai_server, width
):
    def use(page: Page) -> tuple[list, list, list]:
        page.goto("/chat/new")
        say(page, "Hello")
        page.evaluate(WATCH)
        send(page, "What is my BMI?")
        answered(page)
        expect(replies(page).last.locator("math")).to_have_count(3)
        return page.evaluate("[window.shifts, window.moves, window.raw]")

    openai_server.chat.queue(says("Hello"), says(REPLY, pace=0.03))
    shifts, moves, raw = visit(use, ann, viewport={"width": width, "height": 800})
    assert sum(value for value, _ in shifts) < 0.05, shifts
    assert moves == []
    assert raw == []


def test_table_keeps_its_columns_while_it_grows(visit, ann, openai_server):
    def use(page: Page) -> set[str]:
        page.goto("/chat/new")
        page.evaluate("""
            window.columns = new Set();
            new MutationObserver(() => {
              const cells = [...document.querySelectorAll(".reply th")];
              const widths = cells.map((cell) => Math.round(cell.getBoundingClientRect().width));
              if (widths.length) window.columns.add(widths.join(" "));
            }).observe(document.body, { childList: true, subtree: true });
        """)
        say(page, "Which drugs?")
        return set(page.evaluate("[...window.columns]"))

    rows = "| A | it thins the blood |\n| Hydroxychloroquine | " + "word " * 30 + "|\n"
    table = "| Drug | What for |\n|---|--:|\n" + rows * 5
    openai_server.chat.default = lambda _body: says(table + "\nEnd.", pace=0.01)
    assert len(visit(use, ann)) == 1


def test_wide_table_scrolls_with_the_keyboard_and_keeps_the_page(
    visit, ann, openai_server
):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "What is my BMI?")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        table = page.get_by_role("region", name="Table")
        table.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "() => document.querySelector('.reply .table').scrollLeft > 0"
        )
        align = "element => getComputedStyle(element).textAlign"
        cells = table.locator("tbody tr").first.locator("td")
        assert [cells.nth(n).evaluate(align) for n in (0, 1, 4)] == [
            "left",
            "right",
            "center",
        ]

    openai_server.chat.default = lambda _body: says(REPLY)
    visit(use, ann, **PHONE)


def test_replies_with_everything_are_accessible(visit, ann, openai_server):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        say(page, "What is my BMI?")
        say(page, "In Arabic, please.")
        return violations_in_both(page)

    openai_server.chat.queue(says(REPLY), says(MIXED))
    assert visit(use, ann, **AXE_PAGE) == []


def test_each_paragraph_has_the_direction_of_its_language(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "In Arabic, please.")
        reply = replies(page).last
        english = reply.get_by_text("This paragraph is in English.")
        arabic = reply.locator("p").first
        assert edge(english, "left") == pytest.approx(edge(arabic, "left"), abs=1)
        ranges = "e => { const r = document.createRange(); r.selectNodeContents(e);"
        ranges += " const b = r.getBoundingClientRect(); return [b.left, b.right]; }"
        box = reply.bounding_box()
        assert box is not None
        assert english.evaluate(ranges)[0] == pytest.approx(box["x"], abs=2)
        right = box["x"] + box["width"]
        assert arabic.evaluate(ranges)[1] == pytest.approx(right, abs=2)
        assert (
            reply.locator("pre").evaluate("e => getComputedStyle(e).direction") == "ltr"
        )

    openai_server.chat.default = lambda _body: says(MIXED)
    visit(use, ann)


def edge(element: Locator, side: str) -> float:
    return element.evaluate(f"e => e.getBoundingClientRect().{side}")


def test_reply_is_copied_as_markdown_and_as_html(visit, ann, openai_server):
    def use(page: Page) -> dict[str, str]:
        page.goto("/chat/new")
        say(page, "What is my BMI?")
        button = replies(page).last.get_by_role("button", name="Copy", exact=True).last
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_contain_text("✓Copied")
        expect(page.locator("#page-status")).to_have_text("Copied")
        expect(button).not_to_contain_text("Copied")
        expect(page.locator("#page-status")).to_be_empty()
        return page.evaluate("""async () => {
            const [item] = await navigator.clipboard.read();
            const types = ["text/plain", "text/html"];
            const blobs = await Promise.all(types.map((type) => item.getType(type)));
            return { plain: await blobs[0].text(), html: await blobs[1].text() };
        }""")

    openai_server.chat.default = lambda _body: says(REPLY)
    copied = visit(use, ann, **CLIPBOARD)
    assert copied["plain"].strip() == REPLY.strip()
    assert "<strong>body mass index</strong>" in copied["html"]
    assert "<table>" in copied["html"]
    assert "<math" in copied["html"]
    assert "Copy" not in copied["html"]
    assert "tabindex" not in copied["html"]


def test_code_and_own_messages_are_copied_as_their_text(visit, ann, openai_server):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        say(page, "One  line\nand another")
        code = replies(page).last.locator(".code")
        code.hover()
        code.get_by_role("button").click()
        expect(code.get_by_role("button")).to_have_text("✓Copied")
        copied = [page.evaluate("navigator.clipboard.readText()")]
        message = page.locator(".message.user")
        message.hover()
        message.get_by_role("button", name="Copy").click()
        expect(message.get_by_text("Copied")).to_be_visible()
        return [*copied, page.evaluate("navigator.clipboard.readText()")]

    openai_server.chat.default = lambda _body: says("```python\nif x:\n    y = 1\n```")
    copied = visit(use, ann, **CLIPBOARD)
    assert copied == ["if x:\n    y = 1\n", "One  line\nand another"]


def test_without_a_clipboard_there_is_no_copying(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })"
        )
        page.goto("/chat/new")
        say(page, "What is my BMI?")
        replies(page).last.hover()
        expect(page.get_by_role("button", name="Copy")).to_have_count(0)
        expect(page.get_by_role("button", name="Try again")).to_be_visible()

    openai_server.chat.default = lambda _body: says(REPLY)
    visit(use, ann)
