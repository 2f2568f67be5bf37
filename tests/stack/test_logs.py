"""What real processes log at DEBUG while secrets pass through them."""

import re
from pathlib import Path

import httpx2
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from people.models import Membership
from tests.conversations.turns import noting
from tests.factories import (
    PASSWORD,
    MembershipFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
)
from tests.openai_server import KEY, OpenAIServer
from tests.stack.processes import Program
from tests.stack.test_telegram import bring
from tests.stack.web import WebProcess
from tests.telegram_server import TOKEN, TelegramServer
from tests.telegram_updates import ANNA
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

NEW_PASSWORD = "another quiet long sentence"
WRONG_PASSWORD = "wrong-canary-password"
UNKNOWN_TOKEN = "unknown-canary-token"
EMAIL = "canary@example.com"
SAID = "canaryril"


@pytest.fixture
def member(transactional_db: None) -> Membership:
    """With the hash that real processes read."""
    hashed = PBKDF2PasswordHasher().encode(PASSWORD, "salt")
    return MembershipFactory(user__email=EMAIL, user__password=hashed)


class Browser(httpx2.Client):
    def __init__(self, web: WebProcess) -> None:
        super().__init__(
            base_url=web.url, headers={"Origin": web.url}, timeout=PATIENCE
        )

    def submit(self, path: str, **data: str) -> httpx2.Response:
        self.get("/sign-in")
        token = self.cookies["csrftoken"]
        return self.post(path, data=data, headers={"X-CSRFToken": token})

    def sign_in(self, password: str, **more: str) -> None:
        self.submit("/sign-in", username=EMAIL, password=password, **more)


def follow_wrong_links(browser: Browser) -> None:
    invitation = f"/invitation/{UNKNOWN_TOKEN}"
    browser.sign_in(WRONG_PASSWORD, next=invitation)
    for path in (
        *(invitation, f"/Invitation//{UNKNOWN_TOKEN}", f"{invitation}/x y"),
        f"/account/email/{UNKNOWN_TOKEN}",
        f"/password/reset/abc/{UNKNOWN_TOKEN}",
        f"/password/reset/abc/{UNKNOWN_TOKEN}/more",
    ):
        browser.get(path)
        browser.post(path)  # without a CSRF token
        browser.get("/sign-in", params={"next": path})
        browser.get("/sign-in", params={"next": f"/sign-in?next={path}"})


def follow_invitation(web: WebProcess, member: Membership) -> str:
    """Invite a newcomer, who tries to join; the token."""
    with Browser(web) as admin, Browser(web) as newcomer:
        admin.sign_in(PASSWORD)
        invite = f"/spaces/{member.space_id}/invite"
        page = admin.submit(invite, email="new@example.com", role="member").text
        link = re.search(r"/invitation/([\w-]+)", page)
        assert link, page
        assert newcomer.get(link[0]).is_success
        newcomer.submit(link[0], name="New", password1="short", password2="shorter")
    return link[1]


def reset_password(browser: Browser, mails: Path) -> str:
    """Follow the link of the mail and choose a password; the link's token."""
    browser.submit("/password/reset", email=EMAIL)

    def link() -> re.Match[str] | None:
        sent = "".join(mail.read_text() for mail in mails.glob("*"))
        return re.search(r"/password/reset/[\w-]+/([\w-]+)", sent)

    wait_until(link)
    found = link()
    assert found
    form = browser.get(found[0], follow_redirects=True).url.path
    browser.submit(form, new_password1=NEW_PASSWORD, new_password2=NEW_PASSWORD)
    browser.sign_in(NEW_PASSWORD)
    assert browser.get("/account").is_success
    return found[1]


def test_no_log_holds_a_secret(
    member: Membership,
    telegram: TelegramServer,
    openai_server: OpenAIServer,
    tmp_path: Path,
) -> None:
    bot = TelegramBotFactory(space=member.space, token=TOKEN, api_url=telegram.url)
    TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)
    log, mails = tmp_path / "log", tmp_path / "mails"
    chat = Program("chat", log, LOG_LEVEL="DEBUG")
    told = {"LOG_LEVEL": "DEBUG", "EMAIL_URL": f"file:///{mails}"}
    with WebProcess(log, **told) as web, chat:
        with Browser(web) as browser:
            follow_wrong_links(browser)
            tokens = [follow_invitation(web, member), reset_password(browser, mails)]
            secrets = [*tokens, *browser.cookies.values()]
        openai_server.chat.queue(
            noting(f"{SAID}.", memory_saves=[f"User takes {SAID}"])
        )
        bring(web, bot, telegram.message(f"I take {SAID}.", sender=ANNA))
        telegram.wait_until(lambda: "Remembered" in "".join(telegram.texts(ANNA)))
    logged = log.read_text()
    for part in ("Gone: /invitation/…", "DEBUG", "axes", '"GET /invitation/…'):
        assert part in logged, logged
    secrets += [PASSWORD, NEW_PASSWORD, WRONG_PASSWORD, UNKNOWN_TOKEN, TOKEN, KEY]
    assert [secret for secret in [*secrets, EMAIL, SAID] if secret in logged] == []
