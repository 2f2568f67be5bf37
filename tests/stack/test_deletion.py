"""An account is deleted while programs write into it, against a real server."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import httpx2
import pytest
from django.test import Client

from conversations.models import Message
from people.models import DeletedUser, Space, User
from tests.conversations.api.openai.client import api_for, said
from tests.factories import PASSWORD, MembershipFactory
from tests.openai_answers import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

HASHER = "django.contrib.auth.hashers.PBKDF2PasswordHasher"
REFUSED = {401, 404, 410}


class Writers:
    """Twenty threads that call the API, report messages and name external users."""

    def __init__(self, url, member):
        self.url = url
        self.own = api_for(member).secret
        self.proxy = api_for(member, trusted_proxy=True, name="proxy").secret
        self.answered = [0] * 20
        self.last = [0] * 20
        self.seen = set()
        self.stopped = threading.Event()

    def write(self, number):
        """Until the writer is refused."""
        with httpx2.Client(base_url=self.url, timeout=PATIENCE) as client:
            for turn in count():
                self.last[number] = self._call(client, number, turn)
                self.answered[number] += 1
                self.seen.add(self.last[number])
                if self.last[number] in REFUSED:
                    return
                if self.stopped.is_set():  # and what began before has ended
                    self.last[number] = self._call(client, number, turn + 1)
                    return

    def _call(self, client, number, turn):
        external = number % 3 == 2
        headers = {"Authorization": f"Bearer {self.proxy if external else self.own}"}
        text = f"I saw {turn} birds from window {number}."
        if number % 3 == 1:
            body = {"channel": "birds", "thread": f"w{number % 4}", "text": text}
            body["external_id"] = f"{number} {turn}"
            return client.post("/api/ingest", json=body, headers=headers).status_code
        if external:
            headers["X-OpenWebUI-User-Id"] = f"u{number}"
        headers["X-OpenWebUI-Chat-Id"] = f"c{number} {turn // 5}"
        body = {"model": "meddie", "stream": number % 2 == 0, "messages": [said(text)]}
        answer = client.post("/v1/chat/completions", json=body, headers=headers)
        return answer.status_code


def test_an_account_is_deleted_while_twenty_writers_use_it(openai_server, settings):
    openai_server.chat.default = lambda _body: says("Nice birds", pieces=("Nice", " b"))
    openai_server.titles.default = lambda _body: says("{}")
    settings.PASSWORD_HASHERS = [HASHER]  # as in the web process
    member = MembershipFactory()
    browser = Client()
    browser.force_login(member.user)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    with (
        Program("worker"),
        WebProcess(DAILY_MESSAGES="100000") as web,
        ThreadPoolExecutor(20) as pool,
    ):
        writers = Writers(web.url, member)
        running = [pool.submit(writers.write, number) for number in range(20)]
        wait_until(lambda: min(writers.answered) > 3)
        answer, seconds = delete_account(web, session, settings)
        print(f"\ndeleted in {seconds:.1f} s: {answer.status_code}")  # noqa: T201 -- with -s
        writers.stopped.set()
        for one in running:
            one.result()
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/account/deleted?proof=")
    assert set(writers.last) <= REFUSED
    assert writers.seen <= REFUSED | {200, 202, 429, 503}
    assert not User.objects.filter(pk__in=DeletedUser.objects.values("pk")).exists()
    assert not Space.objects.exists()
    assert not Message.objects.exists()


def delete_account(web, session, settings):
    with httpx2.Client(
        base_url=web.url,
        cookies={settings.SESSION_COOKIE_NAME: session},
        headers={"Origin": web.url},
        timeout=PATIENCE,
    ) as client:
        client.get("/account/delete")
        began = time.monotonic()
        data = {
            "password": PASSWORD,
            "csrfmiddlewaretoken": client.cookies["csrftoken"],
        }
        answer = client.post("/account/delete", data=data)
        return answer, time.monotonic() - began
