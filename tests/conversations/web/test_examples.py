"""Opening and removing the example household."""

import pytest
from django.test import Client

from conversations.examples import make_household
from people.access import create_space
from people.models import Membership, Person, Space
from tests.factories import MembershipFactory, TelegramBotFactory, UserFactory

pytestmark = pytest.mark.django_db
REMOVE = "/examples/remove"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def anna():
    anna = UserFactory(name="Anna")
    create_space("Anna's health", anna)
    make_household(anna)
    return anna


def client_of(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_new_conversation_begins_in_the_own_space_and_offers_the_household(anna):
    client = client_of(anna)
    page = client.get("/chat/new").text
    assert "Open the example household" in page
    assert REMOVE in page
    assert "Grandma Helena" not in page
    household = Space.objects.get(name="Example household")
    there = client.post("/spaces/switch", {"space": household.pk}, follow=True).text
    assert "Leo&#x27;s school trip" in client.get("/chat").text
    assert "Back to “Anna&#x27;s health”" in there
    assert "Open the example household" not in there


@pytest.mark.parametrize("place", ["Anna's health", "Example household"])
@pytest.mark.django_db(transaction=True)
def test_removal_deletes_the_space_and_returns_to_the_own_one(anna, place):
    client = client_of(anna)
    client.post("/spaces/switch", {"space": Space.objects.get(name=place).pk})
    shown = client.post(REMOVE, follow=True).text
    assert "The example household has been removed." in shown
    assert "Anna&#x27;s health" in shown
    assert REMOVE not in shown
    assert [space.name for space in Space.objects.all()] == ["Anna's health"]
    assert not Person.objects.exists()


def test_question_is_a_page_and_a_dialog(anna):
    client = client_of(anna)
    shown = [client.get(REMOVE).text, client.get(REMOVE, headers=HTMX).text]
    assert ["<html" in page for page in shown] == [True, False]
    for page in shown:
        assert "The household “Example household” is deleted for good" in page
    assert Person.objects.count() == 3


def test_household_with_a_bot_stays(anna):
    TelegramBotFactory(space=Space.objects.get(name="Example household"))
    assert "Disconnect the household" in client_of(anna).post(REMOVE, follow=True).text
    assert Person.objects.count() == 3


def test_question_is_not_found_without_examples(anna):
    client_of(anna).post(REMOVE)
    assert client_of(anna).get(REMOVE).status_code == 404


def test_others_and_members_cannot_remove_it(anna):
    space = Space.objects.get(name="Example household")
    other = MembershipFactory(space=space, role="admin").user
    Membership.objects.filter(user=anna).update(role="member")
    for user in (anna, other, UserFactory()):
        assert client_of(user).get(REMOVE).status_code == 404
        assert client_of(user).post(REMOVE).status_code == 404
    assert REMOVE not in client_of(anna).get("/chat/new").text
    assert Person.objects.count() == 3
