"""MEMORY.md: what it shows, how much of it, and when it is written."""

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine
from celery.beat import ScheduleEntry
from django.utils import timezone

from meddie.celery import app
from memory import service
from memory.models import JournalLine, Memory, MemoryPolicy, ProfileFact
from memory.operators.journals import folder_of
from memory.operators.snapshot_text import read_snapshot, render_snapshot
from memory.operators.snapshots import refresh_snapshots, write_changes
from memory.tasks import refresh_snapshots as refresh_snapshots_task
from people.models import Membership, User
from people.scope import scope_for
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    ProfileFactFactory,
    UserFactory,
)
from tests.memory.conftest import remember_lines, said

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)
KEY = re.compile(r" <!-- [0-9a-f-]{36} -->")


@pytest.fixture(autouse=True)
def folder(tmp_path, settings):
    settings.JOURNALS_FOLDER = tmp_path / "journals"


@pytest.fixture
def file(home):
    return folder_of(home.pk) / "MEMORY.md"


def journal(scope, text="I said something", at=AT, author="Ann"):
    service.journal(scope, uuid4(), at, author, text, ingested=True)


def page(home):
    return render_snapshot(read_snapshot(home.pk))


def section(home, title):
    """The list below a heading."""
    return page(home).partition(f"## {title}\n\n")[2].partition("\n\n##")[0].split("\n")


@pytest.mark.req("S3-62")
def test_page_has_people_lore_highlights_and_sources(scope, home):
    MemoryFactory(
        user_id=scope.user_id,
        space=home,
        content="User likes <b>tea</b>",
        stated_at=AT,
        channel="web",
    )
    ProfileFactFactory(
        user_id=scope.user_id,
        space=home,
        key="name",
        value="Ann",
        stated_at=AT,
        origin="inline",
    )
    MemoryFactory(
        user=None,
        space=home,
        audience="space",
        kind="lore",
        content="Memory line: tea on Mondays.",
        stated_at=AT,
        channel="web",
        linked=False,
    )
    journal(scope)
    write_changes()
    assert page(home).count(" <!-- ") == 4  # the keys of the rows
    text = KEY.sub("", page(home))
    assert (
        text
        == f"""# Memory of the space {home.pk}

For operators. Replies never read this page.

## People

### Ann

{text.partition("### Ann")[2].partition("##")[0].strip()}

## Ongoing lore

- 2026-03-12 [web] Memory line: tea on Mondays.

## Recent journal highlights

- 2026-03-12 23:30:00 Ann: I said something

## Source daily logs

- 2026-03-12.md
"""
    )
    assert "- 2026-03-12 [web] User likes &lt;b&gt;tea&lt;/b&gt;" in text
    assert "- 2026-03-12 [inline] name: Ann" in text


def test_empty_page_says_so(home):
    assert section(home, "People") == section(home, "Ongoing lore") == ["None."]


@pytest.mark.req("B-36")
def test_each_person_has_their_six_newest_facts(home, ann):
    for number in range(8):
        MemoryFactory(
            user=ann,
            space=home,
            content=f"Fact {number}",
            stated_at=AT + timedelta(days=number),
        )
    ProfileFactFactory(
        user=ann, space=home, value="x", stated_at=AT + timedelta(days=9)
    )
    facts = [line for line in section(home, "People") if line.startswith("- ")]
    assert len(facts) == 6
    assert "Fact 7" in facts[1]
    assert "Fact 3" in facts[-1]


@pytest.mark.req("B-36")
def test_page_has_at_most_80_people_those_with_the_newest_facts(home):
    for number in range(82):
        member = MembershipFactory(space=home, user__name=f"Person{number:03}")
        ProfileFactFactory(
            user=member.user, space=home, stated_at=AT + timedelta(days=number)
        )
    names = [user.name for user, _facts in read_snapshot(home.pk).people]
    assert names == [f"Person{number:03}" for number in range(81, 1, -1)]


