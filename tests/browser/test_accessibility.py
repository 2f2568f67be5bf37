"""WCAG 2.2 AA on every page in light and dark, by axe-core; and what it cannot see."""

from itertools import chain
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from playwright.sync_api import Page, expect

from conversations.forgetting.deletion import delete_conversation
from conversations.models import Message
from conversations.reply.append_messages import append_line
from memory.models import Memory, MemoryUpdate
from people.models import ProfileUpdate
from tests.browser.chat import actions, box, choose, replies, send
from tests.browser.files import LETTER, PICTURE, add_files
from tests.conversations import transcripts
from tests.conversations.attachments.sent import png
from tests.conversations.proofs.sealed import sealed
from tests.conversations.receipts import receive
from tests.factories import (
    ApiKeyFactory,
    AttachmentFactory,
    ExternalUserFactory,
    InvitationFactory,
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    SpaceFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
)
from tests.openai_answers import fails, says

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": WCAG},
    "resultTypes": ["violations"],
}
AXE = Axe().axe_script
AXE_PAGE = {
    "color_scheme": "light",
    "viewport": {"width": 1440, "height": 800},
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
        append_line(half, "", keys, line_kind=kind.REMEMBERED)
        append_line(half, "Not remembered: x", keys, line_kind=kind.NOT_REMEMBERED)
        append_line(half, "Not in the notes: x", line_kind=kind.NOT_REMOVED)
        append_line(half, "Forget all?", line_kind=kind.FORGET_ALL)
    receive(first, facts[0].pk)
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
    """In both themes, narrow and wide, without loading the page again."""
    found = []
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            found += violations(page)
    return found


def test_every_page_keeps_to_wcag(visit, ann, conversation):
    def look(page: Page) -> list[str]:
        found = []
        for path in paths:
            answer = page.goto(path)
            assert answer is not None
            assert answer.ok or "nothing" in path, path
            found += violations_in_both(page)
        page.goto("/chat?select=1")
        page.get_by_role("main").get_by_role("checkbox").first.check()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("heading", name="Delete")).to_be_visible()
        found += violations_in_both(page)
        page.goto(f"/chat/{conversation.pk}")
        actions(page).click()
        choose(page, "Rename")
        expect(page.get_by_role("dialog")).to_be_visible()
        return [*found, *violations_in_both(page)]

    person, space = conversation.person, conversation.space
    tomek = MembershipFactory(space=space, role="member")
    PersonFactory(space=space, deleted_at=timezone.now())
    message = conversation.messages.filter(role="user").first()
    assert message is not None
    fact = Memory.objects.active().first()
    assert fact is not None
    delete_conversation(transcripts.start_conversation(ann, space))
    proof = sealed()
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
        f"/spaces/{space.pk}/leave",
        f"/spaces/{space.pk}/telegram/disconnect",
        *(
            f"/spaces/{space.pk}/{kind}/{row.pk}/{verb}"
            for kind, row, verb in (
                ("members", tomek, "remove"),
                ("keys", space.api_keys.get(), "revoke"),
                ("external-users", space.external_users.get(), "remove"),
                ("telegram/links", space.telegram_links.get(), "remove"),
            )
        ),
        *("/account/email", "/account/download", "/account/delete"),
        *("/account/proofs", f"/proofs/{proof.pk}", "/proofs/check"),
        *("/people/you", "/card/choose", "/memory/import", "/api/docs", "/offline"),
        "/invitation/nothing",
        *("/memory", "/memory?q=nothing", "/memory/new", "/memory/forget"),
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


def test_states_of_the_chat_keep_to_wcag(visit, ann, story):
    def look(page: Page) -> list[str]:
        page.goto("/chat/new")
        send(page, "Tell me a story.")
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        box(page).fill("And then?")
        box(page).press("Enter")
        expect(page.get_by_role("list", name="Messages that wait")).to_be_visible()
        box(page).fill("A draft")
        found = violations_in_both(page)
        page.get_by_role("button", name="Remove").click()
        page.keyboard.press("Escape")
        expect(page.get_by_text("You stopped this reply.")).to_be_visible()
        found += violations_in_both(page)
        story.chat.queue(fails(401), says("The end."))
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("did not accept Meddie's key")).to_be_visible()
        found += violations_in_both(page)
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("group", name="Version 2 of 2")).to_be_visible()
        found += violations_in_both(page)
        box(page).fill("")
        box(page).press("ArrowUp")
        expect(page.get_by_role("dialog")).to_be_visible()
        return found + violations_in_both(page)

    found = visit(look, ann, **AXE_PAGE)
    assert found == [], "\n".join(found)


def test_pages_without_a_session_keep_to_wcag(visit, ann):
    token = default_token_generator.make_token(ann)
    key = urlsafe_base64_encode(force_bytes(ann.pk))

    def look(page: Page) -> list[str]:
        paths = (
            "/sign-in",
            "/sign-in?lost=",
            "/password/reset",
            "/password/reset/sent",
            reverse("people:password_reset_confirm", args=[key, token]),
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
        page.locator("#result_list tbody").get_by_role("link").first.click()
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
