"""WCAG 2.2 AA on every page in light and dark, by axe-core; and what it cannot see."""

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, expect

from conversations.models import Message, Receipt
from conversations.reply import active_replies
from conversations.reply.append_messages import append_notes_line
from conversations.web.turns import start_turn
from conversations.web.views import edit
from memory.models import Memory, MemoryUpdate
from people.models import ProfileUpdate
from tests.browser.chat import actions, again, answered, box, choose, replies, say, send
from tests.browser.files import LETTER, PICTURE, add_files
from tests.conversations import transcripts
from tests.conversations.attachments.sent import png
from tests.factories import (
    ApiKeyFactory,
    AttachmentFactory,
    ExternalUserFactory,
    InvitationFactory,
    MemoryFactory,
    PersonFactory,
    SpaceFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
)
from tests.openai_server import says

pytestmark = pytest.mark.browser

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": WCAG},
    "resultTypes": ["violations"],
}
AXE = Axe().axe_script
AXE_PAGE = {
    "color_scheme": "light",
    "viewport": {"width": 1280, "height": 800},
    "reduced_motion": "reduce",  # no colour on its way to another
    "bypass_csp": True,  # for axe's own script
}
REPLY = "# A\n\n- b\n\n|c|d|\n|-|-|\n|e|f|\n\n```\ng\n```\n\n[h](https://a.example) `i`"


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    SpaceFactory(name="Another", members=[ann])
    InvitationFactory(space=space, invited_by=ann)
    ApiKeyFactory(space=space, user=ann, trusted_proxy=True)
    ExternalUserFactory(space=space)
    TelegramBotFactory(space=space)
    TelegramLinkFactory(space=space, user=ann, confirmed_at=None)
    person = PersonFactory(space=space, user=ann, name="ليلى", health_notes="- Asthma")
    conversation = transcripts.start_conversation(
        ann, space, title="Breathing", person=person
    )
    first = transcripts.exchange(conversation, "I have asthma.", REPLY)
    update = ProfileUpdate.objects.create(
        person=person, author=ann, field="health_notes", action="append", text="Asthma"
    )
    transcripts.say(
        conversation, Message.Role.SYSTEM, "Saved: Asthma", profile_update=update
    )
    half = transcripts.exchange(conversation, "And?", "Half", "stopped")
    facts: list[Any] = [MemoryFactory(user=ann, space=space) for _ in range(2)]
    kind = Message.LineKind
    with transaction.atomic():
        keys = [fact.pk for fact in facts]
        append_notes_line(half, "", keys, line_kind=kind.REMEMBERED)
        append_notes_line(
            half, "Not remembered: x", keys, line_kind=kind.NOT_REMEMBERED
        )
        append_notes_line(half, "Not in the notes: x", line_kind=kind.NOT_REMOVED)
        append_notes_line(half, "Forget all?", line_kind=kind.FORGET_ALL)
    Receipt.objects.create(
        message=first, kind="memory", object_id=facts[0].pk, rank=1, score=1
    )
    MemoryUpdate.objects.create(user=ann, new=facts[0], old=_superseded(ann, space))
    _with_files(half.answers)
    failed = transcripts.exchange(conversation, "And?", "", "failed")
    transcripts.exchange(conversation, "And now?", "So far", "streaming")
    Message.objects.filter(pk=failed.pk).update(error="provider_down")
    return conversation


def _superseded(ann, space) -> Any:
    return MemoryFactory(
        user=ann,
        space=space,
        active=False,
        retired_reason="superseded",
        retired_at=timezone.now(),
        linked=False,
    )