@pytest.mark.req("B-36")
def test_page_has_the_six_newest_lines_of_lore(home):
    for number in range(8):
        MemoryFactory(
            user=None,
            space=home,
            audience="space",
            kind="lore",
            content=f"Line {number}",
            stated_at=AT + timedelta(days=number),
            linked=False,
        )
    lines = [memory.content for memory in read_snapshot(home.pk).lore]
    assert lines == [f"Line {number}" for number in range(7, 1, -1)]


def highlights(home):
    return [line.text for line in read_snapshot(home.pk).highlights]


@pytest.mark.req("B-36")
def test_highlights_leave_out_short_lines_bare_links_and_repetitions(scope, home):
    for text in (
        *("short", "https://example.com/some/page", "Look: https://example.com"),
        *("The same again", "the SAME again"),
    ):
        journal(scope, text)
    write_changes()
    assert sorted(map(str.lower, highlights(home))) == [
        "look: https://example.com",
        "the same again",
    ]


@pytest.mark.req("B-36")
def test_highlights_are_24_of_the_last_three_files_and_8_of_an_author(scope, home):
    for day in range(6):
        at = AT + timedelta(days=day)
        for number in range(10):
            author = f"Author {number % 5}"
            journal(scope, f"Day {day}, number {number}", at, author)
    journal(scope, "One more of the first author", author="Author 0")
    write_changes()
    found = read_snapshot(home.pk)
    assert {line.day.day for line in found.highlights} == {15, 16, 17}
    assert len(found.highlights) == 24
    assert [str(day) for day in found.days] == [
        f"2026-03-{day}" for day in range(17, 12, -1)
    ]
    for number in range(20):
        journal(scope, f"And number {number}", AT + timedelta(days=6), "Author 0")
    write_changes()
    authors = [line.author for line in read_snapshot(home.pk).highlights]
    assert authors.count("Author 0") == 8


@pytest.mark.req("B-36")
def test_highlights_are_among_the_last_120_entries(scope, home):
    journal(scope, "The first entry")
    for number in range(120):
        journal(scope, "short", AT + timedelta(seconds=number + 1))
    write_changes()
    assert highlights(home) == []


@pytest.mark.req("S3-12")
def test_refresh_writes_what_has_changed_and_only_that(scope, tell, file):
    journal(scope)
    refresh_snapshots()
    written = file.stat()
    refresh_snapshots()
    assert file.stat().st_mtime_ns == written.st_mtime_ns
    assert file.stat().st_ino == written.st_ino
    tell("User likes tea")
    refresh_snapshots()
    assert "User likes tea" in file.read_text()


@pytest.mark.req("S3-12")
def test_changed_snapshot_is_written_when_five_minutes_are_over(scope, tell, file):
    journal(scope)
    write_changes()
    tell("User likes tea")
    name = refresh_snapshots_task.name
    with time_machine.travel(AT, tick=False) as clock:
        beat = ScheduleEntry(name, app=app, **app.conf.beat_schedule[name])

        def has_run_after(seconds):
            clock.shift(seconds)
            if beat.is_due().is_due:
                app.tasks[beat.task]()
            return "User likes tea" in file.read_text()

        assert not has_run_after(seconds=299)
        assert has_run_after(seconds=1)


@pytest.mark.req("S3-25")
def test_many_lines_cause_one_write_of_the_snapshot(scope, file, home):
    for number in range(50):
        journal(scope, f"Message number {number}")
    assert not file.exists()
    assert write_changes() == 1
    assert file.read_text() == page(home)
    assert write_changes() == 0


def test_snapshot_follows_what_was_forgotten(
    scope, tell, file, django_capture_on_commit_callbacks
):
    tell("User likes tea")
    journal(scope)
    write_changes()
    with django_capture_on_commit_callbacks(execute=True):
        service.forget(scope, [Memory.objects.get().pk])
    assert write_changes() == 1
    assert "tea" not in file.read_text()


