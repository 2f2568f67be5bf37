"""The list of people, their pages, and adding a person."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from people import person_text
from people.models import Person
from tests.factories import (
    PersonFactory,
    SpaceFactory,
)
from tests.people.person_pages import names, url


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
        assert told.startswith(
            "## Person: Kim\n\nThis conversation is about Kim, who is"
        )
        assert told.count("\n\n") == 1

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
