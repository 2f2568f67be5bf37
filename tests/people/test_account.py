"""Signing in, passwords and the account."""

import re
from threading import BoundedSemaphore

import pytest
from django.contrib.auth import get_user
from django.urls import reverse

from people import mail
from people.models import User
from tests.factories import PASSWORD, MembershipFactory, UserFactory
from tests.limits import limit_to

pytestmark = pytest.mark.django_db

SIGN_IN = "/sign-in"


def sign_in(client, email, password=PASSWORD, **more):
    return client.post(SIGN_IN, {"username": email, "password": password, **more})


@pytest.mark.parametrize("typed", ["ann@example.com", " Ann@Example.COM "])
def test_signing_in_by_address_however_it_is_capitalised(client, typed):
    ann = UserFactory(email="ann@example.com")
    assert sign_in(client, typed).headers["Location"] == "/"
    assert get_user(client) == ann


def test_after_signing_in_one_gets_where_one_wanted_to_go(client):
    UserFactory(email="ann@example.com")
    response = client.get("/account")
    assert response.headers["Location"] == "/sign-in?next=/account"
    response = sign_in(client, "ann@example.com", next="/account")
    assert response.headers["Location"] == "/account"


def test_signing_in_never_leads_to_another_site(client):
    UserFactory(email="ann@example.com")
    response = sign_in(client, "ann@example.com", next="https://evil.example/")
    assert response.headers["Location"] == "/"


def test_the_page_does_not_tell_a_wrong_password_from_an_unknown_address(client):
    UserFactory(email="ann@example.com")
    UserFactory(email="gone@example.com", is_active=False)
    pages = {
        _anonymised(sign_in(client, address, "wrong password"))
        for address in ("ann@example.com", "bob@example.com", "gone@example.com")
    }
    assert len(pages) == 1


def _anonymised(response):
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.text)
    return re.sub(r"\w+@example.com", "", page)


def test_an_inactive_user_cannot_sign_in_and_is_signed_out_at_once(client):
    user = UserFactory(email="ann@example.com")
    sign_in(client, "ann@example.com")
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get("/account").status_code == 302
    assert sign_in(client, "ann@example.com").status_code == 200


def test_guessing_is_throttled_however_the_address_is_capitalised(client, settings):
    settings.AXES_FAILURE_LIMIT = 3
    UserFactory(email="ann@example.com")
    for typed in ("ann@example.com", "ANN@example.com"):
        assert sign_in(client, typed, "wrong").status_code == 200
    assert sign_in(client, "Ann@example.com", "wrong").status_code == 429
    locked = sign_in(client, "ann@example.com")
    assert locked.status_code == 429
    assert "Too many attempts" in locked.text
    assert not get_user(client).is_authenticated


