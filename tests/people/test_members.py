"""Roles, leaving, and that an admin always stays."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from people import members
from people.models import Invitation, Membership
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    SpaceFactory,
)

ONLY_ADMIN = "You are the only admin. Make another member an admin first."


@pytest.fixture
def space(db):
    return SpaceFactory()


@pytest.fixture
def admin(client, space):
    admin = MembershipFactory(space=space)
    client.force_login(admin.user)
    return admin


def post(client, name, member, **data):
    url = reverse(f"people:{name}", args=[member.space_id, member.pk])
    return client.post(url, data, follow=True)


def test_an_admin_makes_others_admins_and_back(client, admin, space):
    other = MembershipFactory(space=space, role="member")
    post(client, "change_role", other, role="admin")
    other.refresh_from_db()
    assert other.is_admin
    post(client, "change_role", other, role="member")
    other.refresh_from_db()
    assert not other.is_admin


@pytest.mark.parametrize("role", ["", "owner"])
def test_a_role_that_does_not_exist_changes_nothing(client, admin, space, role):
    other = MembershipFactory(space=space, role="member")
    post(client, "change_role", other, role=role)
    other.refresh_from_db()
    assert other.role == "member"


@pytest.mark.req("B-19")
def test_an_admin_removes_a_member_who_is_out_at_once(client, admin, space):
    other = MembershipFactory(space=space)
    person = PersonFactory(space=space, user=other.user)
    page = post(client, "remove_member", other)
    assert "is no longer a member." in page.text
    client.force_login(other.user)
    assert client.get(reverse("people:person", args=[person.pk])).status_code == 404
    person.refresh_from_db()
    assert person.user is None


def test_removing_and_leaving_are_asked_about_first(client, admin, space):
    other = MembershipFactory(space=space, user__name="Bob")
    settings = client.get(reverse("people:space_settings", args=[space.pk])).text
    remove = reverse("people:remove_member", args=[space.pk, other.pk])
    leave = reverse("people:leave_space", args=[space.pk])
    assert f'href="{remove}"' in settings
    assert f'href="{leave}"' in settings
    assert f'href="{leave}"' in client.get("/account").text
    assert "Remove Bob?" in client.get(remove).text
    assert "Leave “" in client.get(leave).text
    assert space.memberships.count() == 2


def test_the_last_admin_stays_an_admin(client, admin, space):
    MembershipFactory(space=space, role="member")
    leave = reverse("people:leave_space", args=[space.pk])
    for page in (
        post(client, "change_role", admin, role="member"),
        post(client, "remove_member", admin),
        client.post(leave, follow=True),
    ):
        assert ONLY_ADMIN in page.text
    admin.refresh_from_db()
    assert admin.is_admin


def test_the_only_member_is_told_that_the_space_can_be_deleted(client, admin, space):
    page = client.post(reverse("people:leave_space", args=[space.pk]), follow=True)
    assert "If the household is no longer needed, delete it" in page.text
    assert ONLY_ADMIN not in page.text


def test_an_admin_among_several_may_step_down_or_leave(client, admin, space):
    MembershipFactory(space=space)
    page = post(client, "change_role", admin, role="member")
    assert page.redirect_chain == [("/account", 302)]
    client.post(reverse("people:leave_space", args=[space.pk]))
    assert not Membership.objects.filter(pk=admin.pk).exists()


def test_a_plain_member_may_leave_and_nothing_else(client, admin, space):
    plain = MembershipFactory(space=space, role="member")
    client.force_login(plain.user)
    assert post(client, "change_role", plain, role="admin").status_code == 404
    assert post(client, "remove_member", admin).status_code == 404
    page = client.post(reverse("people:leave_space", args=[space.pk]), follow=True)
    assert "You have left" in page.text
    assert list(space.memberships.all()) == [admin]


def test_a_member_of_another_space_is_not_found_here(client, admin):
    elsewhere = MembershipFactory()
    url = reverse("people:remove_member", args=[admin.space_id, elsewhere.pk])
    assert client.post(url).status_code == 404
    assert Membership.objects.filter(pk=elsewhere.pk).exists()


@pytest.mark.req("B-19")
@pytest.mark.parametrize("way", ["remove_member", "change_role", "leave_space"])
def test_former_admin_has_no_open_invitations(client, admin, space, way):
    other = MembershipFactory(space=space)
    InvitationFactory(space=space, invited_by=other.user, role="admin")
    used, anothers, elsewhere = (
        InvitationFactory(space=space, invited_by=other.user, used_at=timezone.now()),
        InvitationFactory(space=space, invited_by=admin.user),
        InvitationFactory(invited_by=other.user),
    )
    if way == "leave_space":
        client.force_login(other.user)
        client.post(reverse("people:leave_space", args=[space.pk]))
    else:
        post(client, way, other, role="member")
    assert set(Invitation.objects.all()) == {used, anothers, elsewhere}


def test_becoming_an_admin_again_keeps_ones_invitations(client, admin, space):
    other = MembershipFactory(space=space)
    InvitationFactory(space=space, invited_by=other.user)
    post(client, "change_role", other, role="admin")
    assert space.invitations.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["remove", "demote"])
def test_two_admins_who_go_at_the_same_moment_leave_one(change):
    space = SpaceFactory()
    admins = [MembershipFactory(space=space) for _ in range(2)]
    ready = Barrier(2)

    def go(member):
        member = Membership.objects.select_related("space").get(pk=member.pk)
        ready.wait()
        try:
            if change == "remove":
                members.remove_member(member)
            else:
                members.change_role(member, "member")
        except members.LastAdmin:
            return "refused"
        finally:
            connection.close()
        return "gone"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(go, admins)) == ["gone", "refused"]
    assert space.memberships.filter(role="admin").count() == 1