def _with_files(message: Message) -> None:
    """A file that is being read, one that cannot be, and a described picture."""
    kept: dict[str, Any] = {"message": message}
    AttachmentFactory(**kept)
    AttachmentFactory(**kept, state="failed", error="encrypted")
    image = {"kind": "image", "content_type": "image/png", "content": png(400, 300)}
    AttachmentFactory(**kept, **image, state="done", description="A ginger cat")
    AttachmentFactory(**kept, **image)


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("(options) => axe.run(options)", OPTIONS)["violations"]
    return [
        f"{page.url}: {one['id']} {node['target']} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


def violations_in_both(page: Page) -> list[str]:
    """Wide in light, then narrow in dark, without loading the page again."""
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 800})
    found += violations(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


def test_every_page_keeps_to_wcag(visit, ann, conversation):
    def look(page: Page) -> list[str]:
        found = []
        for path in paths:
            page.goto(path)
            found += violations_in_both(page)
        page.goto(f"/chat/{conversation.pk}")
        actions(page).click()
        choose(page, "Rename")
        expect(page.get_by_role("dialog")).to_be_visible()
        return [*found, *violations_in_both(page)]

    person, space = conversation.person, conversation.space
    message = conversation.messages.first()
    assert message is not None
    fact = Memory.objects.active().first()
    assert fact is not None
    paths = [
        *("/chat/new", "/chat/new?person=", "/chat", "/chat?q=nothing"),
        *("/chat?q=asthma", "/chat?select=1", "/chat?archived=1", "/chat/keys"),
        f"/chat/{conversation.pk}/actions",
        *(
            f"/chat/{conversation.pk}",
            f"/chat/{conversation.pk}/delete",
            f"/chat/{conversation.pk}/rename",
        ),
        *(f"/chat/message/{message.pk}/edit", "/nothing-here"),
        *(
            "/model",
            "/people",
            "/people/new",
            "/account",
            "/password/change",
            "/spaces/new",
        ),
        *(f"/people/{person.pk}{end}" for end in ("", "/edit", "/history", "/delete")),
        *(f"/spaces/{space.pk}{end}" for end in ("/settings", "/telegram", "/keys")),
        "/invitation/nothing",
        *("/memory", "/memory?q=nothing", "/memory/forget"),
        *(f"/memory/{fact.pk}/{verb}" for verb in ("edit", "forget")),
    ]
    found = visit(look, ann, **AXE_PAGE)
    assert found == [], "\n".join(found)


def test_composer_with_files_keeps_to_wcag(visit, ann, openai_server):
    def look(page: Page) -> list[str]:
        page.goto("/chat/new")
        add_files(page, PICTURE, LETTER, {**LETTER, "buffer": b"\x00\x01"})
        expect(page.locator(".arriving:not(.failed)")).to_have_count(0)
        expect(page.get_by_role("img")).to_have_count(0)  # the names are beside them
        held = []
        page.route("**/chat/files", lambda route: held.append(route))  # noqa: PLW0108 -- Playwright marks its handlers
        add_files(page, LETTER)
        expect(page.get_by_role("progressbar", name="Uploaded")).to_be_visible()
        send(page, "What is it?")
        expect(page.get_by_text("is sent when its files have arrived")).to_be_visible()
        return violations_in_both(page)

    found = visit(look, ann, **AXE_PAGE)
    assert found == [], "\n".join(found)


def test_pages_without_a_session_keep_to_wcag(visit):
    def look(page: Page) -> list[str]:
        paths = (
            "/sign-in",
            "/sign-in?lost=",
            "/password/reset",
            "/password/reset/sent",
            "/nothing",
        )
        return list(chain.from_iterable(_violations_at(page, path) for path in paths))

    assert visit(look, **AXE_PAGE) == []


def _violations_at(page: Page, path: str) -> list[str]:
    page.goto(path)
    return violations_in_both(page)


def test_the_admin_keeps_to_the_content_policy(visit, ann, conversation):
    def look(page: Page) -> None:
        page.goto("/admin/conversations/conversation/")
        page.get_by_role("link", name=str(conversation.pk)).click()
        expect(page.get_by_text("I have asthma.")).to_be_visible()
        page.goto(f"/admin/people/space/{conversation.space_id}/change/")
        expect(page.get_by_role("heading", name="Change space")).to_be_visible()

    ann.is_staff = ann.is_superuser = True
    ann.save()
    visit(look, ann)


def test_axe_sees_what_is_wrong(visit):
    def spoil(page: Page) -> list[str]:
        page.goto("/sign-in")
        page.evaluate("document.querySelector('main').append(new Image())")
        return violations(page)

    assert len(visit(spoil, bypass_csp=True)) == 1


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

    monkeypatch.setattr(edit, "start_turn", start_and_wait)
    openai_server.chat.default = lambda _body: says("Hello.")
    visit(use, ann)


def test_page_works_at_200_per_cent_and_without_colours_or_motion(
    visit, ann, conversation
):
    def look(page: Page) -> None:
        for path in ("/chat/new", f"/chat/{conversation.pk}", "/people"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 640
        expect(box(page)).to_have_count(0)

    zoomed = {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2}
    visit(look, ann, **zoomed, forced_colors="active", reduced_motion="reduce")


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


TOKEN = re.compile(r"--(\w[\w-]*): light-dark\((#\w{6}), (#\w{6})\)")


def test_text_has_the_required_contrast():
    css = (Path(__file__).parents[2] / "static" / "base.css").read_text()
    tokens = {name: pair for name, *pair in TOKEN.findall(css)}
    for theme in (0, 1):
        colour = {name: pair[theme] for name, pair in tokens.items()}
        for ground in ("paper", "raised"):
            assert contrast(colour["ink"], colour[ground]) >= 7
            for text in ("quiet", "accent", "loss"):
                assert contrast(colour[text], colour[ground]) >= 4.5
            assert contrast(colour["edge"], colour[ground]) >= 3
        assert contrast(colour["on-accent"], colour["accent"]) >= 4.5
        assert contrast(colour["on-loss"], colour["loss"]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG's ratio of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
