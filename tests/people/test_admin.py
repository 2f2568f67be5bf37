"""What staff see: useful lists, no notes, as many queries for many rows as for one."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conversations.telegram.models import TelegramBot
from people.models import Membership, Person, Space, User
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    TelegramBotFactory,
    TelegramLinkCodeFactory,
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


def test_staff_add_a_member_and_change_a_role(client):
    member = MembershipFactory(role="member")
    newcomer = UserFactory()
    client.post(
        reverse("admin:people_membership_add"),
        {"user": newcomer.pk, "space": member.space_id, "role": "admin"},
    )
    assert member.space.memberships.get(user=newcomer).is_admin


def test_the_notes_of_a_person_are_not_shown(client):
    person = PersonFactory(health_notes="SECRET")
    update = ProfileUpdateFactory(
        person=person, text="SECRET", previous_value="SECRET", new_value="SECRET!!"
    )
    for name, pk in (("person", person.pk), ("profileupdate", update.pk)):
        page = client.get(reverse(f"admin:people_{name}_change", args=[pk])).text
        assert "SECRET" not in page
    listed = client.get(reverse("admin:people_profileupdate_changelist"), {"q": "SECR"})
    assert not listed.context["cl"].queryset.exists()


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


def test_rows_that_meddie_wrote_cannot_be_edited(client):
    for name, row in (
        ("profileupdate", ProfileUpdateFactory()),
        ("invitation", InvitationFactory()),
    ):
        assert client.get(reverse(f"admin:people_{name}_add")).status_code == 403
        url = reverse(f"admin:people_{name}_change", args=[row.pk])
        assert client.post(url, {"text": "x"}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_a_person_and_a_space_can_be_deleted_with_all_that_is_in_them(client):
    update = ProfileUpdateFactory()
    InvitationFactory(space=update.person.space)
    url = reverse("admin:people_space_delete", args=[update.person.space_id])
    client.post(url, {"post": "yes"})
    assert not Space.objects.filter(pk=update.person.space_id).exists()
    assert not Person.objects.exists()


def test_admin_is_closed_to_users_who_are_not_staff(client):
    client.force_login(UserFactory())
    assert client.get(reverse("admin:people_person_changelist")).status_code == 302


REFUSED = "would be left without an admin. Make another member an admin first."


def delete_in_list(client, model, *rows):
    sent = {"action": "delete_selected", "post": "yes"}
    sent["_selected_action"] = [row.pk for row in rows]
    url = reverse(f"admin:people_{model}_changelist")
    return client.post(url, sent, follow=True).text


def delete_on_page(client, model, row):
    url = reverse(f"admin:people_{model}_delete", args=[row.pk])
    return client.post(url, {"post": "yes"}, follow=True).text


def demote(client, model, member):
    url = reverse("admin:people_membership_change", args=[member.pk])
    return client.post(url, {"role": "member"}, follow=True).text


@pytest.mark.req("B-19")
@pytest.mark.parametrize("change", [delete_in_list, delete_on_page, demote])
def test_the_last_admin_of_a_space_stays_one_in_the_admin_too(client, change):
    member = MembershipFactory()
    MembershipFactory(space=member.space, role="member")
    assert REFUSED in change(client, "membership", member)
    assert member.space.memberships.get(role="admin") == member


@pytest.mark.parametrize("change", [delete_in_list, delete_on_page, demote])
def test_staff_end_an_admins_rights_as_the_space_itself_would(client, change):
    member = MembershipFactory()
    MembershipFactory(space=member.space)
    person = PersonFactory(space=member.space, user=member.user)
    InvitationFactory(space=member.space, invited_by=member.user, role="admin")
    assert REFUSED not in change(client, "membership", member)
    assert not member.space.memberships.filter(user=member.user, role="admin").exists()
    assert not member.space.invitations.exists()
    person.refresh_from_db()
    assert (person.user is None) == (change is not demote)


@pytest.mark.parametrize("change", [delete_in_list, delete_on_page])
@pytest.mark.django_db(transaction=True)
def test_a_user_whom_a_space_needs_as_its_admin_is_not_deleted(client, change):
    member = MembershipFactory()
    other = MembershipFactory(space=member.space, role="member")
    assert REFUSED in change(client, "user", member.user)
    assert User.objects.filter(pk=member.user_id).exists()
    Membership.objects.filter(pk=other.pk).update(role="admin")
    InvitationFactory(space=member.space, invited_by=member.user)
    assert REFUSED not in change(client, "user", member.user)
    assert not User.objects.filter(pk=member.user_id).exists()
    assert list(member.space.memberships.all()) == [other]
    assert not member.space.invitations.exists()


@pytest.mark.django_db(transaction=True)
def test_a_space_goes_with_the_last_of_its_members_and_is_named_before(client):
    member = MembershipFactory(space__name="Only mine")
    other = MembershipFactory(space=member.space)
    url = reverse("admin:people_user_delete", args=[member.user_id])
    assert "Only mine" not in client.get(url).text
    delete_in_list(client, "user", member.user, other.user)
    assert not Space.objects.exists()
    alone = MembershipFactory(space__name="Only mine")
    url = reverse("admin:people_user_delete", args=[alone.user_id])
    assert "Only mine" in client.get(url).text


def test_the_members_on_a_spaces_page_are_only_shown(client):
    member = MembershipFactory()
    sent = {
        "name": "New",
        "memberships-TOTAL_FORMS": 1,
        "memberships-INITIAL_FORMS": 1,
        "memberships-0-id": member.pk,
        "memberships-0-role": "member",
        "memberships-0-DELETE": "on",
    }
    url = reverse("admin:people_space_change", args=[member.space_id])
    client.post(url, sent)
    member.refresh_from_db()
    assert (member.is_admin, member.space.name) == (True, "New")


def test_staff_see_no_token_and_say_where_a_bots_calls_go(client):
    bot = TelegramBotFactory()
    url = reverse("admin:telegram_telegrambot_change", args=[bot.pk])
    page = client.get(url).text
    assert bot.username in page
    assert bot.token not in page
    assert bot.secret not in page
    client.post(url, {"api_url": "http://127.0.0.1:8081", "token": "x", "bot_id": "1"})
    after = TelegramBot.objects.get()
    assert after.api_url == "http://127.0.0.1:8081"
    assert (after.token, after.bot_id) == (bot.token, bot.bot_id)
    refused = client.post(url, {"api_url": "file:///etc/passwd"})
    assert "Enter a valid URL." in refused.text


def test_only_superusers_say_where_a_bots_calls_go(client):
    clerk = UserFactory(is_staff=True)
    rights = Permission.objects.filter(content_type__app_label="people")
    clerk.user_permissions.set(rights)
    client.force_login(clerk)
    bot = TelegramBotFactory()
    url = reverse("admin:telegram_telegrambot_change", args=[bot.pk])
    assert 'name="api_url"' not in client.get(url).text
    client.post(url, {"api_url": "http://127.0.0.1:8081"})
    assert TelegramBot.objects.get().api_url == bot.api_url


def test_a_bot_opens_also_when_its_key_is_lost_and_is_disconnected_elsewhere(
    client, settings
):
    bot = TelegramBotFactory()
    settings.FIELD_KEYS = ["x" * 43 + "="]
    args = [bot.pk]
    assert client.get(reverse("admin:telegram_telegrambot_change", args=args)).text
    url = reverse("admin:telegram_telegrambot_delete", args=args)
    assert client.post(url, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("delete", [delete_in_list, delete_on_page])
@pytest.mark.parametrize("model", ["space", "user"])
@pytest.mark.django_db(transaction=True)
def test_a_space_with_a_bot_stays_until_that_is_disconnected(client, delete, model):
    alone = MembershipFactory()
    bot = TelegramBotFactory(space=alone.space)
    row = getattr(alone, model)
    refused = delete(client, model, row)
    assert "has a Telegram bot. Disconnect it first." in refused
    assert Membership.objects.filter(pk=alone.pk).exists()
    bot.delete()
    delete(client, model, row)
    assert not Space.objects.filter(pk=alone.space_id).exists()


def test_the_hash_of_a_code_is_not_shown(client):
    code = TelegramLinkCodeFactory()
    url = reverse("admin:telegram_telegramlinkcode_change", args=[code.pk])
    assert code.token_hash not in client.get(url).text
