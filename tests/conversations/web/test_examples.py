"""Removing the examples of the demo space."""

import re

import pytest
from django.test import Client

from conversations.examples.household import make_household
from conversations.models import Conversation
from people.models import Person
from people.spaces import create_space
from tests.conversations import transcripts
from tests.factories import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


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


def test_admin_removes_them_and_the_offer_is_gone(anna):
    client = client_of(anna)
    assert path_of(anna) in client.get("/chat/new").content.decode()
    shown = client.post(path_of(anna), follow=True).content.decode()
    assert "The example data has been removed." in shown
    assert path_of(anna) not in shown
    assert not Person.objects.exists()


def goes(client, path):
    """The lines of what goes, as a page and as a dialog."""
    shown = [client.get(path).text, client.get(path, headers=HTMX).text]
    assert ["<html" in page for page in shown] == [True, False]
    lines = [re.findall(r"<li>(\d+ [^<]+)</li>", page) for page in shown]
    assert lines[0] == lines[1]
    return lines[0]


def test_question_says_what_goes(anna):
    client, path = client_of(anna), path_of(anna)
    facts = "facts that Meddie remembers"
    assert goes(client, path) == ["3 people", "5 conversations", f"5 {facts}"]
    Person.objects.filter(name="Leo").update(medications="- None")
    trip = Conversation.objects.get(title="Leo's school trip")
    transcripts.say(trip, "user", "Thank you.")
    assert goes(client, path) == ["2 people", "4 conversations", f"5 {facts}"]
    assert Person.objects.count() == 3


def test_question_is_not_found_without_examples(anna):
    client_of(anna).post(path_of(anna))
    assert client_of(anna).get(path_of(anna)).status_code == 404


def test_only_admins_of_the_space_see_the_offer(anna):
    anna.memberships.update(role="member")
    assert path_of(anna) not in client_of(anna).get("/chat/new").text


def test_others_and_members_cannot_remove_them(anna):
    space = anna.memberships.get().space
    member = MembershipFactory(space=space, role="member").user
    for user in (member, UserFactory()):
        assert client_of(user).get(path_of(anna)).status_code == 404
        assert client_of(user).post(path_of(anna)).status_code == 404
    assert Person.objects.count() == 3
