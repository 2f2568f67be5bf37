"""The whole product in a browser: a real server, a real Chromium, the test's database."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest
from django.conf import settings
from django.contrib.auth import login
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from playwright.sync_api import Page

from people.models import User
from tests.browser.chat import PARTS, STORY
from tests.browser.chrome import Chrome
from tests.browser.server import Server
from tests.factories import SpaceFactory, UserFactory
from tests.openai_answers import says
from tests.openai_server import OpenAIServer

T = TypeVar("T")
Visit = Callable[..., Any]


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[Server]:
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chrome() -> Iterator[Chrome]:
    chrome = Chrome()
    yield chrome
    chrome.stop()


@pytest.fixture
def ann(transactional_db: None) -> User:
    """A user with a space of her own."""
    ann = UserFactory(email="ann@example.com", name="Ann")
    SpaceFactory(name="Home", members=[ann])
    return ann


@pytest.fixture
def story(openai_server: OpenAIServer) -> OpenAIServer:
    """A provider that tells ten parts of a story, and the rest once it is released."""
    openai_server.chat.default = lambda _body: says(STORY, pieces=PARTS, hold=10)
    return openai_server


@pytest.fixture
def visit(transactional_db: None, chrome: Chrome, server: Server) -> Iterator[Visit]:
    """Do something in the browser: `visit(what, user, **options)`."""

    def visit(what: Callable[[Page], T], user: User | None = None, **options: Any) -> T:
        cookies = {settings.SESSION_COOKIE_NAME: session_of(user)} if user else {}
        return chrome.visit(what, base_url=server.url, cookies=cookies, **options)

    yield visit
    server.wait_until_idle()  # streams read the database


def session_of(user: User) -> str:
    """The key of a session in which the user is signed in."""
    request = HttpRequest()
    request.session = SessionStore()
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.save()
    return str(request.session.session_key)