@pytest.mark.req("S3-25", "S3-32")
def test_many_lines_of_lore_cause_one_write_and_no_task_but_their_vectors(
    scope, home, file, django_capture_on_commit_callbacks, monkeypatch
):
    MemoryPolicy.objects.create(space=home, lore=True)
    journal(scope)
    write_changes()
    tasks = []
    monkeypatch.setattr("meddie.dispatch.enqueue", lambda *task: tasks.append(task[0]))
    with django_capture_on_commit_callbacks(execute=True):
        for line in ("We bowl on Fridays", "We cook on Sundays"):
            remember_lines(scope, [line], said(origin="lore"))
    assert set(tasks) == {"memory.embed"}
    assert write_changes() == 1
    assert "We cook on Sundays" in file.read_text()


def test_facts_of_former_members_and_of_memory_that_is_off_are_left_out(home, ann, bob):
    for user in (ann, bob):
        MemoryFactory(user=user, space=home)
    carl = UserFactory(is_active=False)
    MembershipFactory(space=home, user=carl)
    MemoryFactory(user=carl, space=home)
    Membership.objects.filter(user=ann).delete()
    assert [user for user, _ in read_snapshot(home.pk).people] == [bob]
    User.objects.filter(pk=bob.pk).update(memory_on=False)
    assert read_snapshot(home.pk).people == []


def test_lines_of_former_members_and_of_memory_that_is_off_are_left_out(
    scope, home, ann, bob
):
    journal(scope, "This is of Ann")
    journal(scope_for(bob, home.pk, channel="web"), "This is of Bob")
    write_changes()
    Membership.objects.filter(user=ann).delete()
    assert highlights(home) == ["This is of Bob"]
    User.objects.filter(pk=bob.pk).update(memory_on=False)
    assert highlights(home) == []


def test_page_has_no_markup_of_users(scope, home):
    bad = "![x](http://a.example/) <!-- *I* [b]"
    User.objects.filter(pk=scope.user_id).update(name=bad)
    MemoryFactory(user_id=scope.user_id, space=home, content=bad, channel=bad)
    journal(scope, bad, author=bad)
    write_changes()
    shown = r"!\[x\](http://a.example/) &lt;!-- \*I\* \[b\]"
    text = page(home)
    assert f"### {shown}\n" in text
    assert f"[{shown}] {shown} <!-- " in text
    assert f"{shown}: {shown} <!-- " in text
    assert bad not in text


@pytest.mark.django_db(transaction=True)
def test_member_who_leaves_rings_for_a_refresh(home, bob, client, monkeypatch):
    tasks = []
    monkeypatch.setattr("meddie.dispatch.enqueue", lambda *task: tasks.append(task))
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"/spaces/{home.pk}/leave").status_code == 302
    assert ("memory.refresh_snapshots",) in tasks


def test_space_of_private_conversations_alone_has_no_file(tell, file):
    tell("User likes tea")
    refresh_snapshots()
    assert not file.exists()
    assert not file.parent.exists()


def test_leftover_of_a_killed_worker_is_removed(scope, file):
    journal(scope)
    write_changes()
    left = file.with_name("MEMORY.md.part")
    left.write_text("half")
    refresh_snapshots()
    assert not left.exists()


def test_retired_facts_are_left_out(home, ann):
    MemoryFactory(
        user=ann,
        space=home,
        active=False,
        retired_reason="archived",
        retired_at=timezone.now(),
    )
    ProfileFactFactory(user=ann, space=home).retire("superseded")
    assert read_snapshot(home.pk).people == []
    assert (Memory.objects.count(), ProfileFact.objects.count()) == (1, 1)


def test_lines_of_others_are_not_the_readers(scope, home, ann, bob):
    journal(scope, "This is of Ann")
    journal(scope_for(bob, home.pk, channel="web"), "This is of Bob", author="Bob")
    write_changes()
    assert [line.text for line in read_snapshot(home.pk, bob.pk).highlights] == [
        "This is of Bob"
    ]
    assert JournalLine.objects.count() == 2
