"""A conversation as a file that its user can keep."""

from typing import Any

import pytest

from conversations.web.takeout.transcripts import (
    markdown_transcript,
    transcript_file_name,
)
from people.models import User
from tests.conversations import transcripts
from tests.factories import AttachmentFactory, PersonFactory, SpaceFactory, UserFactory


@pytest.fixture
def ann(db: None) -> Any:
    return UserFactory(name="Ann")


@pytest.fixture
def conversation(ann: User):
    home: Any = SpaceFactory(name="Home", members=[ann])
    person: Any = PersonFactory(space=home, name="Leo")
    started = transcripts.start_conversation(
        ann, home, title="A rash *today*", person=person
    )
    reply = transcripts.exchange(started, "What is this?", "**A burn.**", "stopped")
    AttachmentFactory(message=reply.answers, name="photo_1.jpg")
    return started


def test_transcript_has_title_messages_states_and_files(conversation):
    text = markdown_transcript(conversation)
    parts = [
        "# A rash \\*today\\*",
        "Home · Leo · ",
        "## You · ",
        "What is this?",
        "Files: photo\\_1.jpg",
        "## Meddie · ",
        "**A burn.**",
        "*You stopped this reply.*",
    ]
    found = [text.index(part) for part in parts]
    assert found == sorted(found)


def test_forwarded_message_names_its_author(conversation):
    transcripts.say(conversation, "user", "No salt", forwarded_from="T. *B*")
    told = "*Forwarded from T. \\*B\\**\n\nNo salt"
    assert told in markdown_transcript(conversation)


def test_superseded_messages_are_left_out(conversation):
    conversation.messages.filter(role="assistant").update(status="superseded")
    assert "A burn" not in markdown_transcript(conversation)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("A rash *today*", "a-rash-today.md"),
        ("../../etc/passwd", "etcpasswd.md"),
        ("صداع في الصباح", "صداع-في-الصباح.md"),
        ("x" * 200, "x" * 80 + ".md"),
    ],
)
def test_file_is_named_by_the_title(conversation, title, name):
    conversation.title = title
    assert transcript_file_name(conversation) == name


def test_file_without_a_title_is_named_by_the_day(conversation):
    conversation.title = "?!"
    day = conversation.created_at.date().isoformat()
    assert transcript_file_name(conversation) == f"{day}.md"
