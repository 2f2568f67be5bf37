"""Limits on failed sign-ins: of a pair, an address and an account."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import get_user
from django.core import mail as django_mail
from django.db.models import Sum
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from people.throttling import ACCOUNT_FAILURES, ADDRESS_FAILURES, client_address
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

HOME = "192.0.2.1"
PAGES = ("/sign-in", "/admin/login/")


@pytest.fixture
def ann():
    return UserFactory(email="ann@example.com", is_staff=True)


def try_to_sign_in(client, email, password, address, page="/sign-in"):
    sent = {"username": email, "password": password}
    return client.post(page, sent, REMOTE_ADDR=address).status_code


def guess(
    client, times, address="198.51.100.{}", email="ann@example.com", page="/sign-in"
):
    """Wrong passwords; the brackets are the number of the guess."""
    return [
        try_to_sign_in(client, email.format(n), "wrong", address.format(n), page=page)
        for n in range(times)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_one_address_cannot_try_many_accounts(client, ann, page):
    answers = guess(client, 60, "198.51.100.1", "user{}@example.com", page)
    assert answers.index(429) == ADDRESS_FAILURES - 1
    assert set(answers[ADDRESS_FAILURES:]) == {429}
    assert try_to_sign_in(client, ann.email, PASSWORD, "198.51.100.1", page) == 429
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME, page) == 302


def test_refused_guess_costs_no_password_hash(client, ann, monkeypatch):
    guess(client, ADDRESS_FAILURES, "198.51.100.1", "user{}@example.com")
    monkeypatch.setattr(
        "django.contrib.auth.hashers.MD5PasswordHasher.encode", lambda *_: 1 / 0
    )
    assert guess(client, 2, "198.51.100.1", "user{}@example.com") == [429, 429]


def test_an_ipv6_network_counts_as_one_address(client, ann):
    answers = guess(client, 60, "2001:db8:0:1::{}", "user{}@example.com")
    assert answers[-1] == 429
    assert try_to_sign_in(client, ann.email, PASSWORD, "2001:db8:0:1::ffff") == 429
    assert try_to_sign_in(client, ann.email, PASSWORD, "2001:db8:0:2::1") == 302


def test_clock_that_was_put_back_locks_no_user_out(client, ann, time_machine):
    now = timezone.now()
    time_machine.move_to(now + timedelta(days=365), tick=False)
    assert guess(client, 12, HOME)[-1] == 429
    time_machine.move_to(now, tick=False)
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


def attack(client, time_machine, minutes, page="/sign-in"):
    """Guess one account's password from five addresses, each twice a minute."""
    for _ in range(2 * minutes):
        time_machine.shift(timedelta(seconds=30))
        guess(client, 5, page=page)


def checked_guesses():
    return AccessAttempt.objects.aggregate(n=Sum("failures_since_start"))["n"]


@pytest.mark.parametrize("page", PAGES)
def test_guesses_of_one_account_from_many_addresses_are_slowed_down(
    client, ann, page, time_machine
):
    time_machine.move_to(timezone.now(), tick=False)
    attack(client, time_machine, 14, page)
    # The first come at once, then one of each address in five minutes.
    assert checked_guesses() <= ACCOUNT_FAILURES + 5 * 3


def test_account_under_attack_allows_a_new_address_one_guess(client, ann, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    guess(client, ACCOUNT_FAILURES)
    before = checked_guesses()
    for _ in range(5):
        guess(client, 5, "203.0.113.{}")
    assert checked_guesses() == before + 5


def test_user_gets_in_from_a_new_address_while_an_attack_goes_on(
    client, ann, time_machine
):
    time_machine.move_to(timezone.now(), tick=False)
    attack(client, time_machine, 10)
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


def test_user_who_mistypes_gets_in_after_the_stated_wait(client, ann, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    attack(client, time_machine, 10)
    sent = {"username": ann.email, "password": "mistyped"}
    assert "Wait 5 minutes" in client.post("/sign-in", sent, REMOTE_ADDR=HOME).text
    attack(client, time_machine, 4)
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 429
    attack(client, time_machine, 1)
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


@pytest.mark.parametrize(
    ("times", "email"),
    [(10, "ann@example.com"), (ADDRESS_FAILURES, "user{}@example.com")],
    ids=["pair", "address"],
)
@pytest.mark.parametrize("attacked", [False, True])
def test_locked_page_states_the_wait(client, ann, time_machine, times, email, attacked):
    time_machine.move_to(timezone.now(), tick=False)
    guess(client, times, HOME, email)
    if attacked:
        guess(client, ACCOUNT_FAILURES)
    sent = {"username": ann.email, "password": PASSWORD}
    assert "Wait 15 minutes" in client.post("/sign-in", sent, REMOTE_ADDR=HOME).text
    time_machine.shift(timedelta(minutes=15, seconds=1))
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


def test_user_gets_in_during_an_attack_where_they_have_signed_in_before(client, ann):
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302
    client.post("/sign-out")
    guess(client, 40)
    guess(client, 60, HOME, "user{}@example.com")
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


def test_guesses_while_locked_do_not_lock_for_longer(client, ann, time_machine):
    start = timezone.now()
    time_machine.move_to(start, tick=False)
    guess(client, 12, HOME)
    time_machine.move_to(start + timedelta(minutes=14), tick=False)
    assert guess(client, 5, HOME) == [429] * 5
    time_machine.move_to(start + timedelta(minutes=16), tick=False)
    assert try_to_sign_in(client, ann.email, PASSWORD, HOME) == 302


def test_new_password_by_mail_signs_in_where_the_sign_in_is_locked(
    client, ann, wait_for_mail
):
    guess(client, 12, HOME)
    client.post("/password/reset", {"email": ann.email}, REMOTE_ADDR=HOME)
    wait_for_mail()
    link = django_mail.outbox[0].body.split("http://testserver")[1].split()[0]
    form = client.get(link, follow=True, REMOTE_ADDR=HOME).redirect_chain[-1][0]
    new = dict.fromkeys(("new_password1", "new_password2"), "quite another one")
    done = client.post(form, new, REMOTE_ADDR=HOME)
    assert done.headers["Location"] == "/account"
    assert get_user(client) == ann


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_all_addresses_of_a_network_are_counted_as_one(rf, address, host):
    def counted(one):
        return client_address(rf.get("/", REMOTE_ADDR=str(one)))

    if address.ipv4_mapped:
        assert counted(address) == str(address.ipv4_mapped)
    else:
        other = type(address)(int(address) >> 64 << 64 | host)
        assert counted(other) == counted(address)


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", None),
        ("unknown", None),
    ],
)
def test_address_of_a_client(rf, given, counted):
    assert client_address(rf.get("/", REMOTE_ADDR=given)) == counted
