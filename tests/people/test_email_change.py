"""Changes of a user's address."""

import re
from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessLog
from django.utils import timezone

from people.models import EmailChange, User
from people.tasks import delete_expired
from tests.factories import PASSWORD, MembershipFactory, UserFactory
from tests.limits import limit_to

pytestmark = pytest.mark.django_db
CHANGE = "/account/email"
OVER = "This link has been used, is no longer valid, or belongs to another account."


@pytest.fixture
def ann(client):
    ann = MembershipFactory(user__email="ann@example.com").user
    client.force_login(ann)
    return ann


@pytest.fixture
def ask(client, ann, mailoutbox, wait_for_mail):
    """Ask for a change and return the path of the mailed link."""

    def ask(email="new@example.com"):
        answer = client.post(CHANGE, {"email": email, "password": PASSWORD})
        assert answer.headers["Location"] == "/account"
        wait_for_mail()
        mail = next(m for m in reversed(mailoutbox) if m.to == [email.lower()])
        return re.search(r"http://testserver(/account/email/[\w-]+)", mail.body)[1]

    return ask


def email_of(user):
    return User.objects.get(pk=user.pk).email


def test_address_changes_when_the_link_is_opened_and_confirmed(client, ann, ask):
    link = ask("New@example.com")
    assert email_of(ann) == "ann@example.com"
    assert "new@example.com" in client.get(link).text
    assert email_of(ann) == "ann@example.com"
    page = client.post(link, follow=True)
    assert "Your email address is now new@example.com." in page.text
    assert email_of(ann) == "new@example.com"


def test_old_address_gets_a_notice_without_the_link(ann, ask, mailoutbox):
    link = ask()
    (notice,) = [mail for mail in mailoutbox if mail.to == ["ann@example.com"]]
    assert "new@example.com" in notice.body
    assert link not in notice.body


def test_link_works_once(client, ask):
    link = ask()
    client.post(link)
    for answer in (client.get(link), client.post(link)):
        assert answer.status_code == 410
        assert OVER in answer.text


def test_link_ends_after_a_day(client, ann, ask):
    link = ask()
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        client.force_login(ann)
        assert client.post(link).status_code == 410
        delete_expired()
    assert not EmailChange.objects.exists()
    assert email_of(ann) == "ann@example.com"


def test_later_request_ends_the_earlier_link(client, ann, ask):
    first, second = ask(), ask("other@example.com")
    assert client.post(first).status_code == 410
    client.post(second)
    assert email_of(ann) == "other@example.com"


def test_change_can_be_cancelled(client, ann, ask):
    link = ask()
    other = UserFactory()
    _token, fields = EmailChange.mint()
    EmailChange.objects.create(user=other, email="b@example.com", **fields)
    assert "/account/email/cancel" in client.get("/account").text
    page = client.post("/account/email/cancel", follow=True)
    assert "new@example.com" not in page.text
    assert client.post(link).status_code == 410
    assert EmailChange.objects.get().user == other


def test_new_password_ends_the_link(client, ann, ask):
    link = ask()
    new = "a long new password"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/password/change", form).status_code == 302
    assert client.post(link).status_code == 410
    assert email_of(ann) == "ann@example.com"


def test_signing_in_leaves_the_link(client, ann, ask):
    link = ask()
    client.logout()
    client.post("/sign-in", {"username": ann.email, "password": PASSWORD})
    assert client.get(link).status_code == 200


def test_link_asks_to_sign_in_and_serves_no_other_user(client, ann, ask):
    link = ask()
    client.logout()
    here = {"Referer": f"http://testserver{link}"}
    answer = client.post(link, headers=here)
    assert answer.headers["Location"] == f"/sign-in?next={link}"
    client.force_login(UserFactory())
    assert client.post(link).status_code == 410
    assert email_of(ann) == "ann@example.com"


def test_page_does_not_tell_whether_the_address_has_an_account(
    client, ann, ask, mailoutbox
):
    UserFactory(email="known@example.com")
    told = []
    for email in ("known@example.com", "fresh@example.com"):
        link = ask(email)
        shown = [client.get(path).text for path in ("/account", CHANGE, link)]
        told.append(re.sub(r'(known|fresh)@|csrf\w+" value="\w+"', "", str(shown)))
    assert told[0] == told[1]
    assert client.post(ask("known@example.com"), follow=True).status_code == 200
    assert email_of(ann) == "ann@example.com"
    assert not EmailChange.objects.exists()


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"password": "wrong"}, "This is not your password."),
        ({"email": "Ann@example.com"}, "This is your address already."),
        ({"email": "nonsense"}, "Enter an email address such as anna@example.com."),
    ],
)
def test_wrong_values_are_refused_with_one_sentence(
    client, ann, mailoutbox, wait_for_mail, sent, sentence
):
    values = {"email": "new@example.com", "password": PASSWORD}
    page = client.post(CHANGE, values | sent)
    wait_for_mail()
    assert page.status_code == 422
    assert sentence in page.text
    assert not mailoutbox


def test_a_day_allows_a_few_changes(client, ask, monkeypatch):
    limit_to(monkeypatch, "EMAIL_CHANGES", 1)
    ask()
    page = client.post(CHANGE, {"email": "b@example.com", "password": PASSWORD})
    assert "the daily limit of changes" in page.text


def test_without_mail_the_pages_say_so(client, ann, ask, settings):
    ask()
    assert "It was sent there." in client.get("/account").text
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    for path in (CHANGE, "/account"):
        assert "Email is not set up here" in client.get(path).text


def test_sign_ins_are_found_under_the_new_address(client, ann, ask):
    AccessLog.objects.create(username="ann@example.com", path_info="/")
    client.post(ask())
    assert {log.username for log in AccessLog.objects.all()} == {"new@example.com"}


def test_new_address_signs_in_and_the_old_one_does_not(client, ask):
    client.post(ask())
    client.post("/sign-out")
    for name, status in (("ann@example.com", 200), ("new@example.com", 302)):
        sent = {"username": name, "password": PASSWORD}
        assert client.post("/sign-in", sent).status_code == status
