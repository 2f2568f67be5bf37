"""Invitations: seven days, single use, for one address."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.contrib.auth import get_user
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from people import invitations
from people.models import Invitation, Membership, User
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    SpaceFactory,
    UserFactory,
)
from tests.limits import limit_to

OVER = "This invitation has been used or is no longer valid; ask for a new one."
NEWCOMER = {
    "name": "Nell",
    "password1": "a sentence of mine",
    "password2": "a sentence of mine",
}


@pytest.fixture
def admin(db, client):
    admin = MembershipFactory(user__name="Ann", space__name="Home & <garden>")
    client.force_login(admin.user)
    return admin


def invite(client, admin, email="nell@example.com", role="member"):
    url = reverse("people:invite", args=[admin.space_id])
    return client.post(url, {"email": email, "role": role})


def link_in(text):
    return re.search(r"http://testserver(/invitation/[\w-]+)", text)[1]


def url_of(token):
    return reverse("people:invitation", args=[token])


def _blurred(page):
    """The page without what is new at each look."""
    fresh = r"(known|fresh)@|/invitation/[\w-]+|/invitations/[\w-]+/|\w{64}"
    return re.sub(fresh, "", page)


class TestInviting:
    def test_the_link_is_mailed_and_shown_once(
        self, client, admin, mailoutbox, wait_for_mail
    ):
        page = invite(client, admin)
        wait_for_mail()
        (message,) = mailoutbox
        assert message.to == ["nell@example.com"]
        assert message.subject == "Ann invites you to “Home & <garden>” on Meddie"
        assert link_in(message.body) == link_in(page.text)
        later = client.get(reverse("people:space_settings", args=[admin.space_id]))
        assert "nell@example.com" in later.text
        assert link_in(page.text) not in later.text

    def test_a_day_allows_only_so_many(
        self, client, admin, mailoutbox, wait_for_mail, monkeypatch
    ):
        limit_to(monkeypatch, "INVITATIONS", 1)
        assert invite(client, admin).status_code == 200
        refused = invite(client, admin, "eve@example.com")
        assert refused.status_code == 422
        assert "the daily limit of invitations" in refused.text
        sent = Invitation.objects.get()
        again = reverse("people:resend_invitation", args=[admin.space_id, sent.pk])
        assert "the daily limit of invitations" in client.post(again, follow=True).text
        wait_for_mail()
        assert len(mailoutbox) == 1

    def test_only_a_hash_of_the_token_is_kept(self, client, admin):
        token = link_in(invite(client, admin).text).rsplit("/", 1)[1]
        stored = Invitation.objects.values().get()
        assert token not in {str(value) for value in stored.values()}

    def test_the_answer_does_not_tell_whether_there_is_an_account(self, client, admin):
        UserFactory(email="known@example.com")
        known = invite(client, admin, "known@example.com").text
        Invitation.objects.all().delete()
        fresh = invite(client, admin, "fresh@example.com").text
        assert _blurred(known) == _blurred(fresh)

    def test_a_new_invitation_takes_the_place_of_an_older_one(self, client, admin):
        old = link_in(invite(client, admin).text)
        new = link_in(invite(client, admin, "Nell@Example.com").text)
        client.logout()
        assert client.get(old).status_code == 410
        assert client.get(new).status_code == 200

    @pytest.mark.parametrize("email", ["", "nonsense", "a@b\nc"])
    def test_an_address_has_to_be_one(self, client, admin, email):
        assert invite(client, admin, email).status_code == 422
        assert not Invitation.objects.exists()

    def test_a_role_has_to_be_one(self, client, admin):
        assert invite(client, admin, role="owner").status_code == 422

    def test_a_member_is_not_invited_again(self, client, admin):
        page = invite(client, admin, admin.user.email.upper())
        assert "This person is already a member." in page.text

    def test_second_invitation_says_that_the_first_link_is_over(self, client, admin):
        over = "The earlier link no longer works."
        assert over not in invite(client, admin).text
        assert over in invite(client, admin).text
        sent = Invitation.objects.get()
        again = reverse("people:resend_invitation", args=[admin.space_id, sent.pk])
        assert over in client.post(again).text
        Invitation.objects.update(expires_at=timezone.now())
        assert over not in invite(client, admin).text

    def test_without_mail_the_page_asks_to_copy_the_link(self, client, admin, settings):
        assert "An invitation was sent to nell@example.com." in (
            invite(client, admin).text
        )
        settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
        page = invite(client, admin).text
        assert "copy the link and send it to nell@example.com yourself" in page
        assert "was sent" not in page
        assert "Send again" not in page

    def test_roles_are_explained(self, client, admin):
        page = client.get(reverse("people:space_settings", args=[admin.space_id])).text
        assert "Members read and change the notes of all people" in page
        assert '<option value="member" selected>Member</option>' in page

    def test_sending_again_ends_the_old_link_and_restarts_the_week(self, client, admin):
        old = link_in(invite(client, admin).text)
        args = [admin.space_id, Invitation.objects.get().pk]
        with time_machine.travel(timezone.now() + timedelta(days=6)):
            page = client.post(reverse("people:resend_invitation", args=args))
        client.logout()
        with time_machine.travel(timezone.now() + timedelta(days=12)):
            assert client.get(old).status_code == 410
            assert client.get(link_in(page.text)).status_code == 200

    def test_an_invitation_can_be_taken_back(self, client, admin):
        link = link_in(invite(client, admin).text)
        args = [admin.space_id, Invitation.objects.get().pk]
        client.post(reverse("people:delete_invitation", args=args))
        client.logout()
        assert client.get(link).status_code == 410

    def test_a_used_one_can_neither_be_sent_again_nor_taken_back(self, client, admin):
        used = InvitationFactory(space=admin.space, used_at=timezone.now())
        for name in ("resend_invitation", "delete_invitation"):
            url = reverse(f"people:{name}", args=[admin.space_id, used.pk])
            assert client.post(url).status_code == 404

    def test_the_link_has_the_public_address(self, client, admin, settings):
        settings.PUBLIC_URL = "https://meddie.example"
        page = invite(client, admin)
        assert "https://meddie.example/invitation/" in page.text


@pytest.mark.django_db
class TestAccepting:
    @pytest.mark.parametrize(
        ("role", "sentence"),
        [("member", "You join as a member."), ("admin", "You join as an admin")],
    )
    def test_page_says_who_invites_and_what_is_shared(self, client, role, sentence):
        nell = UserFactory(email="nell@example.com")
        InvitationFactory(
            token="t", email=nell.email, role=role, invited_by__name="Ann"
        )
        as_visitor = client.get(url_of("t")).text
        client.force_login(nell)
        for page in (as_visitor, client.get(url_of("t")).text):
            assert "Ann invites you to" in page
            assert "Shared with all members" in page
            assert "Yours alone: your conversations" in page
            assert sentence in page

    @pytest.mark.parametrize(
        ("sent", "stored"),
        [("Europe/Warsaw", "Europe/Warsaw"), ("Mars/Olympus", "UTC"), ("", "UTC")],
    )
    def test_newcomer_gets_the_browser_s_time_zone(self, client, sent, stored):
        InvitationFactory(token="t")
        client.post(url_of("t"), {**NEWCOMER, "time_zone": sent})
        assert get_user(client).time_zone == stored

    def test_a_newcomer_gets_an_account_with_the_invited_address(self, client):
        invitation = InvitationFactory(token="t", email="nell@example.com")
        assert "nell@example.com" in client.get(url_of("t")).text
        answer = client.post(url_of("t"), {**NEWCOMER, "email": "x@example.com"})
        assert answer.headers["Location"] == "/"
        user = get_user(client)
        assert (user.email, user.name) == ("nell@example.com", "Nell")
        assert not user.is_staff
        member = user.memberships.get()
        assert (member.space_id, member.role) == (invitation.space_id, "member")
        assert client.session["space"] == str(invitation.space_id)

    @pytest.mark.parametrize("role", Membership.Role.values)
    def test_the_invitation_decides_the_role(self, client, role):
        user = UserFactory()
        InvitationFactory(token="t", email=user.email.upper(), role=role)
        client.force_login(user)
        assert "Join" in client.get(url_of("t")).text
        assert client.post(url_of("t"), {"role": "admin"}).status_code == 302
        assert user.memberships.get().role == role

    def test_another_signed_in_user_cannot_use_it(self, client):
        user = UserFactory()
        InvitationFactory(token="t")
        client.force_login(user)
        assert "a different email address" in client.get(url_of("t")).text
        assert client.post(url_of("t")).status_code == 403
        assert not user.memberships.exists()
        assert Invitation.objects.get().is_open

    def test_it_works_once(self, client):
        InvitationFactory(token="t")
        client.post(url_of("t"), NEWCOMER)
        for answer in (client.get(url_of("t")), client.post(url_of("t"), NEWCOMER)):
            assert answer.status_code == 410
            assert OVER in answer.text

    def test_after_seven_days_it_is_over(self, client):
        InvitationFactory(token="t")
        now = timezone.now()
        with time_machine.travel(now + timedelta(days=6, hours=23)):
            assert client.get(url_of("t")).status_code == 200
        with time_machine.travel(now + timedelta(days=7, minutes=1)):
            answer = client.post(url_of("t"), NEWCOMER)
        assert (answer.status_code, User.objects.filter(name="Nell").count()) == (
            410,
            0,
        )

    def test_an_unknown_token_looks_like_one_that_is_over(self, client):
        answer = client.get(url_of("guess"))
        assert (answer.status_code, OVER in answer.text) == (410, True)

    def test_the_page_is_the_same_whether_there_is_an_account_or_not(self, client):
        InvitationFactory(token="t", email="nell@example.com")
        before = _without_token(client.get(url_of("t")).text)
        UserFactory(email="nell@example.com")
        assert _without_token(client.get(url_of("t")).text) == before

    def test_an_account_that_exists_is_never_taken_over(self, client):
        user = UserFactory(email="nell@example.com")
        InvitationFactory(token="t", email="nell@example.com")
        page = client.post(url_of("t"), NEWCOMER)
        assert "If you have one already, sign in." in page.text
        assert not get_user(client).is_authenticated
        user.refresh_from_db()
        assert not user.check_password(NEWCOMER["password1"])
        assert Invitation.objects.get().is_open

    @pytest.mark.parametrize(
        "wrong",
        [
            {"password2": "another one"},
            {"password1": "123", "password2": "123"},
            {"password1": "nell@example.com", "password2": "nell@example.com"},
            {"name": " "},
        ],
    )
    def test_a_poor_password_or_no_name_is_refused(self, client, wrong):
        InvitationFactory(token="t", email="nell@example.com")
        answer = client.post(url_of("t"), {**NEWCOMER, **wrong})
        assert 'aria-invalid="true"' in answer.text
        assert not User.objects.filter(email="nell@example.com").exists()

    def test_a_member_keeps_the_role(self, client):
        member = MembershipFactory()
        InvitationFactory(token="t", space=member.space, email=member.user.email)
        client.force_login(member.user)
        client.post(url_of("t"))
        assert member.user.memberships.get().role == "admin"


def _without_token(page):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_simultaneous_users_of_an_invitation_joins():
    space = SpaceFactory()
    InvitationFactory(token="t", space=space, email="nell@example.com")
    ready = Barrier(2)

    def follow(_):
        ready.wait()
        try:
            invitations.accept_as_newcomer("t", "Nell", "a sentence of mine")
        except (invitations.NotOpen, invitations.AddressTaken):
            return "refused"
        finally:
            connection.close()
        return "in"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(follow, range(2))) == ["in", "refused"]
    assert space.memberships.count() == 1
