"""Changes by talking and by hand, as a person's page tells them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.profile_updates import Proposed, apply_updates
from people.views.people import ON_A_PAGE
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
    assert "The notes have not been changed yet." in history(client, person).text


def test_the_newest_comes_first_with_its_author(client, member, person):
    talk(member, person, "Asthma")
    talk(member, person, "Hay fever")
    page = history(client, person)
    assert [update.text for update in page.context["page"]] == ["Hay fever", "Asthma"]
    assert ', <span dir="auto">Ann</span>' in page.text


def edit(client, person, **notes):
    url = reverse("people:edit", args=[person.pk])
    form = client.get(url).context["form"]
    sent = {field.html_name: field.value() or "" for field in form}
    assert client.post(url, sent | notes).status_code == 302


def test_notes_written_for_the_first_time_were_added(client, member):
    sent = {"name": "Kim", "medications": "- Iron"}
    client.post(reverse("people:new"), sent)
    kim = member.space.people.get()
    assert "Medications: added" in history(client, kim).text
    edit(client, kim, medications="- Zinc")
    edit(client, kim, medications="")
    texts = [one.what_was_done() for one in history(client, kim).context["page"]]
    assert texts == ["removed", "edited", "added"]


@pytest.mark.req("B-02")
def test_each_field_edited_by_hand_is_a_change_that_can_be_undone(client, person):
    edit(client, person, medications="- Ramipril\r\n- Iron", health_notes="- Asthma")
    edit(client, person, medications="- Iron\r\n- Zinc")
    page = history(client, person)
    newest, *older = page.context["page"]
    assert {one.field for one in older} == {"medications", "health_notes"}
    assert "<del>- Ramipril</del>" in page.text
    assert "<ins>- Zinc</ins>" in page.text
    assert "The change has been undone." in undo(client, newest).text
    person.refresh_from_db()
    assert person.medications == "- Ramipril\n- Iron"
    assert person.health_notes == "- Asthma"


def test_unchanged_notes_are_no_change(client, person):
    edit(client, person, name="Zofia")
    assert list(history(client, person).context["page"]) == []


def test_a_field_names_who_changed_it_last(client, member, person):
    edit(client, person, medications="- Iron")
    bob = MembershipFactory(space=member.space, user__name="Bob")
    client.force_login(bob.user)
    edit(client, person, medications="")
    url = reverse("people:person", args=[person.pk])
    assert "Last changed by <bdi>Bob</bdi>, " in client.get(url).text
    undo(client, person.profile_updates.latest("created_at"))
    page = client.get(url).text
    assert page.count("Last changed by") == 1
    assert "Last changed by <bdi>Ann</bdi>, " in page
    member.user.delete()
    assert "<bdi>Ann</bdi>" not in client.get(url).text


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
    ProfileUpdateFactory.create_batch(ON_A_PAGE, person=person)
    with CaptureQueriesContext(connection) as many:
        page = history(client, person)
    assert len(many) <= len(few) + 1
    assert len(page.context["page"]) == ON_A_PAGE
    assert len(history(client, person, 2).context["page"]) == 1
