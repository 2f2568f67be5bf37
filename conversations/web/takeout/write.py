"""Everything that is a user's, as a zip file."""

from collections.abc import Callable, Iterator
from datetime import datetime
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any
from uuid import UUID

from axes.models import AccessLog
from django.db.models import F, Prefetch, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format, localize
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import override

from conversations.attachments.problems import told_of
from conversations.attachments.storage import open_file
from conversations.fact_texts import subject_label
from conversations.models import (
    Attachment,
    AttachmentText,
    Conversation,
    EmergencyCard,
    Feedback,
)
from conversations.web.takeout.archive import Archive, dump, file_name
from conversations.web.takeout.transcripts import write_conversations
from meddie.text import markdown_escaped
from memory import service
from memory.models import Fact
from people.models import Membership, Person, ProfileUpdate, Space, User
from people.scope import Scope, retraction_scope

DETAILS = ("name", "sex", "date_of_birth", "height_cm", "weight_kg")

Facts = Callable[[Scope], Iterator[Fact]]
FACT_FILES: dict[str, Facts] = {
    "facts": service.exported_facts,
    "former-facts": service.former_facts,
    "facts-for-the-space": service.exported_lore,
}
one_at_a_time = Lock()


class AlreadyWriting(Exception):
    """Another download is being written, by this or another user."""


def write_takeout(user: User) -> tuple[IO[bytes], int]:
    """A temporary file at its beginning, and its bytes. Reads the file storage, too.

    Raises AlreadyWriting rather than wait, because replies need the threads.
    """
    if not one_at_a_time.acquire(blocking=False):
        raise AlreadyWriting
    try:
        return _write(user)
    finally:
        one_at_a_time.release()


def _write(user: User) -> tuple[IO[bytes], int]:
    file = TemporaryFile()  # noqa: SIM115 -- the caller closes it
    spaces = Space.objects.of(user)
    with (
        override(user.locale),
        timezone.override(user.zone),
        Archive(file) as archive,
    ):
        readme = render_to_string("conversations/takeout/readme.txt")
        archive.add_text("README.txt", [readme])
        write_account(archive, user)
        for number, space in enumerate(spaces, 1):
            _write_space(archive, file_name(f"{number}", space.name), user, space)
    size = file.tell()
    file.seek(0)
    return file, size


def _write_space(archive: Archive, folder: str, user: User, space: Space) -> None:
    owned = {"user": user, "space": space}
    names = write_files(archive, folder, Attachment.objects.filter(**owned))
    conversations = Conversation.objects.filter(**owned)
    write_conversations(archive, folder, conversations, names)
    write_feedback(archive, folder, Feedback.objects.filter(**owned))
    scope = retraction_scope(user.pk, space.pk)
    for name, read in FACT_FILES.items():
        lines = map(service.fact_as_json, read(scope))
        archive.add_text(f"{folder}/{name}.jsonl", lines)
        told = service.facts_as_markdown(read(scope), subject_label)
        archive.add_text(f"{folder}/{name}.md", told)
    person = Person.objects.in_space(space.pk).filter(user=user).first()
    if person is not None:
        write_notes(archive, folder, person)


def write_feedback(archive: Archive, folder: str, feedback: QuerySet[Feedback]) -> None:
    rows = feedback.order_by("updated_at", "pk").values(
        "rating",
        "reason",
        conversation=F("message__conversation__title"),
        message_number=F("message__seq"),
        at=F("updated_at"),
    )
    if rows.exists():
        archive.add_json(f"{folder}/feedback.json", rows.iterator())


def write_files(
    archive: Archive, folder: str, files: QuerySet[Attachment]
) -> dict[UUID, str]:
    """Names in the folder by attachments; files may be lost."""
    stored: dict[str, str] = {}
    names: dict[UUID, str] = {}
    for file in files.order_by("number").iterator(chunk_size=200):
        key = str(file.file.name)  # that of all equal files
        if key not in stored:
            name = f"files/{file_name(file.code, file.name)}"
            try:
                with open_file(file) as content:
                    archive.add_file(f"{folder}/{name}", content)
            except FileNotFoundError:
                continue
            stored[key] = name
        names[file.pk] = stored[key]
    if names or files.exists():
        archive.add_json(f"{folder}/files.json", _rows(files, names))
    return names


def _rows(
    files: QuerySet[Attachment], names: dict[UUID, str]
) -> Iterator[dict[str, Any]]:
    derived = AttachmentText.objects.exclude(kind=AttachmentText.Kind.CHUNK)
    derived = derived.defer("embedding", "near", "content_tsv").order_by("kind")
    read = files.order_by("number").prefetch_related(Prefetch("texts", derived))
    for file in read.iterator(chunk_size=200):
        yield {
            "file": names.get(file.pk),
            "name": file.name,
            "type": file.content_type,
            "bytes": file.size,
            "added": file.created_at,
            "account": told_of(file),
            "description": file.description,
            "texts": [
                {"kind": text.kind, "text": text.content} for text in file.texts.all()
            ],
        }


