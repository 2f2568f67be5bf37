"""The people of a space: list, page, notes, order, and deleting."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.models import Conversation, Thread
from people import person_text, units
from people.models import Membership, Person, User
from people.models.person import FIELD_LIMIT
from people.profile_updates import Proposed, apply_updates
from people.tasks import clean_up
from people.telegram_links import speaker
from tests.factories import (
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    SpaceFactory,
    TelegramLinkFactory,
)

CHANGED = "These notes have changed since you opened this page"


@pytest.fixture
def member(db, client):
    member = MembershipFactory(role="member")
    client.force_login(member.user)
    return member


@pytest.fixture
def admin(member):
    member.role = "admin"
    member.save()
    return member


@pytest.fixture
def anna(member):
    return PersonFactory(space=member.space, name="Anna", health_notes="- Asthma")


def url(name, person):
    return reverse(f"people:{name}", args=[person.pk])


def names(space):
    return [person.name for person in Person.objects.in_space(space.pk)]


def filled(client, person, headers=None):
    """What a browser would send back from the edit page."""
    form = client.get(url("edit", person), headers=headers).context["form"]
    return {f.html_name: "" if f.value() is None else f.value() for f in form}


AMERICAN = {"Accept-Language": "en-US,en;q=0.9"}


class TestList:
    def test_a_space_without_people_says_so(self, client, member):
        assert "No people yet" in client.get("/people").text

    def test_it_shows_everybody_and_the_first_person_beside(self, client, member, anna):
        PersonFactory(space=member.space, name="Zoe", position=1)
        stranger = PersonFactory(name="Stranger")
        page = client.get("/people")
        assert page.context["person"] == anna
        assert "Zoe" in page.text
        assert stranger.name not in page.text

    def test_queries_do_not_grow_with_people(self, client, member, anna):
        with CaptureQueriesContext(connection) as few:
            client.get(url("person", anna))
        PersonFactory.create_batch(5, space=member.space, user=None)
        with CaptureQueriesContext(connection) as many:
            client.get(url("person", anna))
        assert len(many) == len(few)


class TestPage:
    def test_it_names_the_measures_and_the_notes(self, client, member):
        person = PersonFactory(
            space=member.space,
            user=member.user,
            date_of_birth=date(1984, 2, 1),
            height_cm="172.5",
            medications="- Iron <script>",
        )
        page = client.get(url("person", person)).text
        for text in ("1 February 1984", "172.5 cm", "Iron &lt;script&gt;"):
            assert text in page
        assert member.user.get_short_name() in page
        assert f"/chat/new?person={person.pk}" in page

    @pytest.mark.req("B-20")
    def test_dates_are_written_as_in_the_users_language(self, client, member):
        member.user.locale = "pl"
        member.user.save()
        person = PersonFactory(space=member.space, date_of_birth=date(1984, 2, 1))
        page = client.get(url("person", person)).text
        assert "1 lutego 1984" in page
        assert '<html lang="pl">' in page

    def test_a_person_of_ones_other_space_is_shown_after_switching(
        self, client, member, anna
    ):
        other = SpaceFactory(name="zzz", members=[member.user])
        there = PersonFactory(space=other)
        assert client.get(url("person", there)).status_code == 404
        client.post("/spaces/switch", {"space": other.pk})
        assert client.get(url("person", there)).status_code == 200
        assert client.get(url("person", anna)).status_code == 404


def test_the_model_is_told_the_persons_age_of_the_day(anna):
    anna.date_of_birth = date(1984, 2, 1)
    assert anna.details(date(2026, 1, 31)).age == 41
    assert anna.details(date(2026, 2, 1)).age == 42


class TestNew:
    def test_only_the_name_is_needed(self, client, member):
        page = client.get("/people/new").text
        assert "---------" not in page
        assert "Prefer not to say" in page
        assert "You can write Markdown" in page
        answer = client.post("/people/new", {"name": "Kim"}, follow=True)
        assert "<dt>Sex</dt>" not in answer.text
        kim = Person.objects.get(name="Kim")
        told = person_text.context(kim.details(timezone.localdate()), is_user=False)
        assert told == "## Person: Kim"

    def test_notes_are_saved_with_the_person(self, client, member):
        sent = {"name": "Kim", "medications": "- Iron"}
        page = client.post("/people/new", sent, follow=True).text
        assert "<li>Iron</li>" in page
        assert "Last changed by" in page

    def test_a_preview_shows_the_notes_and_stores_no_person(self, client, member):
        sent = {"name": "Kim", "medications": "- *Iron* <b>", "preview": "1"}
        page = client.post("/people/new", sent).text
        assert "<em>Iron</em> &lt;b&gt;" in page
        assert 'value="Kim"' in page
        assert not Person.objects.exists()

    def test_a_new_person_comes_last(self, client, member, anna):
        sent = {"name": "Aaron", "sex": "male", "space": "x"}
        answer = client.post("/people/new", sent)
        made = Person.objects.get(name="Aaron")
        assert answer.headers["Location"] == f"/people/{made.pk}"
        assert names(member.space) == ["Anna", "Aaron"]
        assert made.health_notes == ""

    @pytest.mark.parametrize(
        "wrong",
        [
            {"name": " "},
            {"name": "n" * 256},
            {"sex": "other"},
            {"height_cm": "0"},
            {"weight_kg": "-1"},
            {"height_cm": "NaN"},
            {"height_cm": "1234.5"},
            {"date_of_birth": "1899-12-31"},
            {"date_of_birth": str(timezone.now().date() + timedelta(days=2))},
        ],
    )
    def test_impossible_values_are_refused(self, client, member, wrong):
        sent = {"name": "Anna", "sex": "female", **wrong}
        answer = client.post("/people/new", sent)
        assert 'aria-invalid="true"' in answer.text
        assert not Person.objects.exists()


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
            "This account is already linked to another person in this space."
            in answer.text
        )


class TestUnits:
    def test_americans_read_and_write_pounds_feet_and_inches(self, client, anna):
        sent = filled(client, anna, AMERICAN)
        sent |= {"height_ft": "5", "height_in": "7.5", "weight_lb": "150"}
        client.post(url("edit", anna), sent, headers=AMERICAN)
        page = client.get(url("person", anna), headers=AMERICAN).text
        assert "5 ft 7.5 in" in page
        assert "150 lb" in page
        page = client.get(url("person", anna)).text
        assert "171.4 cm" in page
        assert "68 kg" in page

    def test_the_account_decides_before_the_browser(self, client, member, anna):
        User.objects.filter(pk=member.user_id).update(units="metric")
        assert "weight_kg" in filled(client, anna, AMERICAN)
        User.objects.filter(pk=member.user_id).update(units="imperial")
        assert "weight_lb" in filled(client, anna)

    @settings(max_examples=15)
    @given(
        st.decimals("1", "290", places=1), st.none() | st.decimals("1", "900", places=1)
    )
    def test_saving_an_unchanged_form_changes_no_measure(
        self, client, anna, height, weight
    ):
        Person.objects.filter(pk=anna.pk).update(height_cm=height, weight_kg=weight)
        sent = filled(client, anna, AMERICAN) | {"name": "Ann"}
        answer = client.post(url("edit", anna), sent, headers=AMERICAN)
        assert answer.status_code == 302
        anna.refresh_from_db()
        assert (anna.name, anna.height_cm, anna.weight_kg) == ("Ann", height, weight)

    def test_emptied_measures_are_removed(self, client, anna):
        Person.objects.filter(pk=anna.pk).update(height_cm=170, weight_kg=70)
        empty = {"height_ft": "", "height_in": "", "weight_lb": ""}
        sent = filled(client, anna, AMERICAN) | empty
        client.post(url("edit", anna), sent, headers=AMERICAN)
        anna.refresh_from_db()
        assert (anna.height_cm, anna.weight_kg) == (None, None)


def test_halves_survive_the_way_to_tenths_and_back():
    for half in (Decimal(number) / 2 for number in range(2, 400)):
        assert units.pounds(units.kilograms(half)) == half
        feet, inches = units.feet_and_inches(units.centimetres(0, half))
        assert feet * 12 + inches == half
        assert inches < 12


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


class TestOrder:
    @pytest.fixture
    def people(self, member):
        return [
            PersonFactory(space=member.space, name=name) for name in ("Ann", "Bo", "Cy")
        ]

    @pytest.mark.parametrize(
        ("who", "to", "order"),
        [
            (1, "up", ["Bo", "Ann", "Cy"]),
            (1, "down", ["Ann", "Cy", "Bo"]),
            (0, "up", ["Ann", "Bo", "Cy"]),
            (2, "down", ["Ann", "Bo", "Cy"]),
        ],
    )
    def test_people_move_one_place(self, client, member, people, who, to, order):
        client.post(url("move", people[who]), {"to": to})
        assert names(member.space) == order

    def test_the_ends_of_the_list_are_the_ends(self, client, member, people):
        for who, ends in zip(people, (["up"], [], ["down"]), strict=True):
            page = client.get(url("person", who)).text
            for to in ("up", "down"):
                assert (f'value="{to}" disabled' in page) == (to in ends)

    def test_one_person_alone_cannot_be_moved(self, client, member, anna):
        assert "Move up" not in client.get(url("person", anna)).text

    def test_moving_does_not_conflict_with_an_edit(self, client, member, people):
        sent = filled(client, people[1])
        client.post(url("move", people[1]), {"to": "up"})
        assert client.post(url("edit", people[1]), sent).status_code == 302


class TestDelete:
    pytestmark = pytest.mark.usefixtures("admin")

    def test_it_asks_first(self, client, anna):
        assert "Delete Anna?" in client.get(url("delete", anna)).text
        assert Person.objects.in_space(anna.space_id).exists()

    def test_only_admins_delete_and_restore(self, client, anna):
        helper = Client()
        helper.force_login(MembershipFactory(space=anna.space, role="member").user)
        assert url("delete", anna) not in helper.get(url("person", anna)).text
        assert helper.get(url("delete", anna)).status_code == 404
        assert helper.post(url("delete", anna)).status_code == 404
        client.post(url("delete", anna))
        assert "Anna" not in helper.get("/people").text
        assert helper.post(url("restore", anna)).status_code == 404
        assert names(anna.space) == []

    def test_a_deleted_person_is_nowhere_but_among_the_deleted(self, client, anna):
        update = ProfileUpdateFactory(person=anna)
        answer = client.post(url("delete", anna), follow=True)
        assert answer.redirect_chain == [("/people", 302)]
        assert "Restore Anna" in answer.text
        assert "Anna" not in client.get("/chat/new").text
        for name in ("person", "edit", "history", "move", "delete"):
            assert client.get(url(name, anna)).status_code in {404, 405}, name
        for path in (url("move", anna), url("undo_update", update)):
            assert client.post(path).status_code == 404
        sent = {"text": "Hello", "person": anna.pk}
        assert client.post("/chat/send", sent).status_code == 404

    def test_a_restored_person_is_as_before(self, client, member, anna):
        talk, other = _conversation(member, anna), _conversation(member, None)
        client.post(url("delete", anna))
        page = client.post(url("restore", anna), follow=True)
        assert "Anna has been restored." in page.text
        assert "Asthma" in page.text
        for conversation in (talk, other):
            conversation.refresh_from_db()
        assert (talk.person, talk.person_removed) == (anna, False)
        assert (other.person, other.person_removed) == (None, False)
        assert client.post(url("restore", anna)).status_code == 404

    def test_the_place_of_a_linked_person_is_free_while_they_are_deleted(
        self, client, member, anna
    ):
        Person.objects.filter(pk=anna.pk).update(user=member.user)
        client.post(url("delete", anna))
        PersonFactory(space=member.space, user=member.user)
        client.post(url("restore", anna))
        anna.refresh_from_db()
        assert (anna.deleted_at, anna.user) == (None, None)

    def test_after_thirty_days_notes_and_history_go(self, client, anna):
        ProfileUpdateFactory(person=anna)
        client.post(url("delete", anna))
        for days, left in ((29, 1), (31, 0)):
            at = timezone.now() - timedelta(days=days)
            Person.objects.filter(pk=anna.pk).update(deleted_at=at)
            clean_up()
            assert Person.objects.count() == left

    @pytest.mark.req("B-16")
    @pytest.mark.parametrize("how", ["page", "queryset", "month"])
    def test_conversations_stay_and_say_that_the_person_is_gone(
        self, client, member, anna, how
    ):
        talk = _conversation(member, anna)
        other = _conversation(member, None)
        if how == "queryset":
            Person.objects.filter(pk=anna.pk).delete()
        else:
            client.post(url("delete", anna))
        if how == "month":
            Person.objects.deleted().erase()
        for conversation in (talk, other):
            conversation.refresh_from_db()
        assert (talk.person, talk.person_removed) == (None, True)
        assert (other.person, other.person_removed) == (None, False)
        client.get("/account")  # takes the message that names her
        page = client.get(reverse("conversations:show", args=[talk.pk])).text
        assert "The person profile is no longer available." in page
        assert "Anna" not in page

    def test_a_guest_of_telegram_is_not_answered_while_their_person_is_deleted(
        self, client, anna
    ):
        link = TelegramLinkFactory(space=anna.space, user=None, person=anna)
        client.post(url("delete", anna))
        assert speaker(anna.space_id, link.telegram_id) is None
        client.post(url("restore", anna))
        assert speaker(anna.space_id, link.telegram_id).person == anna

    def test_deleted_account_leaves_its_person(self, member, anna):
        MembershipFactory(space=anna.space)
        anna.user = member.user
        anna.save()
        member.user.delete()
        anna.refresh_from_db()
        assert anna.user is None


def _conversation(member, person):
    thread = Thread.objects.create(
        space=member.space, channel="web", external_id=uuid4().hex
    )
    return Conversation.objects.create(
        thread=thread,
        space=member.space,
        user=member.user,
        person=person,
        last_message_at=timezone.now(),
    )
