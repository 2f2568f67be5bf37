"""Pictures of every page, wide and narrow, light and dark: `make screenshots`.

Not a test: pytest runs it only when it is named, because it needs the same servers.
"""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, expect

from conversations import notes_lines
from conversations.emergencies.notes import emergency_note
from conversations.models import Message, Thread
from conversations.reply.append_messages import append_notes_line
from memory.models import MemoryUpdate
from people.models import Person, ProfileUpdate, Space, User
from tests.browser.conftest import Visit
from tests.browser.files import LETTER, PICTURE, add_files
from tests.browser.prose import MIXED, REPLY
from tests.conversations import transcripts
from tests.conversations.attachments.documents import picture
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
    UserFactory,
)

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
PHOTO = {
    "kind": "image",
    "name": "photo.jpg",
    "content_type": "image/jpeg",
    "content": picture((1200, 900), "JPEG"),
    "state": "done",
}
SIZES = {"wide": (1280, 800), "narrow": (360, 740)}
TABLE = """Before I recommend a painkiller, these are the things that matter:

1. **Ibuprofen is out.** You told me that you are allergic to it, and aspirin and
   naproxen are close relatives.
2. *Paracetamol* is the usual choice then; up to 3 g a day for most adults.

| Painkiller | For you | Why |
|---|---|---|
| Paracetamol | yes | not an NSAID |
| Ibuprofen | no | allergy |
| Naproxen | no | may cross-react |

### If the pain stays

Pain that lasts longer than three days belongs in front of a doctor.

```text
paracetamol 500 mg, 1-2 tablets, at most 3 times a day
```
"""


@pytest.fixture
def home(transactional_db: None) -> tuple[User, Space, Person]:
    ann = UserFactory(email="ann@example.com", name="Ann Berg")
    space = SpaceFactory(name="The Bergs", members=[ann], memory_page=True)
    tomek = UserFactory(email="tomek@example.com", name="Tomek")
    MembershipFactory(user=tomek, space=space, role="member")
    InvitationFactory(
        space=space, email="grandma@example.com", invited_by=ann, token="of-grandma"
    )
    TelegramBotFactory(space=space, username="bergs_meddie_bot")
    TelegramLinkFactory(space=space, user=tomek)
    TelegramLinkFactory(space=space, user=ann, asked_by=tomek, confirmed_at=None)
    ApiKeyFactory(space=space, user=tomek, name="Laptop")
    ApiKeyFactory(space=space, user=ann, name="Open WebUI", trusted_proxy=True)
    ExternalUserFactory(space=space, user__name="Zosia")
    me = PersonFactory(
        space=space,
        user=ann,
        name="Ann",
        date_of_birth=date(1985, 4, 12),
        height_cm=171,
        weight_kg=64,
        health_notes="## Current\n- Allergic to ibuprofen\n- Migraine with aura",
        supplements="## Current\n- Vitamin D 2000 IU",
        medications="## Current\n- Sumatriptan 50 mg when needed",
    )
    PersonFactory(space=space, name="Tomek", sex="male", position=1)
    PersonFactory(space=space, name="ليلى", position=2)
    return ann, space, me


@pytest.fixture
def long_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    for days, title in (
        (1, "Sleeping with a cold"),
        (1.2, "Travel vaccinations for Peru"),
        (4, "Knee pain after running"),
        (5, "صداع في الصباح"),
        (40, "Questions for the cardiologist"),
    ):
        transcripts.exchange(
            transcripts.start_conversation(ann, space, title=title, days_ago=days),
            title,
            "Yes.",
        )
    conversation = transcripts.start_conversation(
        ann, space, title="A painkiller for Ann", person=me
    )
    transcripts.exchange(
        conversation,
        "I am allergic to ibuprofen and my mother has type 2 diabetes.",
        "Noted. I will keep both in mind: no **ibuprofen**, and diabetes in the family.",
    )
    update = ProfileUpdate.objects.create(
        person=me,
        author=ann,
        field="health_notes",
        action="append",
        text="Allergic to ibuprofen",
        new_value=me.health_notes,
    )
    transcripts.say(
        conversation,
        Message.Role.SYSTEM,
        "Saved to Health notes: Allergic to ibuprofen",
        profile_update=update,
    )
    transcripts.exchange(
        conversation, "What should you know before you recommend a painkiller?", TABLE
    )
    return f"/chat/{conversation.pk}"


@pytest.fixture
def bad_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, _ = home
    conversation = transcripts.start_conversation(
        ann, space, title="Things that go wrong", remember=False
    )
    transcripts.exchange(
        conversation, "Tell me a long story.", "Once upon a time", "stopped"
    )
    reply = transcripts.exchange(conversation, "A" * 300, "", "failed")
    reply.error = "rate_limited"
    reply.save()
    return f"/chat/{conversation.pk}"


@pytest.fixture
def telegram_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Blood test of March", person=me
    )
    Thread.objects.filter(pk=conversation.thread_id).update(channel="telegram")
    first = transcripts.exchange(
        conversation, "", "I see a sheet of results; the iron is low."
    )
    second = transcripts.exchange(
        conversation, "The letter that came with it.", "Thank you. Go on."
    )
    AttachmentFactory(message=first.answers, **PHOTO)
    AttachmentFactory(
        message=second.answers,
        name="Laboratory report " * 6 + ".pdf",
        size=2_400_000,
        state="done",
    )
    return f"/chat/{conversation.pk}"


