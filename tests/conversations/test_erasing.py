"""A user is erased, everywhere or from one space, and the command looks for the rest."""

import os

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from conversations.forgetting.erasing import find_remains, read_traces
from conversations.models import Attachment, Conversation, Feedback, Message
from conversations.models.attachment import attachment_storage
from memory.models import JournalLine, Memory, MemoryPolicy
from memory.operators.journals import folder_of
from people.models import DeletedUser, Membership, User
from tests.conversations.turns import ask, noting, write
from tests.factories import (
    AttachmentFactory,
    MembershipFactory,
    MemoryFactory,
    TelegramBotFactory,
)
from tests.whole_database import places_of

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "ann@example.com"
# Processes that test side by side share the folder of files.
WORD = f"canary{os.getpid()}ril"


@pytest.fixture
def member(transactional_db, settings, tmp_path):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    return MembershipFactory(user__email=ADDRESS, role="admin")


@pytest.fixture
def elsewhere(member):
    """The same user in another household, with a memory there."""
    other = MembershipFactory(user=member.user, role="admin")
    MemoryFactory(user=member.user, space=other.space, content="User likes tea")
    return other


@pytest.fixture
def told(openai_server, member):
    """What a user told: a message with a file, a fact, a journal line, a reply's log."""
    MemoryPolicy.objects.create(space=member.space, journal="all")
    openai_server.chat.queue(
        noting(f"All right, {WORD}.", memory_saves=[f"User takes {WORD}"])
    )
    reply = write(ask(member, f"I take {WORD}"))
    Feedback.objects.create(
        user=member.user, space=member.space, message=reply, rating="bad", reason=WORD
    )
    name = attachment_storage().save("ca/nary", ContentFile(WORD.encode()))
    AttachmentFactory(
        user=member.user, space=member.space, message=reply.answers, file=name
    )
    yield reply
    attachment_storage().delete(name)


def erase(*arguments):
    call_command("erase_user", "--user", ADDRESS, *arguments)


def test_an_erased_user_is_nowhere(told, member, capsys):
    neighbour = MembershipFactory(space=member.space, role="admin")
    MemoryFactory(user=neighbour.user, space=member.space, content="User plays chess")
    assert {"memories", "files", "reply"} <= places_of(WORD)
    erase()
    said = capsys.readouterr().out
    assert said.endswith("Erased. Nothing is left.\n")
    assert "3 messages\n" in said
    assert not User.objects.filter(email=ADDRESS).exists()
    assert places_of(WORD) == set()
    assert not JournalLine.objects.exists()
    assert Memory.objects.get().content == "User plays chess"
    assert DeletedUser.objects.get().pk == member.user_id


def test_a_user_erased_from_one_space_stays_in_the_other(told, member, elsewhere):
    erase("--space", str(member.space_id))
    assert places_of(WORD) == set()
    assert not Conversation.objects.filter(space=member.space).exists()
    assert Memory.objects.get().space_id == elsewhere.space_id
    assert Membership.objects.filter(user=member.user).count() == 2


def test_a_dry_run_only_counts(told, elsewhere, capsys):
    erase("--dry-run")
    counted = capsys.readouterr().out
    assert "2 memories\n" in counted
    assert "1 attachments\n" in counted
    assert "Erased" not in counted
    assert Message.objects.count() == 3
    assert Attachment.objects.exists()


def test_a_row_that_names_the_erased_user_is_reported(told, member):
    neighbour = MembershipFactory(space=member.space, role="admin")
    MemoryFactory(
        user=neighbour.user, space=member.space, content=f"Write to {ADDRESS}"
    )
    with pytest.raises(CommandError, match="Something is left in: memories"):
        erase()


def test_a_snapshot_that_still_shows_a_fact_is_reported(told, member):
    call_command("refresh_journals")
    page = folder_of(member.space_id) / "MEMORY.md"
    shown = page.read_text()
    assert WORD in shown
    traces = read_traces(member.user, member.space)
    erase("--space", str(member.space_id))
    assert find_remains(traces) == []
    page.parent.mkdir(parents=True)
    page.write_text("\n".join(line for line in shown.split("\n") if "User" in line))
    assert find_remains(traces) == ["journals"]


def test_nothing_is_erased_while_a_space_needs_the_user(told, member):
    MembershipFactory(space=member.space, role="member")
    with pytest.raises(CommandError, match="would have no admin"):
        erase()
    assert Message.objects.exists()


def test_nothing_is_erased_with_a_space_that_has_a_bot(told, member):
    TelegramBotFactory(space=member.space)
    with pytest.raises(CommandError, match="has a Telegram bot"):
        erase()
    assert Message.objects.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--user", "unknown@example.com"],
        ["--user", ADDRESS, "--space", "1b6f9f4e-3c55-4b0c-8f9d-0d7f2f4f8a11"],
    ],
)
def test_unknown_users_and_spaces_are_named_in_a_sentence(member, arguments):
    with pytest.raises(CommandError, match="There is no such"):
        call_command("erase_user", *arguments)
