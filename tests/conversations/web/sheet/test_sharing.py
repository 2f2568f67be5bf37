"""Links to sheets: opened with a code alone, until they end."""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import SheetLink, SheetOpening
from conversations.web.sheet import sheet_links
from meddie.logs import RedactingFormatter
from people.person_list import delete_person
from tests.conversations.web.sheet.sheets import (
    item_of,
    lines_of,
    opened,
    shared_by,
    wrong,
)
from tests.factories import PersonFactory
from tests.limits import limit_to

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
FACT = "Is allergic to penicillin"


@pytest.fixture(autouse=True)
def _facts(remembered):
    remembered("User is allergic to penicillin")
    remembered("User has epilepsy and a canary called Zebulon")


@pytest.fixture
def shared(anns):
    return shared_by(anns, FACT, questions="May I fly?")


def test_code_opens_the_sheet_and_only_ticked_facts_leave(shared):
    path, code = shared
    asked = Client().get(path)
    page = opened(path, code)
    assert lines_of(page) == [FACT, "May I fly?"]
    assert f"As of {date_format(timezone.localtime(), 'j E Y')}." in page.text
    for answer in (asked, page):
        body = answer.content.lower()
        assert b"epilepsy" not in body
        assert b"zebulon" not in body
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
        assert "no-store" in answer.headers["Cache-Control"]
        assert b"noindex" in body
        assert b'src="http' not in body
        assert b'href="http' not in body
    assert b"penicillin" not in asked.content
    assert b"fly" not in asked.content


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "\x00"])
def test_text_that_is_no_code_opens_nothing(shared, typed):
    answer = opened(shared[0], typed)
    assert b"penicillin" not in answer.content
    assert not SheetOpening.objects.exists()


def test_code_may_be_typed_in_two_parts(shared):
    path, code = shared
    assert lines_of(opened(path, f" {code[:3]} {code[3:]} "))


def test_wrong_code_shows_nothing_and_is_recorded_for_the_owner(anns, shared):
    path, code = shared
    refused = opened(path, wrong(code))
    assert refused.status_code == 422
    assert "This is not the code." in refused.text
    assert "penicillin" not in refused.text
    opened(path, code, "192.0.2.7")
    page = anns.get("/sheet").text
    assert page.index("Wrong code: ") < page.index("Opened: ")
    assert "192.0.2.7" in page


def test_ten_wrong_codes_end_a_link_also_at_once(shared):
    path, code = shared

    def try_one(_number: int) -> int:
        try:
            return opened(path, wrong(code)).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        assert set(pool.map(try_one, range(20))) == {422, 404}
    assert SheetOpening.objects.count() == sheet_links.WRONG_CODES
    assert opened(path, code).status_code == 404


def test_codes_of_a_place_are_bounded(shared, monkeypatch):
    limit_to(monkeypatch, "CODES", 1)
    path, code = shared
    opened(path, wrong(code), "192.0.2.1")
    refused = opened(path, code, "192.0.2.1")
    assert refused.status_code == 429
    assert b"penicillin" not in refused.content
    assert SheetOpening.objects.count() == 1


@given(st.text(max_size=60).filter(lambda text: "/" not in text), st.text(max_size=12))
def test_no_other_link_and_no_other_code_opens_it(shared, token, code):
    path, right = shared
    found = sheet_links.find_link(token)
    assert found is None
    link = SheetLink.objects.get()
    name = path.rpartition("/")[2]
    if code != right and link.openings.count() < sheet_links.WRONG_CODES - 1:
        assert not sheet_links.try_code(link, name, code, "")
    assert not sheet_links.try_code(link, token, right, "") or token == name


def test_link_of_a_clock_that_was_put_back_is_not_there(shared):
    path, code = shared
    ahead = timezone.now() + timedelta(days=365)
    SheetLink.objects.update(created_at=ahead, expires_at=ahead + timedelta(hours=1))
    assert opened(path, code).status_code == 404


