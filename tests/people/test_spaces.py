"""The space one is in, and what an admin settles about one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conversations.telegram.models import TelegramBot
from people.access import first_space
from people.models import Membership, Person, Space
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    SpaceFactory,
    TelegramBotFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(client):
    user = UserFactory(name="Ann")
    client.force_login(user)
    return user


def settings_of(space):
    return reverse("people:space_settings", args=[space.pk])


def shown_space(client):
    """The space that the pages are about, told by who is in it."""
    return client.get("/people").context["people"][0].space


class TestCurrentSpace:
    @pytest.fixture
    def spaces(self, user):
        spaces = [SpaceFactory(name=name, members=[user]) for name in ("Alm", "Bay")]
        for space in spaces:
            PersonFactory(space=space)
        return spaces

    def test_it_is_the_first_by_name_until_one_switches(self, client, spaces):
        assert shown_space(client) == spaces[0]
        answer = client.post("/spaces/switch", {"space": spaces[1].pk})
        assert answer.headers["Location"] == "/"
        assert shown_space(client) == spaces[1]

    def test_the_last_chosen_one_is_shown_after_signing_in_again(
        self, client, user, spaces
    ):
        client.post("/spaces/switch", {"space": spaces[1].pk})
        client.logout()
        client.force_login(user)
        assert shown_space(client) == spaces[1]

    def test_page_after_switching_says_where_one_is(self, client, spaces):
        shown = client.post("/spaces/switch", {"space": spaces[1].pk}, follow=True)
        assert "You are now in “Bay”." in shown.text

    def test_page_of_a_new_space_says_so(self, client, spaces):
        shown = client.post("/spaces/new", {"name": "Office"}, follow=True)
        assert "You are now in “Office”." in shown.text

    @pytest.mark.parametrize("space", ["", "nonsense", "0" * 32])
    def test_switching_to_something_unknown_is_not_found(self, client, spaces, space):
        assert client.post("/spaces/switch", {"space": space}).status_code == 404
        assert client.post("/spaces/switch").status_code == 404

    def test_switching_into_a_space_of_others_is_not_found(self, client, spaces):
        other = SpaceFactory()
        answer = client.post("/spaces/switch", {"space": other.pk})
        assert answer.status_code == 404
        assert shown_space(client) == spaces[0]

    @pytest.mark.req("B-19")
    def test_removed_member_is_in_another_space_at_once(self, client, user, spaces):
        client.post("/spaces/switch", {"space": spaces[1].pk})
        user.memberships.get(space=spaces[1]).delete()
        assert shown_space(client) == spaces[0]

    def test_the_switcher_lists_ones_own_spaces_only(self, client, spaces):
        other = SpaceFactory(name="Elsewhere")
        page = client.get("/account").text
        assert all(str(space.pk) in page for space in spaces)
        assert str(other.pk) not in page

    def test_a_page_that_does_not_ask_makes_no_query_for_it(
        self, client, django_assert_num_queries
    ):
        client.logout()
        with django_assert_num_queries(0):
            client.get("/password/reset")


class TestNewSpace:
    @pytest.mark.parametrize(
        "path", ["/", "/chat/new", "/chat", "/people", "/spaces/settings"]
    )
    def test_user_without_a_space_gets_one_without_asking(self, client, user, path):
        assert client.get(path, follow=True).status_code == 200
        member = Membership.objects.get(user=user)
        assert member.is_admin
        assert member.space.name == "Ann's household"
        assert member.space.memory_page
        assert Person.objects.get(user=user, space=member.space).name == "Ann"

    def test_first_space_is_made_once_by_pages_that_ask_together(
        self, client, user, transactional_db
    ):
        barrier = Barrier(2)

        def ask() -> None:
            barrier.wait()
            first_space(user)
            connection.close()

        with ThreadPoolExecutor(2) as threads:
            for asked in [threads.submit(ask) for _ in range(2)]:
                asked.result()
        assert Space.objects.count() == Person.objects.count() == 1

    def test_it_has_a_memory_page_unless_its_creator_unticks_the_box(
        self, client, user
    ):
        page = client.get("/spaces/new")
        assert page.context["form"]["memory_page"].value() is True
        assert "Show members what Meddie remembers about them" in page.text
        client.post("/spaces/new", {"name": "Shown", "memory_page": "on"})
        client.post("/spaces/new", {"name": "Hidden"})
        assert Space.objects.get(name="Shown").memory_page
        assert not Space.objects.get(name="Hidden").memory_page

    def test_its_creator_is_its_admin_and_goes_on_in_it(self, client, user):
        SpaceFactory(name="Aaa", members=[user])
        client.post("/spaces/new", {"name": "Home"})
        member = Membership.objects.get(user=user, space__name="Home")
        assert member.is_admin
        assert client.session["space"] == str(member.space_id)

    def test_one_more_has_no_name_yet(self, client, user):
        SpaceFactory(members=[user])
        assert client.get("/spaces/new").context["form"]["name"].value() is None

    def test_it_needs_a_name(self, client, user):
        assert client.post("/spaces/new", {"name": "  "}).status_code == 200
        assert not Space.objects.exists()


class TestSettings:
    @pytest.fixture
    def space(self, user):
        return SpaceFactory(members=[user])

    def test_an_admin_sees_members_and_invitations(self, client, space):
        member = MembershipFactory(space=space, user__name="Bob", role="member")
        invited = InvitationFactory(space=space)
        page = client.get(settings_of(space)).text
        assert member.user.email in page
        assert invited.email in page

    def test_a_plain_member_does_not_find_them(self, client, user, space):
        user.memberships.update(role="member")
        assert client.get(settings_of(space)).status_code == 404
        assert client.get("/spaces/settings").status_code == 404
        assert "Household settings" not in client.get("/account").text

    def test_the_menu_leads_an_admin_to_the_current_space(self, client, space):
        assert 'href="/spaces/settings"' in client.get("/account").text
        answer = client.get("/spaces/settings")
        assert answer.headers["Location"] == settings_of(space)

    def test_renaming(self, client, space):
        client.post(settings_of(space), {"name": "New name"})
        space.refresh_from_db()
        assert space.name == "New name"

    def test_members_get_a_memory_page_if_an_admin_wants_it(self, client, space):
        assert not space.memory_page
        client.post(settings_of(space), {"name": "Home", "memory_page": "on"})
        space.refresh_from_db()
        assert space.memory_page

    @pytest.mark.req("S3-14", "S3-63")
    def test_an_admin_switches_memory_off_and_on(self, client, space):
        for sent in ({}, {"memory_on": "on"}):
            client.post(settings_of(space), {"name": "Home"} | sent)
            space.refresh_from_db()
            assert space.memory_on is bool(sent)
            page = client.get(settings_of(space)).context["form"]
            assert page["memory_on"].value() is bool(sent)

    def test_a_refused_name_changes_nothing_also_on_the_page(self, client, space):
        response = client.post(settings_of(space), {"name": ""})
        assert response.context["space"].name == space.name
        space.refresh_from_db()
        assert space.name != ""

    def test_queries_do_not_grow_with_members_and_invitations(self, client, space):
        few = _queries(client, space)
        for _ in range(3):
            MembershipFactory(space=space)
            InvitationFactory(space=space)
        assert _queries(client, space) == few


def _queries(client, space):
    with CaptureQueriesContext(connection) as queries:
        client.get(settings_of(space))
    return len(queries)


class TestDelete:
    @pytest.fixture
    def space(self, user):
        return SpaceFactory(name="Our home", members=[user])

    def delete(self, client, space, name):
        return client.post(
            reverse("people:delete_space", args=[space.pk]), {"name": name}
        )

    def test_the_name_has_to_be_typed(self, client, space):
        response = self.delete(client, space, "our home")
        assert response.status_code == 422
        assert "does not match" in response.text
        assert Space.objects.filter(pk=space.pk).exists()

    def test_a_bot_has_to_be_disconnected_first(self, client, space):
        bot = TelegramBotFactory(space=space)
        url = reverse("people:delete_space", args=[space.pk])
        refused = client.post(url, {"name": space.name})
        assert refused.status_code == 422
        assert "Telegram bot first" in refused.text.replace("&#x27;", "'")
        assert TelegramBot.objects.filter(pk=bot.pk).exists()

    @pytest.mark.django_db(transaction=True)
    def test_it_takes_the_people_and_members_with_it(self, client, user, space):
        PersonFactory(space=space)
        InvitationFactory(space=space)
        kept = PersonFactory()
        assert self.delete(client, space, "Our home").headers["Location"] == "/"
        assert not Space.objects.filter(pk=space.pk).exists()
        assert list(Person.objects.all()) == [kept]
        assert not user.memberships.exists()

    def test_a_plain_member_cannot(self, client, user, space):
        user.memberships.update(role="member")
        assert self.delete(client, space, "Our home").status_code == 404
        assert Space.objects.filter(pk=space.pk).exists()
