"""Three users in two spaces, and two of the staff. Each text of theirs is a canary.

Anna is a member of the home, Ben too, and he is the admin of the office. Clara is the
admin of the home. Dora may use the admin but was given no rights; Eva may view all.
Proxies name Fay in the home and Gus in the office.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.utils import timezone

from conversations.api.models import IngestedMessage
from conversations.attachments.texts import text_row
from conversations.models import (
    DailyUse,
    DerivationJob,
    Feedback,
    MessageIndex,
    Receipt,
    SheetLink,
    Thread,
)
from conversations.reply.append_messages import append_line
from conversations.telegram.models import TelegramPart, TelegramUpdate
from memory.models import (
    CaptureJob,
    JournalFile,
    JournalLine,
    MemoryEvent,
    MemoryPolicy,
)
from people.models import EmailChange, Membership, Person, Space, User
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.factories import (
    ApiKeyFactory,
    AttachmentFactory,
    ExternalUserFactory,
    InvitationFactory,
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    ProfileUpdateFactory,
    SpaceFactory,
    TelegramBotFactory,
    TelegramLinkCodeFactory,
    TelegramLinkFactory,
    UserFactory,
)

BACKEND = "django.contrib.auth.backends.ModelBackend"
MEMBERS = {"home": ("anna", "ben", "clara"), "office": ("ben",)}
ADMINS = {"home": "clara", "office": "ben"}
EXTERNAL = {"home": "fay", "office": "gus"}
STRANGER = "a stranger"
STAFF = "eva"
"""Who views all in the admin."""


@dataclass
class World:
    """`canaries` and `ids` name for each text and key the users who may see it."""

    users: dict[str, User] = field(default_factory=dict)
    spaces: dict[str, Space] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    canaries: dict[str, frozenset[str]] = field(default_factory=dict)
    ids: dict[str, frozenset[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    """The model of each key."""
    bots: list[Any] = field(default_factory=list)
    staff: tuple[str, ...] = ("dora", STAFF)
    keys: dict[str, str] = field(default_factory=dict)
    """API keys by the user and the space, like `anna home`, and `proxy home`."""
    lore: dict[str, str] = field(default_factory=dict)
    """The space of each canary in its lore, which new users of its proxy see, too."""
    texts: dict[str, User] = field(default_factory=dict)
    """Canaries that staff see only where the look is recorded, and whose they are."""

    def word(self, label: str, *seen_by: str) -> str:
        """A new canary, of letters that no encoding changes."""
        word = "qx" + "".join(filter(str.isalpha, label.lower()))
        assert word not in self.canaries, word
        self.canaries[word] = frozenset(seen_by)
        return word

    def text(self, label: str, name: str) -> str:
        """A canary in a text of the user's own."""
        word = self.word(f"{name} {label}", name, STAFF)
        self.texts[word] = self.users[name]
        return word

    def row(self, row: Any, *reached_by: str) -> Any:
        """Record a row's key, with the users who reach it by an address."""
        self.ids[str(row.pk)] = frozenset(reached_by)
        self.kinds[str(row.pk)] = type(row).__name__
        return row

    def own_of(self, name: str) -> set[str]:
        """Keys of the owners whose rows the user may change."""
        spaces = {space for space, members in MEMBERS.items() if name in members}
        own = {str(self.spaces[space].pk) for space in spaces}
        removable = [
            EXTERNAL[space] for space, admin in ADMINS.items() if admin == name
        ]
        own |= {str(self.users[external].pk) for external in removable}
        return own | ({str(self.users[name].pk)} if name in self.users else set())


