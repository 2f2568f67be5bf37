"""Removing the examples of the demo space."""

import pytest
from django.test import Client

from conversations.examples.household import make_household
from people.models import Person
from people.spaces import create_space
from tests.factories import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    anna = UserFactory(name="Anna")
    make_household(anna, create_space("Family", anna))
    return anna


def client_of(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def path_of(user):
    return f"/spaces/{user.memberships.get().space_id}/examples/remove"


def test_admin_removes_them_by_one_request_and_the_offer_is_gone(anna):
    client = client_of(anna)
    assert path_of(anna) in client.get("/chat/new").content.decode()
    shown = client.post(path_of(anna), follow=True).content.decode()
    assert "The example data has been removed." in shown
    assert path_of(anna) not in shown
    assert not Person.objects.exists()


def test_only_admins_of_the_space_see_the_offer(anna):
    anna.memberships.update(role="member")
    assert path_of(anna) not in client_of(anna).get("/chat/new").text


def test_others_and_members_cannot_remove_them(anna):
    space = anna.memberships.get().space
    member = MembershipFactory(space=space, role="member").user
    for user in (member, UserFactory()):
        assert client_of(user).post(path_of(anna)).status_code == 404
    assert client_of(anna).get(path_of(anna)).status_code == 405
    assert Person.objects.count() == 3
