"""What talking changed, as a person's page tells it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.profile_updates import Proposed, apply_updates
from people.views.history import PAGE
from tests.factories import MembershipFactory, PersonFactory, ProfileUpdateFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client):
    member = MembershipFactory(role="member", user__name="Ann")
    client.force_login(member.user)
    return member


@pytest.fixture
def person(member):
    return PersonFactory(space=member.space)


def history(client, person, page=1):
    return client.get(reverse("people:history", args=[person.pk]), {"page": page})


def undo(client, update):
    url = reverse("people:undo_update", args=[update.pk])
    return client.post(url, follow=True)


def talk(member, person, *texts):
    proposed = [Proposed("health_notes", "append", text) for text in texts]
    return apply_updates(member.user_id, person.pk, member.space_id, proposed).updates


def test_nothing_yet(client, person):
    assert "No conversation has changed the notes yet." in history(client, person).text


def test_the_newest_comes_first_with_its_author(client, member, person):
    talk(member, person, "Asthma")
    talk(member, person, "Hay fever")
    page = history(client, person)
    assert [update.text for update in page.context["page"]] == ["Hay fever", "Asthma"]
    assert ', <span dir="auto">Ann</span>' in page.text


@pytest.mark.req("B-02")
def test_undo_is_offered_while_it_is_possible_and_works(client, member, person):
    first, second = talk(member, person, "Asthma", "Hay fever")
    page = history(client, person).text
    assert reverse("people:undo_update", args=[second.pk]) in page
    assert reverse("people:undo_update", args=[first.pk]) not in page
    assert "The change has been undone." in undo(client, second).text
    person.refresh_from_db()
    assert person.health_notes == "- Asthma"
    assert "Undone" in history(client, person).text


@pytest.mark.req("B-02")
def test_undo_of_something_overtaken_says_so_and_changes_nothing(
    client, member, person
):
    first, _ = talk(member, person, "Asthma", "Hay fever")
    assert "The notes have changed since" in undo(client, first).text
    person.refresh_from_db()
    assert person.health_notes == "- Asthma\n- Hay fever"


def test_long_histories_come_in_pages_with_as_many_queries(client, member, person):
    ProfileUpdateFactory(person=person)
    with CaptureQueriesContext(connection) as few:
        history(client, person)
    ProfileUpdateFactory.create_batch(PAGE, person=person)
    with CaptureQueriesContext(connection) as many:
        page = history(client, person)
    assert len(many) <= len(few) + 1
    assert len(page.context["page"]) == PAGE
    assert len(history(client, person, 2).context["page"]) == 1