def build(api_url: str) -> World:
    world = World()
    for name in MEMBERS["home"]:
        _add_user(world, name, *MEMBERS["home"])
        _add_email_change(world, name)
    for name in world.staff:
        _add_user(world, name, name, is_staff=True)
    world.users[STAFF].user_permissions.set(
        Permission.objects.filter(codename__startswith="view_")
    )
    for space, members in MEMBERS.items():
        _add_space(world, space, api_url)
        for name in members:
            _add_private_rows(world, name, space)
            _add_telegram(world, name, world.spaces[space])
            _add_sheet_link(world, name, space)
            _add_key(world, name, name, space)
        proxy = {"trusted_proxy": True, "calls_per_minute": 100_000}
        _add_key(world, "proxy", ADMINS[space], space, **proxy)
        _add_external(world, EXTERNAL[space], space)
    for name in (*MEMBERS["home"], *world.staff):
        user, client = world.users[name], Client()
        client.force_login(user, backend=BACKEND)
        world.sessions[name] = client.cookies["sessionid"].value
        world.canaries[world.sessions[name]] = frozenset()
    return world


def _add_user(world, name, *known_to, **fields):
    user = UserFactory(
        name=world.word(f"{name} name", *known_to, STAFF),
        email=f"{world.word(f'{name} mail', *known_to, STAFF)}@example.com",
        **fields,
    )
    world.users[name] = world.row(user, *known_to)
    world.canaries[user.password] = frozenset()


def _add_email_change(world, name):
    change = EmailChange.objects.create(
        user=world.users[name],
        email=f"{world.word(f'{name} new mail', name)}@example.com",
        token_hash=world.word(f"{name} mail token"),
        expires_at=timezone.now() + EmailChange.LIFETIME,
    )
    world.canaries[change.token_hash] = frozenset()


def _add_space(world, name, api_url):
    members, admin = MEMBERS[name], ADMINS[name]
    label = world.word(f"{name} name", *members, STAFF)
    space = SpaceFactory(name=label, memory_page=True)
    world.spaces[name] = world.row(space, *members)
    for member in members:
        role = Membership.Role.ADMIN if member == admin else Membership.Role.MEMBER
        row = MembershipFactory(space=space, user=world.users[member], role=role)
        world.row(row, admin)
    for number, user in enumerate((world.users[admin], None)):
        _add_person(world, f"{name} person {'ab'[number]}", space, user, members)
    deleted = PersonFactory(
        space=space,
        name=world.word(f"{name} deleted person", *members, STAFF),
        deleted_at=timezone.now(),
    )
    world.row(deleted, admin)
    email = world.word(f"{name} invited", admin, STAFF)
    token = world.word(f"{name} token")
    inviter = world.users[admin]
    invitation = InvitationFactory(
        space=space, email=f"{email}@example.com", token=token, invited_by=inviter
    )
    world.row(invitation, admin)
    world.canaries[invitation.token_hash] = frozenset()
    world.row(MemoryPolicy.objects.create(space=space, lore=True))
    lore = world.word(f"{name} lore", *members, EXTERNAL[name], STRANGER, STAFF)
    line = f"Memory line: User likes {lore}."
    stored = MemoryFactory(
        user=None, space=space, audience="space", content=line, linked=False
    )
    world.row(stored, *members, EXTERNAL[name], STRANGER)
    world.lore[lore] = name
    today = timezone.now().date()
    JournalFile.objects.create(space=space, day=today, size=1)
    _add_bot(world, name, space, api_url)


def _add_person(world, label, space, user, members):
    person = PersonFactory(
        space=space,
        user=user,
        name=world.word(f"{label} name", *members, STAFF),
        health_notes=f"- {world.word(f'{label} health', *members)}",
        supplements=f"- {world.word(f'{label} supplement', *members)}",
        medications=f"- {world.word(f'{label} medication', *members)}",
    )
    world.row(person, *members)


