"""The account with which a newcomer tries Meddie."""

from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from people.models import Membership, User

pytestmark = pytest.mark.django_db


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
    assert user.memberships.get().role == Membership.Role.ADMIN


def test_a_second_time_nothing_is_made_and_the_same_said() -> None:
    assert demo() == demo()
    assert User.objects.count() == 1


def test_a_changed_password_is_not_said() -> None:
    demo()
    user = User.objects.get()
    user.set_password("another")
    user.save()
    assert demo() == "Sign in: demo@example.com / the password you chose"


def test_demo_is_refused_on_another_database(settings) -> None:
    settings.BUNDLED_DATABASE = False
    with pytest.raises(CommandError, match="bundled database only"):
        demo()
    assert not User.objects.exists()
