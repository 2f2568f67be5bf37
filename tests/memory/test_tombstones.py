"""What was forgotten since a back-up stays forgotten after its restore."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from meddie.embedded.locations import Locations
from memory import service
from memory.models import Memory, ProfileFact
from memory.tasks import save_tombstones as save_task
from memory.tombstones import apply_tombstones, save_tombstones
from memory.values import ProfileCandidate
from people.deletion import delete_spaces
from people.members import delete_accounts, remove_member
from people.models import Erasure, Space, User
from people.scope import scope_for
from tests.factories import MemoryFactory
from tests.memory.conftest import known, remember_profile, said

pytestmark = pytest.mark.django_db
FACT = "User takes ramipril"
EARLIER = now() - timedelta(days=1)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "forgotten.jsonl"


def restored(rows):
    """Put rows back as a back-up of before has them."""
    for row in rows:
        row.save(force_insert=not type(row).objects.filter(pk=row.pk).exists())
        if isinstance(row, Memory):
            row.links.get_or_create(user=row.user, space=row.space)


def test_a_fact_forgotten_since_the_backup_stays_forgotten(tell, scope, others, file):
    tell(FACT, "User likes tea", at=EARLIER)
    for other in others[:2]:
        tell(FACT, scope=other, at=EARLIER)
    kept = Memory.objects.owned_by(scope).get(content=FACT)
    service.forget(scope, [kept.pk])
    save_tombstones(file)
    restored([kept])
    assert FACT in known(scope)
    assert apply_tombstones(file)["memory"] == 1
    assert known(scope) == ["User likes tea"]
    assert all(FACT in known(other) for other in others[:2])
    assert Memory.objects.get(pk=kept.pk).content == ""
    assert apply_tombstones(file)["memory"] == 0


def test_a_fact_learnt_after_the_backup_cannot_be_learnt_from_it_again(
    tell, scope, file
):
    tell(FACT, at=EARLIER)
    learnt = Memory.objects.get()
    service.forget(scope, [learnt.pk])
    save_tombstones(file)
    learnt.delete()
    apply_tombstones(file)
    assert [d.reason for d in tell(FACT, at=EARLIER)] == ["retracted"]


def test_a_fact_that_the_user_stated_again_is_kept(tell, scope, file):
    tell(FACT, at=EARLIER - timedelta(days=1))
    service.forget(scope, [Memory.objects.get().pk])
    save_tombstones(file)
    tell(FACT, user_text="I take ramipril", at=now() + timedelta(seconds=1))
    apply_tombstones(file)
    assert known(scope) == [FACT]


def test_a_profile_fact_forgotten_since_the_backup_loses_its_value(scope, file):
    candidate = ProfileCandidate("identity", "name", "Zofia")
    remember_profile(scope, [candidate], said(EARLIER))
    kept = ProfileFact.objects.get()
    service.forget(scope, None)
    save_tombstones(file)
    restored([kept])
    apply_tombstones(file)
    fact = ProfileFact.objects.get()
    assert (fact.active, fact.value) == (False, "")


def test_a_profile_fact_learnt_after_the_backup_cannot_be_learnt_again(scope, file):
    name = ProfileCandidate("identity", "name", "Zofia")
    remember_profile(scope, [name], said(EARLIER))
    service.forget(scope, None)
    save_tombstones(file)
    ProfileFact.objects.all().delete()
    for _ in range(2):
        apply_tombstones(file)
    late = remember_profile(scope, [name], said(EARLIER))
    assert [decision.reason for decision in late] == ["retracted"]
    assert "name" not in ProfileFact.objects.get().key
    assert save_tombstones(file) == 1
    remember_profile(scope, [name], said())
    assert ProfileFact.objects.active().get().value == "Zofia"


@pytest.mark.django_db(transaction=True)
def test_deleted_spaces_are_deleted_again(office, home, file):
    delete_spaces([office.pk])
    save_tombstones(file)
    Space.objects.create(id=office.pk, name="Office")
    assert apply_tombstones(file)["space"] == 1
    assert not Space.objects.filter(pk=office.pk).exists()
    assert Space.objects.filter(pk=home.pk).exists()


def test_ended_memberships_end_again(bob, home, file):
    member = home.memberships.get(user=bob)
    joined = member.created_at
    home.memberships.exclude(user=bob).update(role="admin")
    remove_member(member)
    save_tombstones(file)
    home.memberships.create(user=bob)
    assert apply_tombstones(file)["membership"] == 0
    home.memberships.update(created_at=joined)
    assert apply_tombstones(file)["membership"] == 1
    assert not home.memberships.filter(user=bob).exists()


def test_content_erased_from_a_space_goes_again(ann, home, office, tell, file):
    for space in (home, office):
        tell(FACT, scope=scope_for(ann, space.pk, channel="web"))
    kept = Memory.objects.get(space=home)
    call_command("erase_user", "--user", ann.email, "--space", str(home.pk))
    save_tombstones(file)
    Erasure.objects.all().delete()
    restored([kept])
    assert apply_tombstones(file)["content"] == 1
    assert Memory.objects.get().space == office
    restored([kept])
    assert apply_tombstones(file)["content"] == 0


@pytest.mark.django_db(transaction=True)
def test_a_deleted_user_is_deleted_again(ann, bob, home, file):
    MemoryFactory(user=bob, space=home)
    delete_accounts([bob])
    save_tombstones(file)
    again = User.objects.create_user("bob@example.com", id=bob.pk)
    assert apply_tombstones(file)["user"] == 1
    assert not User.objects.filter(pk=again.pk).exists()
    assert User.objects.filter(pk=ann.pk).exists()


def test_a_space_keeps_the_admin_that_only_the_restored_one_has(ann, bob, home, file):
    home.memberships.filter(user=ann).update(role="member")
    home.memberships.filter(user=bob).update(role="admin")
    save_tombstones(file)
    file.write_text(f'{{"kind": "user", "user": "{bob.pk}"}}\n')
    assert apply_tombstones(file)["refused"] == 1
    assert User.objects.filter(pk=bob.pk).exists()


def test_the_file_has_no_text_and_is_closed_to_others(tell, scope, file):
    tell(FACT)
    remember_profile(scope, [ProfileCandidate("identity", "name", "Zofia")], said())
    service.forget(scope, None)
    assert save_tombstones(file) == save_tombstones(file) == 2
    assert file.stat().st_mode & 0o777 == 0o600
    assert not any(word in file.read_text() for word in ("ramipril", "Zofia", "name"))


def test_an_empty_database_does_not_empty_the_file(file):
    file.write_text(
        '{"kind": "user", "user": "1b6f9f4e-3c55-4b0c-8f9d-0d7f2f4f8a11"}\n'
    )
    assert save_tombstones(file) == 1


def test_the_command_forgets_again_and_says_how_much(
    tell, scope, tmp_path, settings, monkeypatch, capsys
):
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path))
    tell(FACT, at=EARLIER)
    kept = Memory.objects.get()
    service.forget(scope, [kept.pk])
    call_command("tombstones", "save")
    restored([kept])
    call_command("tombstones", "apply")
    assert capsys.readouterr().out == "Forgotten again: 1 memory\n"
    assert Locations(tmp_path).data.joinpath("tombstones/forgotten.jsonl").exists()


def test_a_task_keeps_the_file_up_to_date(tell, scope, tmp_path, monkeypatch):
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path))
    tell(FACT)
    service.forget(scope, [Memory.objects.get().pk])
    save_task()
    assert (
        len((tmp_path / "tombstones" / "forgotten.jsonl").read_text().splitlines()) == 1
    )