def _add_bot(world, name, space, api_url):
    bot = TelegramBotFactory(
        space=space,
        username=world.word(f"{name} bot", *MEMBERS[name], STAFF),
        secret=world.word(f"{name} secret"),
        api_url=api_url,
    )
    bot.token = f"{bot.bot_id}:{world.word(f'{name} bot token')}"
    bot.save()
    world.bots.append(world.row(bot))
    thread = Thread.objects.create(space=space, channel="telegram", external_id=name)
    update = TelegramUpdate.objects.create(
        bot=bot,
        thread=thread,
        update_id=1,
        kind=TelegramUpdate.Kind.MESSAGE,
        payload={"text": world.word(f"{name} update")},
    )
    html = world.word(f"{name} part")
    for row in (thread, update):
        world.row(row)
    world.row(TelegramPart.objects.create(update=update, number=1, html=html))


def _add_private_rows(world, name, space_name):
    label, user, space = (
        f"{name} {space_name}",
        world.users[name],
        world.spaces[space_name],
    )
    about = (
        Person.objects.in_space(space.pk).first() if space_name == "office" else None
    )
    conversation = transcripts.start_conversation(
        user, space, title=world.text(f"{space_name} title", name), person=about
    )
    reply = transcripts.exchange(
        conversation,
        world.text(f"{space_name} question", name),
        world.text(f"{space_name} answer", name),
    )
    running = transcripts.start_conversation(
        user, space, title=world.text(f"{space_name} running", name)
    )
    unfinished = transcripts.exchange(
        running, world.text(f"{space_name} asked", name), "", "streaming"
    )
    fact = world.text(f"{space_name} fact", name)
    memory = MemoryFactory(user=user, space=space, content=f"User likes {fact}")
    _add_lines(world, label, reply, memory.pk)
    file = AttachmentFactory(
        message=reply.answers,
        name=f"{world.word(f'{label} file', name)}.txt",
        content=world.word(f"{label} bytes", name).encode(),
    )
    unsent = AttachmentFactory(
        user=user,
        space=space,
        message=None,
        name=f"{world.word(f'{label} unsent', name)}.txt",
        content=world.word(f"{label} unsent bytes", name).encode(),
    )
    own = (conversation, running, reply, reply.answers, unfinished, unfinished.answers)
    for row in (*own, memory, file, unsent):
        world.row(row, name)
    _add_api_chat(world, name, space_name)
    _add_unreachable_rows(world, label, conversation, reply, memory.pk)
    world.row(DerivationJob.objects.create(attachment=file, kind="derive"))
    text = text_row(file, "vision_short", world.word(f"{label} text"))
    text.save()
    world.row(text)


def _add_api_chat(world, name, space_name):
    conversation = transcripts.start_conversation(
        world.users[name],
        world.spaces[space_name],
        title=world.text(f"{space_name} api title", name),
        channel="api",
    )
    reply = transcripts.exchange(
        conversation,
        world.text(f"{space_name} api question", name),
        world.text(f"{space_name} api answer", name),
    )
    for row in (conversation, reply, reply.answers):
        world.row(row, name)
    for row in (conversation.thread, conversation.episodes.get()):
        world.row(row)


def _proposed(person):
    change = {"field": "medications", "action": "append", "text": "Zinc"}
    return {"person": str(person.pk), **change}


def _add_lines(world, label, reply, memory_id):
    name, space = label.split()
    person = Person.objects.in_space(reply.conversation.space_id).first()
    update = ProfileUpdateFactory(
        person=person,
        author=world.users[name] if name in MEMBERS[space] else None,
        text=world.word(f"{label} note", *MEMBERS[space]),
    )
    world.row(update, *MEMBERS[space])
    with transaction.atomic():
        lines = [
            append_line(reply, text, memories, line_kind=kind, **fields)
            for text, memories, kind, fields in (
                (f"{space} noted", [], "", {"profile_update": update}),
                ("", [memory_id], "remembered", {}),
                (f"{space} kept", [memory_id], "not_remembered", {}),
                (f"{space} all", [], "forget_all", {}),
                ("", [memory_id], "asks_forget", {}),
                (f"{space} asks", [], "asks_notes", {"proposed": _proposed(person)}),
            )
        ]
    for line in lines:
        if line.content:
            line.content = world.text(line.content, name)
            line.save(update_fields=["content"])
        world.row(line, name)


