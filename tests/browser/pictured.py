"""The conversations in the pictures; each function returns the address of its own."""

from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.emergencies import emergency_note, find_emergency
from conversations.models import Message, Thread
from conversations.reply import confirmations, refused_changes
from conversations.reply.append_messages import append_line
from memory.models import MemoryUpdate
from people.models import Person, ProfileUpdate, Space, User
from people.scope import scope_for
from tests.browser.prose import MIXED, REPLY
from tests.conversations import transcripts
from tests.conversations.attachments.documents import picture
from tests.conversations.outdated.checking import (
    answered,
    correct,
    learn,
    run_checks,
)
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

Home = tuple[User, Space, Person]
PHOTO = {
    "kind": "image",
    "name": "photo.jpg",
    "content_type": "image/jpeg",
    "content": picture((1200, 900), "JPEG"),
    "state": "done",
}
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


def the_bergs() -> Home:
    """A household with each kind of connection; the user, the space and her person."""
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


def long_conversation(home: Home) -> str:
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


def outdated_conversation(home: Home) -> str:
    """An answer that used what was corrected in another conversation."""
    ann, space, _ = home
    scope = scope_for(ann, space.pk, channel="web")
    fact = learn(scope)
    reply = answered(
        ann,
        space,
        "Yes, **amoxicillin** is fine for you: you are not allergic to penicillin.",
        fact,
        question="The dentist prescribed amoxicillin. May I take it?",
        title="After the dentist",
        days_ago=20,
    )
    correct(scope, fact)
    run_checks()
    return f"/chat/{reply.conversation_id}"


def bad_conversation(home: Home) -> str:
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


def telegram_conversation(home: Home) -> str:
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


def files_conversation(home: Home) -> str:
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


def emergency_conversation(home: Home) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Chest pain", person=me
    )
    message = "I have chest pain and my left arm is numb."
    answer = "Sit down, keep still and unlock the door. When did it begin?"
    reply = transcripts.exchange(conversation, message, answer)
    reply.emergency_note = emergency_note(message, find_emergency(message), ann.locale)
    reply.save()
    return f"/chat/{conversation.pk}"


def versions_conversation(home: Home) -> str:
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


def memory_conversation(home: Home) -> str:
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
                (
                    kind.NOT_REMOVED,
                    refused_changes.not_removed("ramipril", "missing"),
                    [],
                ),
                (
                    kind.NOT_REMEMBERED,
                    refused_changes.not_remembered("User takes ramipril"),
                    facts[::-1],
                ),
            ],
        ),
        (
            "Forget everything about me.",
            "I can do that.",
            [(kind.FORGET_ALL, confirmations.forget_all_question(45), [])],
        ),
    ):
        reply = transcripts.exchange(conversation, message, answer)
        with transaction.atomic():
            for line_kind, text, named in lines:
                keys = [memory.pk for memory in named]
                append_line(reply, text, keys, line_kind=line_kind)
    return f"/chat/{conversation.pk}"


def prose_conversation(home: Home) -> str:
    ann, space, me = home
    conversation = transcripts.start_conversation(
        ann, space, title="Body mass index", person=me
    )
    transcripts.exchange(conversation, "ما هو مؤشر كتلة الجسم؟", MIXED)
    transcripts.exchange(conversation, "What is my body mass index?", REPLY)
    return f"/chat/{conversation.pk}"
