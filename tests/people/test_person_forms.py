"""Editing a person."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from people.models import Membership
from people.models.person import FIELD_LIMIT
from people.profile_updates import Proposed, apply_updates
from tests.factories import MembershipFactory, PersonFactory
from tests.people.person_pages import filled, url

CHANGED = "These notes have changed since you opened this page"


class TestEdit:
    def test_the_notes_are_saved(self, client, anna):
        sent = filled(client, anna) | {"health_notes": "## Current\r\n- Asthma"}
        assert client.post(url("edit", anna), sent).status_code == 302
        anna.refresh_from_db()
        assert anna.health_notes == "## Current\n- Asthma"

    def test_a_preview_shows_the_notes_as_they_would_look_and_saves_nothing(
        self, client, anna
    ):
        written = {"health_notes": "## Current\n- *Hay* fever <b>", "preview": "1"}
        page = client.post(url("edit", anna), filled(client, anna) | written).text
        assert "<h2>Current</h2>" in page
        assert "<em>Hay</em> fever &lt;b&gt;" in page
        anna.refresh_from_db()
        assert anna.health_notes == "- Asthma"

    def test_too_long_notes_are_refused_and_kept_on_the_page(self, client, anna):
        long = "x" * (FIELD_LIMIT + 1)
        answer = client.post(
            url("edit", anna), filled(client, anna) | {"health_notes": long}
        )
        assert long in answer.text
        anna.refresh_from_db()
        assert anna.health_notes == "- Asthma"

    def test_the_second_of_two_tabs_overwrites_nothing_unseen(self, client, anna):
        first, second = filled(client, anna), filled(client, anna)
        client.post(url("edit", anna), first | {"health_notes": "- From the first"})
        answer = client.post(
            url("edit", anna), second | {"health_notes": "- From the second"}
        )
        assert answer.status_code == 409
        for text in (CHANGED, "- From the first", "- From the second"):
            assert text in answer.text
        anna.refresh_from_db()
        assert anna.health_notes == "- From the first"

    def test_having_seen_the_change_one_can_replace_it(self, client, anna):
        stale = filled(client, anna)
        client.post(url("edit", anna), stale | {"health_notes": "- New"})
        answer = client.post(url("edit", anna), stale | {"health_notes": "- Mine"})
        form = answer.context["form"]
        again = {f.html_name: "" if f.value() is None else f.value() for f in form}
        assert client.post(url("edit", anna), again).status_code == 302
        anna.refresh_from_db()
        assert anna.health_notes == "- Mine"

    def test_a_change_by_talking_counts_too(self, client, member, anna):
        stale = filled(client, anna)
        apply_updates(
            member.user_id,
            anna.pk,
            member.space_id,
            [Proposed("medications", "append", "Iron")],
        )
        assert client.post(url("edit", anna), stale).status_code == 409
        anna.refresh_from_db()
        assert anna.medications == "- Iron"

    @pytest.mark.parametrize("version", ["", "x", None])
    def test_without_a_version_nothing_is_saved(self, client, anna, version):
        sent = filled(client, anna) | {"name": "Eve", "version": version or ""}
        if version is None:
            del sent["version"]
        assert CHANGED in client.post(url("edit", anna), sent).text
        anna.refresh_from_db()
        assert anna.name == "Anna"

    @pytest.mark.parametrize("role", ["admin", "member"])
    def test_a_member_says_that_the_person_is_they(self, client, member, anna, role):
        Membership.objects.filter(pk=member.pk).update(role=role)
        assert filled(client, anna)["is_me"] is False
        for sent, account in (({"is_me": "on"}, member.user), ({"is_me": ""}, None)):
            client.post(url("edit", anna), filled(client, anna) | sent)
            anna.refresh_from_db()
            assert anna.user == account

    def test_members_link_only_themselves(self, client, member, anna):
        bob = MembershipFactory(space=member.space).user
        assert "user" not in filled(client, anna)
        client.post(url("edit", anna), filled(client, anna) | {"user": bob.pk})
        anna.refresh_from_db()
        assert anna.user is None
        anna.user = bob
        anna.save()
        sent = filled(client, anna)
        assert "is_me" not in sent
        client.post(url("edit", anna), sent | {"is_me": "on", "name": "Bob"})
        anna.refresh_from_db()
        assert (anna.user, anna.name) == (bob, "Bob")

    def test_admins_link_other_members(self, client, admin, anna):
        bob = MembershipFactory(space=anna.space).user
        client.post(url("edit", anna), filled(client, anna) | {"user": bob.pk})
        anna.refresh_from_db()
        assert anna.user == bob
        client.post(url("edit", anna), filled(client, anna) | {"name": "Bob"})
        anna.refresh_from_db()
        assert (anna.user, anna.name) == (bob, "Bob")

    def test_a_person_is_not_linked_to_two_accounts(self, client, admin, anna):
        bob = MembershipFactory(space=anna.space).user
        sent = filled(client, anna) | {"user": bob.pk, "is_me": "on"}
        answer = client.post(url("edit", anna), sent)
        assert "Choose either “This is me”" in answer.text
        anna.refresh_from_db()
        assert anna.user is None

    def test_only_members_can_be_linked(self, client, admin, anna):
        stranger = MembershipFactory().user
        page = client.get(url("edit", anna)).text
        assert stranger.email not in page
        client.post(url("edit", anna), filled(client, anna) | {"user": stranger.pk})
        anna.refresh_from_db()
        assert anna.user is None

    def test_an_account_is_linked_to_one_person_in_a_space(self, client, admin, anna):
        PersonFactory(space=admin.space, user=admin.user)
        assert "is_me" not in filled(client, anna)
        bob = MembershipFactory(space=admin.space).user
        PersonFactory(space=admin.space, user=bob)
        sent = filled(client, anna) | {"user": bob.pk}
        answer = client.post(url("edit", anna), sent)
        assert (
            "This account is already linked to another person in this household."
            in answer.text
        )


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_simultaneous_edits_is_saved():
    member = MembershipFactory()
    person = PersonFactory(space=member.space)
    clients = [Client(), Client()]
    for client in clients:
        client.force_login(member.user)
    forms = [filled(client, person) for client in clients]
    ready = Barrier(2)

    def send(number):
        ready.wait()
        sent = forms[number] | {"health_notes": f"- From {number}"}
        try:
            return clients[number].post(url("edit", person), sent).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(send, range(2))) == [302, 409]