@pytest.fixture
def files_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="A rash on the hand", person=me
    )
    reply = transcripts.exchange(
        conversation, "What is this? The letter came with it.", "It looks like a burn."
    )
    AttachmentFactory(message=reply.answers, **PHOTO)
    for name, state in (("Letter.pdf", "pending"), ("Old letter.pdf", "failed")):
        AttachmentFactory(
            message=reply.answers, name=name, state=state, error="encrypted"
        )
    return f"/chat/{conversation.pk}"


@pytest.fixture
def emergency_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Chest pain", person=me
    )
    message = "I have chest pain and my left arm is numb."
    answer = "Sit down, keep still and unlock the door. When did it begin?"
    reply = transcripts.exchange(conversation, message, answer)
    reply.emergency_note = emergency_note(message, ann.locale)
    reply.save()
    return f"/chat/{conversation.pk}"


@pytest.fixture
def versions_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Knee pain", person=me
    )
    first = transcripts.exchange(conversation, "It hurts.", "Where?", "superseded")
    Message.objects.filter(replies=first).update(status="superseded")
    log = "\n".join(f"Day {day}: {day} km" for day in range(1, 20))
    old = transcripts.exchange(conversation, log, "Go on.", "superseded")
    Message.objects.filter(replies=old).update(first_version=first.answers)
    words = (
        "Your log shows that the pain begins after 12 km. Stop at 10 km for a while."
    )
    transcripts.say(conversation, Message.Role.ASSISTANT, words, answers=old.answers)
    return f"/chat/{conversation.pk}"


@pytest.fixture
def memory_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    texts = (
        "User is allergic to penicillin",
        "User lives in Gdynia",
        "User's mother takes ramipril 5 mg in the morning and amlodipine at night",
    )
    facts: list[Any] = [
        MemoryFactory(user=ann, space=space, content=text) for text in texts
    ]
    old: Any = MemoryFactory(
        user=ann,
        space=space,
        content="User lives in Sopot",
        active=False,
        retired_reason="superseded",
        retired_at=timezone.now(),
    )
    MemoryUpdate.objects.create(user=ann, old=old, new=facts[1], reason="newer")
    conversation = transcripts.start_conversation(
        ann, space, title="Penicillin", person=me
    )
    kind = Message.LineKind
    for message, answer, lines in (
        (
            "I live in Gdynia now, and I am allergic to penicillin.",
            "Thank you. I will leave penicillin out of what I suggest.",
            [(kind.REMEMBERED, "", facts[:2])],
        ),
        (
            "I stopped ramipril. Please forget that I take it.",
            "Tell your doctor that you stopped: blood pressure can rise again.",
            [
                (kind.NOT_REMOVED, notes_lines.not_removed("ramipril", "missing"), []),
                (
                    kind.NOT_REMEMBERED,
                    notes_lines.not_remembered("User takes ramipril"),
                    facts[::-1],
                ),
            ],
        ),
        (
            "Forget everything about me.",
            "I can do that.",
            [(kind.FORGET_ALL, notes_lines.forget_all_question(45), [])],
        ),
    ):
        reply = transcripts.exchange(conversation, message, answer)
        with transaction.atomic():
            for line_kind, text, named in lines:
                keys = [memory.pk for memory in named]
                append_notes_line(reply, text, keys, line_kind=line_kind)
    return f"/chat/{conversation.pk}"


@pytest.fixture
def prose_conversation(home: tuple[User, Space, Person]) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Body mass index", person=me
    )
    transcripts.exchange(conversation, "ما هو مؤشر كتلة الجسم؟", MIXED)
    transcripts.exchange(conversation, "What is my body mass index?", REPLY)
    return f"/chat/{conversation.pk}"


def test_screenshots(  # noqa: PLR0917 -- a fixture for each conversation
    visit: Visit,
    home,
    long_conversation: str,
    bad_conversation: str,
    telegram_conversation: str,
    emergency_conversation: str,
    memory_conversation: str,
    files_conversation: str,
    versions_conversation: str,
    prose_conversation: str,
) -> None:
    ann, space, me = home
    staff = UserFactory(
        email="operator@example.com", name="Olga", is_staff=True, is_superuser=True
    )
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = {
        "sign-in": ("/sign-in", None),
        "new": ("/chat/new", ann),
        "chat": (long_conversation, ann),
        "states": (bad_conversation, ann),
        "emergency": (emergency_conversation, ann),
        "memory-lines": (memory_conversation, ann),
        "memory": ("/memory", ann),
        "files": (files_conversation, ann),
        "versions": (versions_conversation, ann),
        "formulas": (prose_conversation, ann),
        "telegram-conversation": (telegram_conversation, ann),
        "list": ("/chat", ann),
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
        "account-email": ("/account/email", ann),
        "invitation": ("/invitation/of-grandma", None),
        "not-found": ("/nothing-here", ann),
        "desk-facts": (f"/admin/memory/memory/?user={ann.pk}", staff),
        "desk-events": (f"/admin/memory/memoryevent/?user={ann.pk}", staff),
        "desk-inspector": (
            f"/admin/desk/inspector/?user={ann.pk}&space={space.pk}",
            staff,
        ),
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


def shoot(page: Page, path: str, target: Path) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if target.name.startswith("files-"):
        add_files(page, PICTURE, {**LETTER, "name": "notes.zip", "buffer": b"PK\0"})
        expect(page.locator(".arriving:not(.failed)")).to_have_count(0)
        page.wait_for_load_state("networkidle")
    page.screenshot(path=target)
