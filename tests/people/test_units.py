"""Heights and weights in the units of the reader."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from people import units
from people.models import Person, User
from tests.people.person_pages import filled, url

AMERICAN = {"Accept-Language": "en-US,en;q=0.9"}


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

    def test_whole_centimetres_and_kilograms_have_no_zero_after_the_point(
        self, client, anna
    ):
        Person.objects.filter(pk=anna.pk).update(height_cm=170, weight_kg="64.5")
        page = client.get(url("edit", anna)).text
        assert 'name="height_cm" value="170"' in page
        assert 'name="weight_kg" value="64.5"' in page

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
