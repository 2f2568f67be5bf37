"""Files in the database move to the storage, and back."""

import hashlib
import uuid

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from conversations.attachments.problems import problem
from conversations.attachments.storage import open_file
from conversations.attachments.worker import run_derivation
from conversations.models import Attachment, DerivationJob
from tests.conversations import transcripts
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [("conversations", "0019_episodes")]


def migrate(targets):
    """The models of that time."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


@pytest.fixture
def messages():
    """Two messages of a member and one of a guest."""
    member = MembershipFactory()
    conversations = [
        transcripts.start_conversation(member.user, member.space),
        transcripts.start_conversation(None, member.space),
    ]
    for conversation in (conversations[0], *conversations):
        transcripts.exchange(conversation, "Here it is.", "Kept.")
    found = [c.messages.filter(role="user").in_order() for c in conversations]
    return [*found[0], *found[1]]


@pytest.fixture
def newest():
    """Returns to the newest tables after the test."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def add_file(old, message, kind, content):
    old.objects.create(
        pk=uuid.uuid4(),
        message_id=message.pk,
        kind=kind,
        name=f"{kind}.x",
        content_type="text/html",  # as its sender said
        size=len(content),
        content=content,
    )


def test_files_move_out_of_the_database_and_back(messages, newest):
    old = migrate(BEFORE).get_model("conversations", "Attachment")
    given = [
        (messages[0], "photo", b"\xff\xd8\xff a photo"),
        (messages[1], "document", b"Buy oats."),
        (messages[2], "voice", b"OggS a voice"),
    ]
    for message, kind, content in given:
        add_file(old, message, kind, content)
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    migrate(leaves)
    files = list(Attachment.objects.order_by("message__seq", "-kind"))
    assert {(f.kind, f.state) for f in files} == {
        ("image", "pending"),
        ("document", "pending"),
        ("audio", "done"),
    }
    for file in files:
        content = next(c for m, _, c in given if m.pk == file.message_id)
        with open_file(file) as opened:
            assert opened.read() == content
        assert file.sha256 == hashlib.sha256(content).hexdigest()
        assert file.user == file.message.conversation.user
        assert file.space == file.message.conversation.space
    assert sorted(f.number for f in files if f.user) == [1, 2]
    document = next(file for file in files if file.kind == "document")
    run_derivation(DerivationJob.objects.get(attachment=document).pk)
    assert document.texts.get(kind="chunk").content == "Buy oats."
    back = migrate(BEFORE).get_model("conversations", "Attachment")
    kept = {(row.kind, bytes(row.content)) for row in back.objects.all()}
    assert kept == {(kind, content) for _, kind, content in given}


def test_moved_files_get_the_type_of_their_content(messages, newest):
    old = migrate(BEFORE).get_model("conversations", "Attachment")
    add_file(old, messages[0], "document", b"\x89PNG\r\n\x1a\n a picture")
    add_file(old, messages[1], "document", b"\x00\x01 a program")
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())
    picture, program = Attachment.objects.order_by("message__seq")
    assert (picture.kind, picture.content_type) == ("image", "image/png")
    assert picture.derivation.state == "waiting"
    assert program.content_type == "application/octet-stream"
    assert str(problem(program)) == "I can’t read this kind of file."
    assert not DerivationJob.objects.filter(attachment=program).exists()
