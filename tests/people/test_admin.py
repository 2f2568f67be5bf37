"""What staff see: useful lists, no notes, as many queries for many rows as for one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import Person, Space, User
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

LISTS = {
    "user": UserFactory,
    "space": MembershipFactory,
    "membership": MembershipFactory,
    "person": lambda: PersonFactory(user=UserFactory()),
    "profileupdate": ProfileUpdateFactory,
    "invitation": InvitationFactory,
}


@pytest.fixture(autouse=True)
def staff(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))


def _queries(client, url):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


@pytest.mark.parametrize("model", LISTS)
@pytest.mark.parametrize("question", ["", "?q=a"])
def test_lists_take_as_many_queries_for_many_rows_as_for_one(client, model, question):
    url = reverse(f"admin:people_{model}_changelist") + question
    LISTS[model]()
    few = _queries(client, url)
    for _ in range(4):
        LISTS[model]()
    assert _queries(client, url) == few


def test_a_space_shows_its_members_with_as_many_queries(client):
    space = MembershipFactory().space
    url = reverse("admin:people_space_change", args=[space.pk])
    few = _queries(client, url)
    for _ in range(3):
        MembershipFactory(space=space)
    assert _queries(client, url) <= few


def test_staff_put_somebody_into_a_space_and_change_a_role(client):
    member = MembershipFactory(role="member")
    newcomer = UserFactory()
    client.post(
        reverse("admin:people_membership_add"),
        {"user": newcomer.pk, "space": member.space_id, "role": "admin"},
    )
    assert member.space.memberships.get(user=newcomer).is_admin


def test_the_notes_of_a_person_are_not_shown(client):
    person = PersonFactory(health_notes="SECRET")
    update = ProfileUpdateFactory(person=person, previous_value="SECRET")
    for name, pk in (("person", person.pk), ("profileupdate", update.pk)):
        page = client.get(reverse(f"admin:people_{name}_change", args=[pk])).text
        assert "SECRET" not in page


def test_saving_a_person_in_the_admin_keeps_the_notes(client):
    person = PersonFactory(health_notes="- Asthma")
    url = reverse("admin:people_person_change", args=[person.pk])
    client.post(
        url,
        {"name": "New", "sex": "male", "space": person.space_id, "position": 0},
    )
    person.refresh_from_db()
    assert (person.name, person.health_notes) == ("New", "- Asthma")


def test_staff_make_a_user_who_can_sign_in(client):
    sent = {
        "email": "Nell@Example.com",
        "name": "Nell",
        "usable_password": "true",
        "password1": "a sentence of mine",
        "password2": "a sentence of mine",
    }
    client.post(reverse("admin:people_user_add"), sent)
    assert User.objects.get(name="Nell").check_password("a sentence of mine")
    client.post("/sign-out")
    signed_in = client.post(
        "/sign-in", {"username": "nell@example.com", "password": "a sentence of mine"}
    )
    assert signed_in.status_code == 302


def test_what_meddie_wrote_cannot_be_edited(client):
    for name, row in (
        ("profileupdate", ProfileUpdateFactory()),
        ("invitation", InvitationFactory()),
    ):
        assert client.get(reverse(f"admin:people_{name}_add")).status_code == 403
        url = reverse(f"admin:people_{name}_change", args=[row.pk])
        assert client.post(url, {"text": "x"}).status_code == 403


def test_a_person_and_a_space_can_be_deleted_with_all_that_is_in_them(client):
    update = ProfileUpdateFactory()
    InvitationFactory(space=update.person.space)
    url = reverse("admin:people_space_delete", args=[update.person.space_id])
    client.post(url, {"post": "yes"})
    assert not Space.objects.filter(pk=update.person.space_id).exists()
    assert not Person.objects.exists()


def test_who_is_not_staff_is_not_let_in(client):
    client.force_login(UserFactory())
    assert client.get(reverse("admin:people_person_changelist")).status_code == 302