def _add_unreachable_rows(world, label, conversation, reply, memory_id):
    name, space = label.split()
    owner = {"user": conversation.user, "space": conversation.space}
    now = timezone.now()
    rows = [
        MessageIndex.objects.create(
            **owner,
            message=reply,
            session=uuid4(),
            place=reply.seq,
            speaker="assistant",
            content=reply.content,
            stated_at=now,
        ),
        Feedback.objects.create(
            **owner,
            message=reply,
            rating="bad",
            reason=world.text(f"{space} reason", name),
        ),
        receive(reply, memory_id),
        CaptureJob.objects.create(
            **owner,
            kind="remember",
            origin="inline",
            source_id=uuid4(),
            channel="web",
            stated_at=now,
            payload={"facts": [world.word(f"{label} job")]},
        ),
        MemoryEvent.objects.create(
            **owner,
            kind=MemoryEvent.Kind.FORGET,
            data={
                "decisions": [
                    {
                        "action": "retract",
                        "reason": "",
                        "fact": str(memory_id),
                        "target": None,
                    }
                ]
            },
        ),
        JournalLine.objects.create(
            **owner,
            id=uuid4(),
            at=now,
            author=name,
            text=f"I said {world.text(f'{space} journal', name)}",
        ),
    ]
    today = DailyUse.objects.get_or_create(user=conversation.user, day=now.date())[0]
    ingested = IngestedMessage.objects.create(
        thread=conversation.thread,
        kind="text",
        channel="group",
        external_id=label,
        stated_at=now,
        received_at=now,
        payload={"text": world.word(f"{label} ingested")},
    )
    threads = (conversation.thread, conversation.episodes.get())
    for row in (*rows, today, *threads, ingested):
        # These have the keys of their messages, or are only counted.
        if not isinstance(row, MessageIndex | Receipt | DailyUse):
            world.row(row)


def _add_telegram(world, name, space):
    admin = ADMINS["home" if space == world.spaces["home"] else "office"]
    number = 5_771_000_000 + len(world.canaries)
    link = TelegramLinkFactory(space=space, user=world.users[name], telegram_id=number)
    world.row(link, name, admin)
    world.canaries[str(number)] = frozenset({name, admin, STAFF})
    code = TelegramLinkCodeFactory(user=world.users[name], space=space)
    world.row(code)
    world.canaries[code.token_hash] = frozenset()


def _add_sheet_link(world, name, space):
    link = SheetLink.objects.create(
        user=world.users[name],
        space=world.spaces[space],
        questions=world.word(f"{name} {space} question for a doctor", name),
        token_hash=world.word(f"{name} {space} sheet token"),
        code_hash=world.word(f"{name} {space} sheet code"),
        expires_at=timezone.now() + timedelta(days=30),
    )
    world.row(link, name)
    for secret in (link.token_hash, link.code_hash):
        world.canaries[secret] = frozenset()


def _add_key(world, label, name, space, **fields):
    admin = ADMINS[space]
    secret = f"sk-meddie-{world.word(f'{label} {space} key')}"
    key = ApiKeyFactory(
        user=world.users[name],
        space=world.spaces[space],
        name=world.word(f"{label} {space} key name", name, admin, STAFF),
        secret=secret,
        **fields,
    )
    world.row(key, name, admin)
    world.keys[f"{label} {space}"] = secret
    world.canaries[key.hash] = frozenset()


def _add_external(world, name, space):
    admin = ADMINS[space]
    _add_user(world, name, admin)
    user = world.users[name]
    user.set_unusable_password()
    user.save()
    external = ExternalUserFactory(
        user=user,
        space=world.spaces[space],
        external_id=world.word(f"{name} external id", admin, STAFF),
    )
    world.row(external, admin)
    world.row(user.memberships.get())
    _add_private_rows(world, name, space)
