"""Journals for operators: which messages get a line, and what the files contain."""

import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Thread
from uuid import uuid4

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from memory import service
from memory.models import JournalFile, JournalLine, MemoryPolicy
from memory.operators.journals import journal_path, write_journals
from memory.operators.snapshots import refresh_snapshots, write_changes
from people.models import Space, User
from people.scope import scope_for
from tests.factories import MembershipFactory
from tests.memory.test_killed_workers import Killed, Killer

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)
HEAD = "# 2026-03-12\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, settings):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    return settings.JOURNALS_FOLDER


def texts():
    return list(JournalLine.objects.values_list("text", flat=True))


def journal(scope, text, at=AT):
    """A line of an ingested message; its key."""
    key = uuid4()
    service.journal(scope, key, at, "Ann", text, ingested=True)
    return key


def lines(path):
    """The texts of a file, without its head, times and keys."""
    entries = [line for line in path.read_text().split("\n") if line.startswith("- ")]
    return [line.partition("Ann: ")[2].partition(" <!--")[0] for line in entries]


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
    ("policy", "ingested", "is_kept"),
    [
        ("never", True, False),
        ("ingested", False, False),
        ("ingested", True, True),
        ("all", False, True),
    ],
)
def test_policy_chooses_whose_messages_are_journaled(scope, policy, ingested, is_kept):
    MemoryPolicy.objects.create(space_id=scope.space_id, journal=policy)
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


@pytest.mark.req("S3-60", "S3-61")
def test_file_of_a_day_has_its_head_once_and_then_lines(scope):
    first = journal(scope, "I like <b>tea</b>")
    write_journals()
    path = journal_path(scope.space_id, AT.date())
    before = path.read_text()
    second = journal(scope, "And coffee", AT + timedelta(minutes=1))
    write_journals()
    assert (
        path.read_text() == before + f"- 23:31:00 Ann: And coffee <!-- {second} -->\n"
    )
    assert before.startswith(HEAD)
    assert before.count("#") == 1
    assert f"- 23:30:00 Ann: I like &lt;b&gt;tea&lt;/b&gt; <!-- {first} -->" in before


def test_line_has_no_markup_of_its_author(scope):
    key = journal(scope, "![x](http://a.example/) <!-- `I` [b]")
    write_journals()
    line = journal_path(scope.space_id, AT.date()).read_text().splitlines()[-1]
    shown = r"!\[x\](http://a.example/) &lt;!-- \`I\` \[b\]"
    assert line == f"- 23:30:00 Ann: {shown} <!-- {key} -->"


@pytest.mark.req("S3-60")
def test_days_end_at_midnight_in_utc(scope, folder):
    journal(scope, "Late")
    journal(scope, "Early", AT + timedelta(minutes=30))
    write_journals()
    names = {path.name for path in (folder / str(scope.space_id)).iterdir()}
    assert names == {"2026-03-12.md", "2026-03-13.md"}


@pytest.mark.req("S3-60")
@pytest.mark.parametrize("umask", [0o000, 0o777])
def test_files_are_private_under_any_umask(scope, folder, umask):
    journal(scope, "Hello")
    before = os.umask(umask)
    try:
        write_changes()
        journal(scope, "Again")
        write_changes()
    finally:
        os.umask(before)
    own = folder / str(scope.space_id)
    modes = {path.name: path.stat().st_mode & 0o777 for path in own.iterdir()}
    assert modes == {"2026-03-12.md": 0o600, "MEMORY.md": 0o600}
    assert {each.stat().st_mode & 0o777 for each in (folder, own)} == {0o700}


@pytest.mark.req("S3-60")
@given(batches=st.lists(st.lists(st.text(min_size=1), max_size=3), max_size=5))
def test_file_only_grows_and_has_each_line_once(scope, folder, batches):
    JournalLine.objects.all().delete()
    write_journals()
    path, before, keys = journal_path(scope.space_id, AT.date()), "", []
    for batch in batches:
        keys += [journal(scope, text) for text in batch]
        write_journals()
        after = path.read_text() if path.exists() else ""
        assert after.startswith(before)
        before = after
    stored = {str(key) for key in JournalLine.objects.values_list("pk", flat=True)}
    found = [line[-40:-4] for line in before.split("\n") if line.startswith("- ")]
    assert sorted(found) == sorted(stored)