def test_ended_link_is_not_there_from_then_on(anns, bobs, shared):
    path, code = shared
    (link,) = SheetLink.objects.all()
    assert bobs.post(f"/sheet/links/{link.pk}/end").status_code == 404
    assert opened(path, code).status_code == 200
    anns.post(f"/sheet/links/{link.pk}/end")
    assert Client().get(path).status_code == 404
    gone = opened(path, code)
    assert gone.status_code == 404
    assert b"penicillin" not in gone.content
    page = anns.get("/sheet").text
    assert "End link" not in page
    assert "Opened: " in page


@pytest.mark.parametrize(("hours", "days"), [("1", 1 / 24), ("720", 30)])
def test_link_ends_by_itself(anns, hours, days):
    path, code = shared_by(anns, FACT, hours=hours)
    with time_machine.travel(timezone.now() + timedelta(days=days, minutes=-1)):
        assert opened(path, code).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=days, minutes=1)):
        assert opened(path, code).status_code == 404


def test_link_of_another_time_is_refused(anns):
    answer = anns.post("/sheet/links", {"item": [item_of(anns, FACT)], "hours": "9000"})
    assert answer.status_code == 422
    assert not SheetLink.objects.exists()


def test_link_ends_with_the_membership_the_account_or_the_person(anns, ann, home):
    leo = PersonFactory(space=home, name="Leo", health_notes="- Asthma")
    query = f"?person={leo.pk}"
    of_leo = shared_by(anns, "Asthma", query=query)
    of_ann = shared_by(anns, FACT)
    delete_person(leo)
    assert opened(*of_leo).status_code == 404
    assert opened(*of_ann).status_code == 200
    ann.is_active = False
    ann.save()
    assert opened(*of_ann).status_code == 404
    ann.is_active = True
    ann.save()
    ann.memberships.all().delete()
    assert opened(*of_ann).status_code == 404


def test_sheet_is_read_again_each_time_it_is_opened(anns, remembered, shared):
    fact = item_of(anns, FACT).partition(":")[2]
    form = {"text": "Is allergic to amoxicillin"}
    anns.post(f"/memory/{fact}/edit", form)
    assert lines_of(opened(*shared)) == [form["text"], "May I fly?"]
    now = item_of(anns, form["text"]).partition(":")[2]
    anns.post(f"/memory/{now}/forget")
    page = opened(*shared)
    assert lines_of(page) == ["May I fly?"]
    assert b"cillin" not in page.content


def test_row_of_a_link_has_no_secret_and_no_text_of_a_fact(anns, shared):
    path, code = shared
    row = str(SheetLink.objects.values().get())
    for secret in (path.rpartition("/")[2], code, "penicillin"):
        assert secret not in row
    assert path not in anns.get("/sheet").text


def test_links_of_a_day_are_bounded(anns, monkeypatch):
    limit_to(monkeypatch, "SHEETS", 1)
    shared_by(anns, FACT)
    refused = anns.post("/sheet/links", {"item": [item_of(anns, FACT)]})
    assert refused.status_code == 429
    assert SheetLink.objects.count() == 1


def test_logs_leave_out_the_token(shared):
    record = logging.makeLogRecord({"msg": f'"GET {shared[0]} HTTP/1.1" 200'})
    assert shared[0].rpartition("/")[2] not in RedactingFormatter().format(record)


def test_old_links_are_deleted_with_their_openings(anns, shared):
    opened(*shared)
    with time_machine.travel(timezone.now() + timedelta(days=20)):
        SheetLink.clean_up()
        assert SheetLink.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=40)):
        SheetLink.clean_up()
    assert not SheetLink.objects.exists()
    assert not SheetOpening.objects.exists()


def test_staff_see_how_often_a_code_was_typed(anns, shared, admin_client):
    opened(*shared)
    opened(shared[0], wrong(shared[1]))
    page = admin_client.get(
        f"/admin/conversations/sheetlink/{SheetLink.objects.get().pk}/change/"
    )
    assert "1 right, 1 wrong" in page.text
    assert "May I fly?" not in page.text


def test_reload_of_the_page_with_a_link_leads_to_the_choice(anns, home):
    person = PersonFactory(space=home)
    answer = anns.get(f"/sheet/links?person={person.pk}")
    assert answer.headers["Location"] == f"/sheet?person={person.pk}"
    assert anns.get("/sheet/links").headers["Location"] == "/sheet"
