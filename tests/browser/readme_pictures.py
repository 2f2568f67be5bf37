"""The pictures of the README, and what they were made from: `make readme-pictures`.

Not a test: pytest runs it only when it is named. `docs/screenshots/made_from.json` keeps
the digest of each picture, and those of the templates that its page rendered; a test of
the README fails once one of them has changed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.test.signals import template_rendered
from playwright.sync_api import Page

from conversations.models import ProbeJob
from conversations.probes import jobs
from meddie.jobs.registry import attempt
from memory.models import MemoryUpdate
from tests.browser import pictured
from tests.browser.conftest import Visit
from tests.factories import MemoryFactory, UserFactory

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "screenshots"
TEMPLATES = ROOT / "templates"
MADE_FROM = FOLDER / "made_from.json"


@dataclass(frozen=True)
class Picture:
    """`prepare` returns the address. `top` selects where the picture begins."""

    prepare: Callable[[pictured.Home], str]
    top: str = ""
    height: int = 800
    width: int = 1280
    steps: Callable[[Page], object] = lambda _page: None
    by_staff: bool = False


def digest(path: Path) -> str:
    """Empty for a file that is gone."""
    return sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def facts_in_time(home: pictured.Home) -> str:
    ann, space, _ = home
    space.memory_page = True
    space.save()
    begun = [datetime(*day, tzinfo=UTC) for day in ((2025, 1, 15), (2025, 6, 20))]
    now = datetime(2026, 2, 3, tzinfo=UTC)
    doses: list[Any] = [
        MemoryFactory(
            user=ann,
            space=space,
            content=f"User takes {dose} mg of atorvastatin",
            subject="",
            stated_at=since,
            **({} if until is None else _replaced(until)),
        )
        for dose, since, until in zip(
            (20, 30, 40), (*begun, now), (*begun[1:], now, None), strict=True
        )
    ]
    for old, new in pairwise(doses):
        old.links.all().delete()
        MemoryUpdate.objects.create(user=ann, old=old, new=new, reason="newer")
    return "/memory"


def _replaced(at: datetime) -> dict[str, Any]:
    retired = {"active": False, "retired_reason": "superseded", "retired_at": at}
    return retired | {"valid_until": at}


def probes(home: pictured.Home) -> str:
    ann, space, _ = home
    for text in ("User is allergic to ibuprofen", "User takes 5 mg of warfarin"):
        MemoryFactory(user=ann, space=space, content=text, safety=True, subject="")
    pictured.long_conversation(home)
    jobs.put_probes()
    while (job := ProbeJob.objects.claim()) is not None:
        attempt(job, jobs.PROBES.handlers)
    return "/admin/desk/probes/"


def sheet(home: pictured.Home) -> str:
    ann, space, _ = home
    for text in ("User is allergic to penicillin", "User cannot take ibuprofen"):
        MemoryFactory(user=ann, space=space, content=text, safety=True, subject="")
    return "/memory"


def share_the_sheet(page: Page) -> None:
    page.get_by_role("link", name="Sheet for the doctor").click()
    page.get_by_role("button", name="Show the sheet").click()
    page.get_by_label("The link ends after").select_option("1 hour")
    page.get_by_role("button", name="Make a link with a code").click()
    page.locator(".sheet-code").wait_for()


def open_versions(page: Page) -> None:
    page.get_by_text("2 earlier versions").click()


PICTURES = {
    "chat-wide-light": Picture(pictured.long_conversation),
    "outdated-answer": Picture(pictured.outdated_conversation, ".user", 230, 710),
    "facts-in-time": Picture(facts_in_time, "main h2", 340, 710, open_versions),
    "probes": Picture(probes, "#content", 300, 910, by_staff=True),
    "sheet": Picture(sheet, ".note.success", 565, 710, share_the_sheet),
}


@pytest.fixture
def home(transactional_db: None) -> pictured.Home:
    return pictured.the_bergs()


@pytest.mark.parametrize("name", PICTURES)
def test_readme_picture(name: str, visit: Visit, home: pictured.Home) -> None:
    picture = PICTURES[name]
    address = picture.prepare(home)
    viewer: Any = home[0]
    if picture.by_staff:
        viewer = UserFactory(name="Olga", is_staff=True, is_superuser=True)
    rendered: set[str] = set()

    def note(template: Any, **_context: object) -> None:
        rendered.add(f"{TEMPLATES}/{template.name}")

    template_rendered.connect(note)
    try:
        size = {"width": picture.width, "height": 800}
        visit(lambda page: shoot(page, picture, address, name), viewer, viewport=size)
    finally:
        template_rendered.disconnect(note)
    made_from = json.loads(MADE_FROM.read_text()) if MADE_FROM.is_file() else {}
    made_from[name] = {f"{name}.png": digest(FOLDER / f"{name}.png")} | {
        str(path.relative_to(TEMPLATES)): digest(path)
        for path in map(Path, sorted(rendered))
        if path.is_file()
    }
    kept = {one: made_from[one] for one in sorted(PICTURES) if one in made_from}
    MADE_FROM.write_text(json.dumps(kept, indent=1) + "\n")


def shoot(page: Page, picture: Picture, address: str, name: str) -> None:
    page.goto(address)
    picture.steps(page)
    page.wait_for_load_state("networkidle")
    top = 0.0
    if picture.top:
        place = page.locator(picture.top).first
        place.evaluate("element => element.scrollIntoView()")
        box = place.bounding_box()
        assert box is not None
        top = max(0.0, box["y"] - 12)
    page.screenshot(
        path=FOLDER / f"{name}.png",
        clip={"x": 0, "y": top, "width": picture.width, "height": picture.height},
    )
