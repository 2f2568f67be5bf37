"""`manage.py export_facts`, and the way back through `import_facts`."""

import json
import os
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from memory import service
from memory.exports import exported_facts, exported_lore, former_facts
from memory.facts.store import NoOwner
from memory.models import (
    CaptureJob,
    Memory,
    MemoryLink,
    MemoryPolicy,
    MemoryStatement,
    MemoryUpdate,
    ProfileFact,
)
from memory.subjects import UNSURE, USER, Subject
from memory.values import Candidate, ProfileCandidate
from people.scope import scope_for
from tests.factories import MembershipFactory, PersonFactory
from tests.memory.conftest import (
    known,
    remember,
    remember_lines,
    remember_profile,
    said,
)

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
TABLES = (Memory, MemoryLink, MemoryStatement, MemoryUpdate, ProfileFact, CaptureJob)


@pytest.fixture
def told(scope):
    """Ann's home knows two facts, one of them twice, and a profile."""
    tea = Candidate("User likes *tea* | milk", "preference", 0.7, "I like tea")
    remember(scope, [tea], said(MARCH))
    remember(scope, [tea], said(MARCH.replace(day=2)))
    remember(
        scope, [Candidate("User keeps two cats")], said(MARCH, origin="background")
    )
    name = ProfileCandidate("identity", "name", "Ann", confidence=0.9)
    remember_profile(scope, [name], said(MARCH))
    return scope


@pytest.fixture
def export(home, tmp_path):
    def export(user="ann@example.com", space=None, **options):
        file = tmp_path / "export"
        place = (space or home).pk
        call_command("export_facts", file, user=user, space=place, **options)
        return file

    return export


@pytest.fixture
def bring(home, capsys):
    def bring(file, user="ann@example.com", space=None, **options):
        call_command(
            "import_facts", file, user=user, space=(space or home).pk, **options
        )
        return capsys.readouterr().out.strip()

    return bring


def rows():
    return [list(table.objects.order_by("pk").values()) for table in TABLES]


def test_facts_and_profile_are_exported_with_date_origin_and_confidence(told, export):
    profile, cats, tea = map(json.loads, export().read_text().splitlines())
    assert profile == {
        "of_kind": "profile_fact",
        "category": "identity",
        "key": "name",
        "value": "Ann",
        "importance": 0.8,
        "confidence": 0.9,
        "stated_at": MARCH.isoformat(),
        "origin": "inline",
    }
    assert (cats["text"], cats["origin"]) == ("User keeps two cats", "background")
    assert (tea["kind"], tea["confidence"]) == ("preference", 0.7)
    assert (tea["evidence"], tea["stated_at"][:10]) == ("I like tea", "2026-03-02")


def test_an_export_that_is_imported_again_changes_nothing(told, export, bring):
    before = rows()
    assert bring(export()) == "3 ignore (duplicate)"
    assert rows() == before


def test_an_export_of_another_space_is_the_same_export(told, export, bring, office):
    file = export()
    text = file.read_text()
    assert bring(file, space=office) == "3 add"
    assert export(space=office).read_text() == text


def test_times_of_a_fact_are_exported_and_imported(told, export, bring, office):
    times = {
        "valid_from": datetime(2019, 5, 1, tzinfo=UTC),
        "valid_until": datetime(2024, 3, 1, tzinfo=UTC),
    }
    Memory.objects.filter(kind="preference").update(**times)
    bring(export(), space=office)
    copied = Memory.objects.get(kind="preference", space=office)
    assert (copied.valid_from, copied.valid_until) == tuple(times.values())


def test_a_forgotten_fact_is_not_imported_again(told, export, bring):
    file = export()
    for memory in Memory.objects.all():
        memory.active, memory.retired_reason = False, "retracted"
        memory.retired_at = datetime.now(UTC)
        memory.save()
    assert bring(file) == "1 ignore (duplicate), 2 reject (retracted)"
    assert known(told) == []


def test_a_dry_run_of_an_import_stores_nothing(told, export, bring, office):
    file = export()
    before = rows()
    assert bring(file, space=office, dry_run=True) == "3 add"
    assert rows() == before


def test_facts_of_others_and_retired_facts_are_not_exported(told, export, bob, home):
    bobs = scope_for(bob, home.pk, channel="web")
    remember(bobs, [Candidate("User sails")], said(MARCH))
    Memory.objects.filter(content__contains="tea").update(
        active=False, retired_reason="archived", retired_at=MARCH
    )
    text = export().read_text()
    assert "sails" not in text
    assert "tea" not in text
    assert "sails" in export(user="bob@example.com").read_text()


@pytest.mark.req("S0-07")
@pytest.mark.parametrize("part", [exported_facts, former_facts, exported_lore])
def test_other_scopes_export_none_of_anns_facts_and_lore(told, others, home, part):
    MemoryPolicy.objects.create(space=home, lore=True)
    remember_lines(told, ["Movie night is on Friday"], said(origin="lore"))
    Memory.objects.filter(content__contains="tea").update(
        active=False, retired_reason="archived", retired_at=MARCH
    )
    assert list(part(told))
    for other in others:
        with suppress(NoOwner):
            assert list(part(other)) == []


