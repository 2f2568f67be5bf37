"""Journals for operators: which messages get a line, and what the files contain."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memory import service
from memory.models import JournalLine, MemoryPolicy
from people.scope import scope_for

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)


def texts():
    return list(JournalLine.objects.values_list("text", flat=True))


@pytest.mark.req("S3-19")
def test_ingested_message_gets_one_line_of_at_most_320_characters(scope):
    key = uuid4()
    for _ in range(2):
        service.journal(scope, key, AT, "Ann", " I\nlike  tea" * 99, ingested=True)
    line = JournalLine.objects.get()
    assert line.text.startswith("I like tea I like tea")
    assert 300 < len(line.text) <= 320
    assert (str(line.day), line.author) == ("2026-03-12", "Ann")


@pytest.mark.parametrize(
    ("journal", "ingested", "is_kept"),
    [
        ("never", True, False),
        ("ingested", False, False),
        ("ingested", True, True),
        ("all", False, True),
    ],
)
def test_policy_chooses_whose_messages_are_journaled(scope, journal, ingested, is_kept):
    MemoryPolicy.objects.create(space_id=scope.space_id, journal=journal)
    service.journal(scope, uuid4(), AT, "Ann", "Hello", ingested=ingested)
    assert texts() == ["Hello"] * is_kept


def test_message_that_is_not_remembered_gets_no_line(ann, home):
    MemoryPolicy.objects.create(space=home, journal="all")
    ignored = scope_for(ann, home.pk, channel="web", remember=False)
    ann.memory_on = False
    off = scope_for(ann, home.pk, channel="web")
    for scope in (ignored, off):
        service.journal(scope, uuid4(), AT, "Ann", "Hello")
    assert texts() == []


def test_message_without_visible_text_gets_no_line(scope):
    service.journal(scope, uuid4(), AT, "Ann", " \n\x00", ingested=True)
    assert texts() == []
