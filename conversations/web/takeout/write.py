"""Everything that is a user's, as a zip file."""

from collections.abc import Callable, Iterator
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from conversations.models import Attachment, Conversation, Feedback
from conversations.web.takeout.account import write_account
from conversations.web.takeout.archive import Archive, file_name
from conversations.web.takeout.feedback import write_feedback
from conversations.web.takeout.files import write_files
from conversations.web.takeout.notes import write_notes
from conversations.web.takeout.transcripts import write_conversations
from memory import service
from memory.models import Memory, ProfileFact
from people.models import Person, Space, User
from people.scope import Scope, retraction_scope

Facts = Callable[[Scope], Iterator[Memory | ProfileFact]]
FACTS: dict[str, Facts] = {
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
    _write_facts(archive, folder, retraction_scope(user.pk, space.pk))
    person = Person.objects.in_space(space.pk).filter(user=user).first()
    if person is not None:
        write_notes(archive, folder, person)


def _write_facts(archive: Archive, folder: str, scope: Scope) -> None:
    for name, read in FACTS.items():
        lines = map(service.json_line, read(scope))
        archive.add_text(f"{folder}/{name}.jsonl", lines)
        lines = map(service.markdown_line, read(scope))
        archive.add_text(f"{folder}/{name}.md", lines)