def test_markdown_is_a_list_without_markup_of_users(told, export):
    lines = export(format="markdown").read_text().splitlines()
    assert lines[0] == "- name: Ann (1 March 2026, reply, confidence 0.90)"
    assert lines[2].startswith(r"- User likes \*tea\* \| milk (2 March 2026, reply")


def test_only_the_user_of_the_server_can_read_an_export(told, export, tmp_path):
    old = os.umask(0)
    try:
        file = export()
    finally:
        os.umask(old)
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_without_a_file_the_facts_are_printed(told, home, capsys):
    call_command("export_facts", user="ann@example.com", space=home.pk)
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_dry_run_of_an_export_only_counts(told, export, capsys):
    assert not export(dry_run=True).exists()
    assert capsys.readouterr().out == "3 facts\n"


def test_a_user_who_switched_memory_off_has_an_export(told, export, ann):
    ann.memory_on = False
    ann.save()
    assert len(export().read_text().splitlines()) == 3


def test_a_file_that_cannot_be_written_is_reported(told, home, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="cannot be written"):
        call_command(
            *("export_facts", tmp_path / "file" / "export"),
            user="ann@example.com",
            space=home.pk,
        )


def test_only_members_have_an_export(told, export):
    MembershipFactory(user__email="eve@example.com")
    with pytest.raises(CommandError, match="in no space of this name"):
        export(user="eve@example.com")


@pytest.mark.parametrize(
    "change",
    [
        {"key": 3},
        {"value": None},
        {"confidence": 2},
        {"importance": "high"},
        {"confidence": True},
        {"origin": "elsewhere"},
        {"origin": []},
        {"stated_at": None},
    ],
)
def test_a_malformed_profile_line_is_named(told, export, bring, change):
    file = export()
    first, *others = file.read_text().splitlines()
    changed = json.dumps(json.loads(first) | change)
    file.write_text("\n".join([*others, changed]))
    before = rows()
    with pytest.raises(CommandError, match=r"^Line 3 is no fact with a date\.$"):
        bring(file)
    assert rows() == before


@pytest.mark.req("S3-28")
def test_exported_lore_is_lore_again(told, home, office):
    MemoryPolicy.objects.create(space=home, lore=True)
    MemoryPolicy.objects.create(space=office, lore=True)
    remember_lines(told, ["Movie night is on Friday"], said())
    facts = [*service.exported_facts(told), *service.exported_lore(told)]
    text = "".join(map(service.fact_as_json, facts))
    there = replace(told, space_id=office.pk)
    read = service.read_import(text, "jsonl", MARCH)
    assert {d.action for d in service.import_all(there, read)} == {"add"}
    lore = Memory.objects.lore_of(office.pk).get()
    assert lore.content == "Memory line: Movie night is on Friday."


@pytest.fixture
def family(scope, home):
    """What Ann said of herself, of Mia, of her mother, and of one who is not sure."""
    mia = PersonFactory(space=home, name="Mia")
    daughter = Subject("daughter", "Mia", mia.pk)
    facts = [
        Candidate("User keeps two cats", subject=USER),
        Candidate("Mia has asthma", subject=daughter),
        Candidate("User's mother takes ramipril", subject=Subject("mother")),
        Candidate("She takes montelukast", subject=UNSURE),
    ]
    remember(scope, facts, said(MARCH))
    return mia


def subjects(space):
    return dict(Memory.objects.filter(space=space).values_list("content", "subject"))


def test_subjects_are_exported_and_imported(family, export, bring, home, office):
    """A Person by name: elsewhere it is the Person of that name, or a mere name."""
    bring(export(), space=office)
    assert subjects(office) == subjects(home)
    assert not Memory.objects.filter(space=office).exclude(person=None).exists()


def test_imported_subject_becomes_the_person_of_the_space(
    family, export, bring, office
):
    theirs = PersonFactory(space=office, name="Mia Larsen")
    bring(export(), space=office)
    (asthma,) = Memory.objects.filter(space=office, person=theirs)
    assert asthma.content == "Mia has asthma"


def test_export_names_a_person_as_the_person_is_called_now(family, export):
    family.name = "Amelia"
    family.save()
    lines = map(json.loads, export().read_text().splitlines())
    assert "daughter Amelia" in {line.get("subject") for line in lines}


def test_markdown_is_grouped_by_subject(family, export):
    lines = export(format="markdown").read_text().splitlines()
    told = [line.partition(" (")[0] for line in lines if line]
    assert told == [
        "## user",
        "- User keeps two cats",
        "## daughter Mia",
        "- Mia has asthma",
        "## mother",
        "- User's mother takes ramipril",
        "## not sure",
        "- She takes montelukast",
    ]