def write_notes(archive: Archive, folder: str, person: Person) -> None:
    data = {name: getattr(person, name) for name in (*DETAILS, *Person.NOTES)}
    changes = map(_change, person.profile_updates.order_by("created_at"))
    data |= {"changed": person.updated_at, "changes": list(changes)}
    archive.add_text(f"{folder}/notes.json", [dump(data), "\n"])
    archive.add_text(f"{folder}/notes.md", _markdown(person))


def _change(update: ProfileUpdate) -> dict[str, Any]:
    """With the lines of an edit by hand, which has no text of its own."""
    told = {
        "field": update.field,
        "action": update.action,
        "text": update.text,
        "created_at": update.created_at,
        "reverted_at": update.reverted_at,
    }
    if update.action == ProfileUpdate.Action.EDIT:
        told["lines_added"] = update.lines_added()
        told["lines_removed"] = update.lines_removed()
    return told


def _markdown(person: Person) -> Iterator[str]:
    yield f"# {markdown_escaped(person.name)}\n\n"
    fields = {field.name: field for field in Person._meta.fields}  # noqa: SLF001 -- Django documents it
    for name in DETAILS[1:]:
        value = getattr(person, name)
        if value not in {None, ""}:
            told = person.get_sex_display() if name == "sex" else localize(value)
            yield f"- {capfirst(fields[name].verbose_name)}: {told}\n"
    for name in Person.NOTES:
        if text := getattr(person, name):
            yield f"\n## {capfirst(fields[name].verbose_name)}\n\n{text}\n"


def write_account(archive: Archive, user: User) -> None:
    data = _account(user)
    archive.add_text("account.json", [dump(data), "\n"])
    archive.add_text("account.md", _account_lines(user, data))


def _account(user: User) -> dict[str, Any]:
    keys = user.api_keys.select_related("space").order_by("created_at")
    links = user.telegram_links.select_related("space").order_by("created_at")
    sign_ins = AccessLog.objects.filter(username=user.email).order_by("attempt_time")
    cards = EmergencyCard.objects.filter(user=user).select_related("space")
    members = user.memberships.select_related("space").order_by("created_at")
    return {
        "email": user.email,
        "name": user.name,
        "language": user.locale,
        "time_zone": user.time_zone,
        "memory_on": user.memory_on,
        "answer_notices": user.answer_notices,
        "instructions": user.instructions,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "spaces": [
            {"name": member.space.name, "role": member.role, "since": member.created_at}
            for member in members
        ],
        "api_keys": [
            {
                "space": key.space.name,
                "name": key.name,
                "begins_with": key.prefix,
                "created": key.created_at,
                "last_used": key.last_used_at,
                "revoked": key.revoked_at,
            }
            for key in keys
            if key.program_id is None
        ],
        "programs": [
            {
                "space": key.space.name,
                "name": key.name,
                "connected": key.created_at,
                "last_used": key.last_used_at,
                "disconnected": key.revoked_at,
            }
            for key in keys
            if key.program_id is not None
        ],
        "telegram": [
            {"space": link.space.name, "telegram_id": link.telegram_id}
            for link in links
        ],
        "emergency_contacts": [
            {"space": card.space.name, "name": name, "telephone": phone}
            for card in cards
            for name, phone in card.contacts
        ],
        "sign_ins": [
            {
                "at": sign_in.attempt_time,
                "ip_address": sign_in.ip_address,
                "browser": sign_in.user_agent,
            }
            for sign_in in sign_ins
        ],
    }


def _account_lines(user: User, data: dict[str, Any]) -> Iterator[str]:
    yield f"# {_('Account')}\n\n"
    for label, value in (
        (_("Email address"), user.email),
        (_("Name"), user.name),
        (_("Language"), user.get_locale_display()),
        (_("Time zone"), user.time_zone),
        (_("Joined"), _moment(user.date_joined)),
    ):
        yield f"- {label}: {markdown_escaped(value)}\n"
    if user.instructions:
        yield f"\n## {_('How should Meddie answer?')}\n\n{user.instructions}\n"
    roles = dict(Membership.Role.choices)
    spaces = [space | {"role": roles[space["role"]]} for space in data["spaces"]]
    sign_ins = [
        sign_in | {"at": _moment(sign_in["at"])} for sign_in in data["sign_ins"]
    ]
    for heading, rows, names in (
        (_("Your households"), spaces, ("name", "role")),
        (_("API keys"), data["api_keys"], ("space", "name", "begins_with")),
        (_("Connected programs"), data["programs"], ("space", "name")),
        (_("Telegram"), data["telegram"], ("space", "telegram_id")),
        (
            _("Emergency contacts"),
            data["emergency_contacts"],
            ("space", "name", "telephone"),
        ),
        (_("Sign-ins"), sign_ins, ("at", "ip_address", "browser")),
    ):
        yield f"\n## {heading}\n\n" if rows else ""
        for row in rows:
            told = ", ".join(markdown_escaped(str(row[name])) for name in names)
            yield f"- {told}\n"


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")
