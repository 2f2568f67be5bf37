"""The pages of API keys and of external users, and their admin."""

import re

import pytest
from django.urls import reverse

from people import api_keys
from people.models import ApiKey, ExternalUser, Membership, User
from tests.factories import (
    ApiKeyFactory,
    ExternalUserFactory,
    MembershipFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin():
    return MembershipFactory(user__name="Ann")


@pytest.fixture
def member(admin):
    return MembershipFactory(space=admin.space, role=Membership.Role.MEMBER)


@pytest.fixture
def page(client):
    """The page of keys as a member sees it, or its answer to a form."""

    def page(member, **form):
        client.force_login(
            member.user, backend="django.contrib.auth.backends.ModelBackend"
        )
        url = reverse("people:api_keys", args=[member.space_id])
        return client.post(url, form) if form else client.get(url)

    return page


def shown_key(answer):
    return re.search(r"<code>(sk-meddie-[\w-]{43})</code>", answer.text)[1]


def test_new_key_is_shown_once(page, member):
    answer = page(member, name="My laptop")
    found = api_keys.authenticate(f"Bearer {shown_key(answer)}")
    assert (found.user, found.space, found.name) == (
        member.user,
        member.space,
        "My laptop",
    )
    assert "no-store" in answer.headers["Cache-Control"]
    again = page(member).text
    assert "My laptop" in again
    assert found.prefix in again
    assert shown_key(answer) not in again


@pytest.mark.req("B-24")
def test_only_admins_trust_proxies(page, admin, member):
    assert "trusted_proxy" in page(admin).text
    assert "trusted_proxy" not in page(member).text
    for who in (admin, member):
        page(who, name="x", trusted_proxy="on")
    trusted = ApiKey.objects.get(trusted_proxy=True)
    assert trusted.user == admin.user


def test_members_see_and_revoke_only_their_own_keys(page, client, admin, member):
    keys = {
        who.user: ApiKeyFactory(user=who.user, space=who.space)
        for who in (admin, member)
    }
    mine, of_admin = keys[member.user], keys[admin.user]
    text = page(member).text
    assert mine.prefix in text
    assert str(of_admin.pk) not in text
    for key, status in ((of_admin, 404), (mine, 302)):
        url = reverse("people:revoke_key", args=[member.space_id, key.pk])
        assert client.get(url).status_code == (200 if status == 302 else 404)
        assert client.post(url).status_code == status
        assert client.post(url).status_code == 404
    assert list(ApiKey.objects.filter(revoked_at=None)) == [of_admin]


def test_admins_see_and_revoke_all_keys_of_the_space(page, client, admin, member):
    key = ApiKeyFactory(user=member.user, space=member.space)
    other = ApiKeyFactory()
    text = page(admin).text
    assert str(key.pk) in text
    assert str(other.pk) not in text
    for row, status in ((key, 302), (other, 404)):
        url = reverse("people:revoke_key", args=[admin.space_id, row.pk])
        assert client.post(url).status_code == status
    assert list(ApiKey.objects.filter(revoked_at=None)) == [other]


def test_keys_of_another_space_are_not_found(client, page, admin):
    other = ApiKeyFactory()
    page(admin)
    url = reverse("people:api_keys", args=[other.space_id])
    assert client.get(url).status_code == client.post(url).status_code == 404


def test_long_name_is_refused(page, member):
    assert page(member, name="x" * 101).status_code == 422
    assert not ApiKey.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_admin_removes_a_person_of_a_proxy(page, client, admin, member):
    external = ExternalUserFactory(space=admin.space, external_id="u-17")
    url = reverse("people:remove_external_user", args=[admin.space_id, external.pk])
    assert "u-17" not in page(member).text
    assert client.post(url).status_code == 404
    external.user.name = "Zoë"
    external.user.save()
    text = page(admin).text
    assert "Zoë" in text
    assert "u-17" in text
    assert "u-17" in client.get(url).text
    client.post(url)
    assert not User.objects.filter(pk=external.user_id).exists()


@pytest.mark.req("B-24")
def test_external_users_are_no_members_to_people(page, client, admin):
    external = ExternalUserFactory(space=admin.space, user__name="Zoë")
    membership = external.user.memberships.get()
    page(admin)
    space = admin.space_id
    settings = client.get(reverse("people:space_settings", args=[space])).text
    person = client.get(reverse("people:new")).text
    telegram = client.get(reverse("telegram:settings", args=[space])).text
    for text in (settings, person, telegram):
        assert external.user.email not in text
        assert str(external.user.pk) not in text
    for name in ("change_role", "remove_member"):
        url = reverse(f"people:{name}", args=[space, membership.pk])
        assert client.post(url, {"role": "admin"}).status_code == 404
    membership.refresh_from_db()
    assert membership.role == Membership.Role.MEMBER


@pytest.mark.req("B-24")
def test_external_user_cannot_sign_in_or_reset_a_password(
    client, mailoutbox, wait_for_mail
):
    email = ExternalUserFactory().user.email
    for password in ("", "!", "a quiet long sentence"):
        client.post("/sign-in", {"username": email, "password": password})
    client.post("/password/reset", {"email": email})
    wait_for_mail()
    assert not mailoutbox
    assert "_auth_user_id" not in client.session


@pytest.fixture
def staff(client):
    client.force_login(
        UserFactory(is_staff=True, is_superuser=True),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


def test_staff_set_the_limit_of_calls_and_nothing_else(staff):
    key = ApiKeyFactory()
    url = reverse("admin:people_apikey_change", args=[key.pk])
    assert key.hash not in staff.get(url).text
    staff.post(url, {"calls_per_minute": 5, "trusted_proxy": "on", "name": "x"})
    key.refresh_from_db()
    assert (key.calls_per_minute, key.trusted_proxy, key.name) == (5, False, "")


@pytest.mark.django_db(transaction=True)
def test_staff_delete_an_external_user_with_their_account(staff):
    external = ExternalUserFactory()
    url = reverse("admin:people_externaluser_delete", args=[external.pk])
    assert external.external_id in staff.get(url).text
    staff.post(url, {"post": "yes"})
    assert not ExternalUser.objects.exists()
    assert not User.objects.filter(pk=external.user_id).exists()


def test_staff_give_external_users_no_password_and_no_space(staff):
    user = ExternalUserFactory().user
    password = reverse("admin:auth_user_password_change", args=[user.pk])
    passwords = dict.fromkeys(("password1", "password2"), "a quiet long sentence")
    assert staff.post(password, passwords).status_code == 403
    change = reverse("admin:people_user_change", args=[user.pk])
    assert staff.post(change, {"email": user.email}).status_code == 403
    other = MembershipFactory().space
    new = {"user": user.pk, "space": other.pk, "role": "admin"}
    staff.post(reverse("admin:people_membership_add"), new)
    assert not other.memberships.filter(user=user).exists()


def test_a_user_has_at_most_twenty_keys(client):
    member = MembershipFactory()
    client.force_login(member.user)
    keys = [api_keys.create(member.space, member.user)[0] for _ in range(20)]
    url = reverse("people:api_keys", args=[member.space_id])
    answer = client.post(url, {"name": "One more"})
    assert answer.status_code == 409
    assert "You have 20 API keys." in answer.text
    assert member.user.api_keys.count() == 20
    api_keys.revoke(keys[0])
    assert client.post(url, {"name": "One more"}).status_code == 200