def test_deleted_line_leaves_its_file_and_the_last_one_takes_it_along(scope, folder):
    keys = [journal(scope, text) for text in ("One", "Two")]
    write_changes()
    path = journal_path(scope.space_id, AT.date())
    JournalLine.objects.of_messages(keys[:1]).delete()
    write_changes()
    assert lines(path) == ["Two"]
    JournalLine.objects.of_messages(keys[1:]).delete()
    write_changes()
    assert not path.exists()
    refresh_snapshots()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"# 2026-03-12\n- 23:3", None])
def test_damaged_or_lost_file_is_written_again(scope, damage):
    journal(scope, "Hello")
    write_journals()
    path = journal_path(scope.space_id, AT.date())
    before = path.read_bytes()
    path.unlink() if damage is None else path.write_bytes(damage)
    refresh_snapshots()
    assert path.read_bytes() == before


def test_only_folders_of_spaces_are_removed(folder, scope):
    for name in ("kept", str(uuid4())):
        (folder / name).mkdir(parents=True)
        (folder / name / "2026-03-12.md").touch()
    refresh_snapshots()
    assert [path.name for path in folder.iterdir()] == ["kept"]


def test_journal_that_is_switched_off_is_removed(scope, folder):
    journal(scope, "Hello")
    write_changes()
    MemoryPolicy.objects.create(space_id=scope.space_id, journal="never")
    refresh_snapshots()
    assert texts() == list(folder.iterdir()) == []


@pytest.mark.parametrize(("policy", "kept"), [("all", 2), ("ingested", 1)])
def test_policy_also_holds_for_lines_that_are_stored(scope, policy, kept):
    own = MemoryPolicy.objects.create(space_id=scope.space_id, journal="all")
    service.journal(scope, uuid4(), AT, "Ann", "In private")
    journal(scope, "In the group")
    write_changes()
    own.journal = policy
    own.save()
    refresh_snapshots()
    path = journal_path(scope.space_id, AT.date())
    expected = {"In private", "In the group"} if kept == 2 else {"In the group"}
    assert set(lines(path)) == set(texts()) == expected


def test_lines_of_a_space_without_a_policy_are_kept_if_they_were_ingested(scope):
    journal(scope, "In the group")
    refresh_snapshots()
    assert texts() == ["In the group"]


@pytest.mark.parametrize("name", ["2026-03-13.md", "2026-03-13.md.part"])
def test_files_of_days_that_a_restored_database_does_not_know_are_removed(scope, name):
    journal(scope, "Hello")
    write_changes()
    path = journal_path(scope.space_id, AT.date())
    path.with_name(name).write_text("- later")
    path.with_name("kept.txt").touch()
    refresh_snapshots()
    names = {each.name for each in path.parent.iterdir()}
    assert names == {"2026-03-12.md", "MEMORY.md", "kept.txt"}


def test_space_takes_its_journals_along(scope, folder):
    journal(scope, "Hello")
    write_changes()
    Space.objects.filter(pk=scope.space_id).delete()
    refresh_snapshots()
    assert list(folder.iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_user_takes_lines_and_facts_along(scope, bob, home, tell, folder):
    tell("User likes tea")
    of_bob = scope_for(bob, home.pk, channel="web")
    for author, text in ((scope, "I am Ann"), (of_bob, "I am Bob")):
        journal(author, text)
    write_changes()
    User.objects.filter(pk=scope.user_id).delete()
    write_changes()
    kept = "".join(path.read_text() for path in folder.rglob("*.md"))
    assert "I am Bob" in kept
    assert "I am Ann" not in kept
    assert "likes tea" not in kept


@pytest.mark.django_db(transaction=True)
def test_killed_worker_neither_loses_nor_doubles_a_line():
    for number in count(1):
        member = MembershipFactory()
        scope = scope_for(member.user, member.space_id, channel="web")
        keys = [journal(scope, "Zero")]
        write_journals()
        path, killer = journal_path(scope.space_id, AT.date()), Killer(number)
        journal(scope, "One", AT + timedelta(seconds=1))
        JournalLine.objects.of_messages(keys).delete() if number % 2 else None
        with suppress(Killed), connection.execute_wrapper(killer):
            write_journals()
        write_journals()
        assert lines(path) == (["One"] if number % 2 else ["Zero", "One"])
        if killer.left > 0:
            break
    assert number > 5


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_write_each_line_once(scope):
    def work():
        try:
            for _ in range(20):
                write_journals()
        finally:
            connection.close()

    workers = [Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for number in range(30):
        journal(scope, f"Number {number}")
    for worker in workers:
        worker.join()
    write_journals()
    found = lines(journal_path(scope.space_id, AT.date()))
    assert sorted(found) == sorted(f"Number {number}" for number in range(30))
    assert JournalFile.objects.count() == 1