def test_guessing_is_throttled_on_the_sign_in_page_of_the_admin_too(client, settings):
    settings.AXES_FAILURE_LIMIT = 3
    UserFactory(email="ann@example.com", is_staff=True)
    typed = ("ann@example.com", "ANN@example.com", " Ann@Example.com")
    answers = [
        client.post("/admin/login/", {"username": name, "password": "wrong"})
        for name in typed
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert sign_in(client, "ann@example.com").status_code == 429


def test_signing_out_needs_a_post(client):
    client.force_login(UserFactory())
    assert client.get("/sign-out").status_code == 405
    assert client.post("/sign-out").headers["Location"] == "/sign-in"
    assert not get_user(client).is_authenticated


@pytest.mark.parametrize("path", ["/account", "/chat/new", "/people", "/nothing"])
def test_pages_of_signed_in_users_are_not_cached(client, path):
    member = MembershipFactory()
    client.force_login(member.user)
    assert client.get(path).headers["Cache-Control"] == "private, no-store"


def test_there_is_no_open_sign_up(client):
    assert client.get("/sign-up").status_code == 404


class TestPasswordReset:
    def test_the_answer_does_not_tell_whether_the_address_exists(
        self, client, mailoutbox, wait_for_mail
    ):
        UserFactory(email="ann@example.com")
        UserFactory(email="gone@example.com", is_active=False)
        answers = {
            (response.status_code, response.headers["Location"])
            for address in ("ann@example.com", "bob@example.com", "gone@example.com")
            for response in [client.post("/password/reset", {"email": address})]
        }
        wait_for_mail()
        assert answers == {(302, "/password/reset/sent")}
        assert [message.to for message in mailoutbox] == [["ann@example.com"]]
        assert client.get("/password/reset/sent").status_code == 200

    def test_an_address_gets_three_mails_in_a_quarter_of_an_hour(
        self, client, mailoutbox, wait_for_mail
    ):
        UserFactory(email="ann@example.com")
        spelled = ["ann@example.com", "Ann@example.com", "ANN@EXAMPLE.COM"]
        answers = {
            (response.status_code, response.headers["Location"])
            for address in spelled * 2
            for response in [client.post("/password/reset", {"email": address})]
        }
        wait_for_mail()
        assert answers == {(302, "/password/reset/sent")}
        assert len(mailoutbox) == 3

    def test_from_one_place_come_only_so_many(
        self, client, mailoutbox, wait_for_mail, monkeypatch
    ):
        limit_to(monkeypatch, "RESETS_FROM_A_PLACE", 2)
        for name in ("ann", "bob", "eve"):
            UserFactory(email=f"{name}@example.com")
            client.post("/password/reset", {"email": f"{name}@example.com"})
        client.post(
            "/password/reset", {"email": "eve@example.com"}, REMOTE_ADDR="192.0.2.7"
        )
        wait_for_mail()
        to = [message.to[0].partition("@")[0] for message in mailoutbox]
        assert to == ["ann", "bob", "eve"]

    def test_without_redis_no_reset_is_refused(
        self, client, mailoutbox, wait_for_mail, settings
    ):
        settings.REDIS_URL = "redis://127.0.0.1:1"
        UserFactory(email="ann@example.com")
        client.post("/password/reset", {"email": "ann@example.com"})
        wait_for_mail()
        assert len(mailoutbox) == 1

    def test_a_mail_too_many_is_dropped_and_fails_no_page(
        self, client, monkeypatch, caplog, mailoutbox, wait_for_mail
    ):
        monkeypatch.setattr(mail, "_room", BoundedSemaphore(1))
        mail._room.acquire()
        UserFactory(email="ann@example.com")
        asked = client.post("/password/reset", {"email": "ann@example.com"})
        mail._room.release()
        client.post("/password/reset", {"email": "ann@example.com"})
        wait_for_mail()
        assert asked.status_code == 302
        assert "Too many mails" in caplog.text
        assert len(mailoutbox) == 1

    def test_the_link_sets_a_new_password_once(self, client, mailoutbox, wait_for_mail):
        UserFactory(email="ann@example.com", name="Ann")
        client.post("/password/reset", {"email": "ANN@example.com"})
        wait_for_mail()
        link = re.search(r"http://testserver(/\S+)", mailoutbox[0].body)[1]
        page = client.get(link, follow=True)
        new = {
            "new_password1": "quite another one",
            "new_password2": "quite another one",
        }
        done = client.post(page.redirect_chain[-1][0], new)
        assert done.headers["Location"] == "/account"
        client.post("/sign-out")
        assert (
            sign_in(client, "ann@example.com", "quite another one").status_code == 302
        )
        client.post("/sign-out")
        assert "has been used" in client.get(link, follow=True).text

    def test_the_link_has_the_public_address_for_every_host_header(
        self, client, mailoutbox, wait_for_mail, settings
    ):
        settings.PUBLIC_URL = "https://meddie.example/"
        settings.ALLOWED_HOSTS = ["*"]
        UserFactory(email="ann@example.com")
        sent = {"email": "ann@example.com"}
        client.post("/password/reset", sent, headers={"host": "evil.example"})
        wait_for_mail()
        assert "\nhttps://meddie.example/password/reset/" in mailoutbox[0].body
        assert "evil.example" not in mailoutbox[0].body

    @pytest.mark.req("B-20")
    def test_the_mail_is_in_the_language_of_its_reader(
        self, client, mailoutbox, wait_for_mail
    ):
        UserFactory(email="ann@example.com", locale="pl")
        client.post("/password/reset", {"email": "ann@example.com"})
        wait_for_mail()
        assert mailoutbox[0].subject != "Your new password for Meddie"

    def test_broken_mail_server_fails_no_page(
        self, client, settings, caplog, wait_for_mail
    ):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
        UserFactory(email="ann@example.com")
        response = client.post("/password/reset", {"email": "ann@example.com"})
        wait_for_mail()
        assert response.status_code == 302
        assert "A mail could not be sent" in caplog.text
        assert "ann@example.com" not in caplog.text


class TestTimeZone:
    @pytest.mark.parametrize(
        ("browser", "stored"),
        [
            ("Europe/Warsaw", "Europe/Warsaw"),
            ("Asia/Calcutta", "Asia/Kolkata"),
            ("US/Eastern", "America/New_York"),
            ("UTC", "UTC"),
            ("Mars/Olympus", "UTC"),
            ("../../etc/passwd", "UTC"),
            ("x" * 5000, "UTC"),
        ],
    )
    def test_first_sign_in_takes_the_browser_s(self, client, browser, stored):
        UserFactory(email="ann@example.com")
        sign_in(client, "ann@example.com", time_zone=browser)
        assert get_user(client).time_zone == stored

    def test_later_sign_ins_keep_the_stored_one(self, client):
        UserFactory(email="ann@example.com")
        sign_in(client, "ann@example.com")
        client.post("/sign-out")
        sign_in(client, "ann@example.com", time_zone="Europe/Warsaw")
        assert get_user(client).time_zone == "UTC"

    def test_chosen_one_is_kept_at_the_first_sign_in(self, client):
        UserFactory(email="ann@example.com", time_zone="Asia/Tokyo")
        sign_in(client, "ann@example.com", time_zone="Europe/Warsaw")
        assert get_user(client).time_zone == "Asia/Tokyo"

    def test_list_has_each_place_once(self, client):
        client.force_login(UserFactory(time_zone="Europe/Kiev"))
        page = client.get("/account").text
        for name in ("UTC", "Europe/Oslo", "Asia/Kolkata", "Europe/Kyiv"):
            assert page.count(f'<option value="{name}"') == 1
        assert "Asia/Calcutta" not in page
        assert 'value="Europe/Kiev"' in page


def test_a_new_password_asks_for_the_old_one(client):
    client.force_login(UserFactory())
    new = {"new_password1": "quite another one", "new_password2": "quite another one"}
    refused = client.post("/password/change", {"old_password": "wrong", **new})
    assert refused.status_code == 200
    assert "This is not your password." in refused.text
    accepted = client.post("/password/change", {"old_password": PASSWORD, **new})
    assert accepted.headers["Location"] == "/account"
    assert client.get("/account").status_code == 200


def test_guessing_the_old_password_is_throttled_like_signing_in(client, settings):
    settings.AXES_FAILURE_LIMIT = 3
    user = UserFactory(email="ann@example.com")
    client.force_login(user)
    words = ["wrong", "wronger", "the worst", PASSWORD]
    answers = [
        client.post("/password/change", {"old_password": word}) for word in words
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert "Too many attempts" in answers[-1].text
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)


@pytest.mark.parametrize(
    ("chosen", "again", "refusal"),
    [
        ("short", "short", "This password is too short."),
        ("sunshine", "sunshine", "Many people use this password."),
        ("anna.berg", "anna.berg", "too much like your name or address"),
        ("quite another one", "quite another", "The two passwords differ."),
    ],
)
def test_a_new_password_is_refused_in_one_sentence(client, chosen, again, refusal):
    client.force_login(UserFactory(name="Anna Berg"))
    page = client.get("/password/change").text
    assert "At least 8 characters, and nothing that is easy to guess." in page
    sent = {"new_password1": chosen, "new_password2": again}
    page = client.post("/password/change", {"old_password": PASSWORD, **sent}).text
    assert refusal in page


class TestAccount:
    def test_it_saves_name_language_time_zone_and_the_memory_switch(self, client):
        user = UserFactory()
        client.force_login(user)
        answer = client.post(
            "/account",
            {"name": "Ann", "locale": "pl", "time_zone": "Europe/Warsaw"},
        )
        assert answer.headers["Location"] == "/account"
        user.refresh_from_db()
        assert (user.name, user.locale, user.time_zone, user.memory_on) == (
            "Ann",
            "pl",
            "Europe/Warsaw",
            False,
        )
        assert '<html lang="pl">' in client.get("/account").text

    @pytest.mark.parametrize(
        ("locale", "typed", "zone"),
        [
            ("en", "oslo", "Europe/Oslo"),
            ("en", "america/new york", "America/New_York"),
            ("en", "Norway", "Europe/Oslo"),
            ("pl", "warszawa", "Europe/Warsaw"),
            ("pl", "Warsaw", "Europe/Warsaw"),
            ("de", "Österreich", "Europe/Vienna"),
            ("de", "deutschland", "Europe/Berlin"),
            ("pl", "Kijów", "Europe/Kyiv"),
        ],
    )
    def test_time_zone_is_typed_by_city_or_country(self, client, locale, typed, zone):
        user = UserFactory(locale=locale)
        client.force_login(user)
        sent = {"name": "A", "locale": locale, "time_zone": typed}
        client.post("/account", sent)
        user.refresh_from_db()
        assert user.time_zone == zone
        page = client.get("/account").text
        assert f'value="{zone.replace("_", " ")}"' in page
        assert '<option value="Pacific/Auckland" label="Auckland, ' in page

    def test_country_of_several_time_zones_names_their_cities(self, client):
        user = UserFactory(locale="es", time_zone="UTC")
        client.force_login(user)
        sent = {"name": "A", "locale": "es", "time_zone": "España"}
        answer = client.post("/account", sent)
        assert "Ceuta, Canarias, Madrid" in answer.text
        user.refresh_from_db()
        assert user.time_zone == "UTC"

    def test_nothing_else_can_be_set_there(self, client):
        user = UserFactory()
        client.force_login(user)
        sent = {"name": "A", "locale": "en", "time_zone": "UTC", "memory_on": "on"}
        client.post("/account", {**sent, "is_staff": "on", "email": "x@example.com"})
        user.refresh_from_db()
        assert (user.name, user.is_staff) == ("A", False)
        assert user.email != "x@example.com"

    @pytest.mark.parametrize(
        "wrong",
        [{"time_zone": "Mars/Olympus"}, {"locale": "xx"}, {"name": "n" * 256}],
    )
    def test_unknown_values_are_refused(self, client, wrong):
        user = UserFactory()
        client.force_login(user)
        sent = {"name": "A", "locale": "en", "time_zone": "UTC"}
        response = client.post("/account", {**sent, **wrong})
        assert response.status_code == 200
        assert 'aria-invalid="true"' in response.text
        user.refresh_from_db()
        assert user.memory_on is True

    def test_it_lists_ones_spaces_with_a_way_out(self, client):
        mine, other = MembershipFactory(role="member"), MembershipFactory()
        client.force_login(mine.user)
        page = client.get("/account").text
        assert reverse("people:leave_space", args=[mine.space_id]) in page
        assert other.space.name not in page
