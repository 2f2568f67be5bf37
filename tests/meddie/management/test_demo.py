"""The account with which a newcomer tries Meddie."""

from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from conversations.examples import household_of
from meddie.embedded.locations import locations
from meddie.embedded.refusal import Refusal
from people.models import Membership, Space, User
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def new_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path))


def demo() -> str:
    said = StringIO()
    call_command("demo", stdout=said)
    return said.getvalue().strip()


def test_the_password_that_is_said_signs_in_to_a_space() -> None:
    said = demo()
    assert said.startswith("Sign in: demo@example.com / ")
    user = authenticate(
        RequestFactory().post("/"),
        username="demo@example.com",
        password=said.split(" / ")[1],
    )
    assert isinstance(user, User)
    roles = user.memberships.values_list("role", flat=True)
    assert list(roles) == [Membership.Role.ADMIN] * 2


def test_later_starts_say_where_the_password_is_while_it_is_the_first_one() -> None:
    password = demo().split(" / ")[1]
    kept = locations().data / "demo_password"
    assert demo() == f"Sign in as demo@example.com; its password is in {kept}"
    assert kept.read_text().strip() == password
    user = User.objects.get()
    user.set_password("another")
    user.save()
    assert demo() == ""


def test_a_process_that_is_killed_leaves_nothing_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before the commit, and between the commit and the file that says it was made."""
    with monkeypatch.context() as dying:
        dying.setattr(Space, "save", _die)
        with pytest.raises(SystemExit):
            demo()
    assert not User.objects.exists()
    with monkeypatch.context() as dying:
        dying.setattr(Path, "rename", _die)
        with pytest.raises(SystemExit):
            demo()
    said = demo()
    user = User.objects.get()
    assert user.check_password(said.split(" / ")[1])
    assert household_of(user)


def _die(*_: object, **__: object) -> None:
    raise SystemExit


def test_the_own_space_comes_first_and_both_have_a_memory_page() -> None:
    demo()
    user = User.objects.get()
    own, household = Space.objects.of(user)
    assert own.name == "Demo's household"
    assert household == household_of(user)
    assert own.memory_page
    assert household.memory_page


def test_a_deleted_account_stays_deleted() -> None:
    demo()
    User.objects.all().delete()
    assert demo() == ""
    assert not User.objects.exists()


def test_a_restored_database_gets_none() -> None:
    UserFactory()
    assert demo() == ""
    assert User.objects.count() == 1


def test_none_is_made_where_others_are_let_in(settings: Settings) -> None:
    settings.LOCAL = False
    assert demo() == ""
    assert not User.objects.exists()
    assert not (locations().data / "demo_password").exists()


def test_its_first_password_is_refused_where_others_are_let_in(
    settings: Settings,
) -> None:
    demo()
    settings.LOCAL = False
    with pytest.raises(Refusal, match="still has its first password"):
        demo()
    user = User.objects.get()
    user.set_password("another")
    user.save()
    assert demo() == ""


def test_demo_is_refused_on_another_database(settings: Settings) -> None:
    settings.BUNDLED_DATABASE = False
    with pytest.raises(CommandError, match="bundled database only"):
        demo()
    assert not User.objects.exists()
