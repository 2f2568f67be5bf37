"""A superuser enters a provider's address, key and model on the page about models."""

import pytest
from django.test import Client

from meddie.ai import configured as configuration
from meddie.ai.configured import Entered, configured, store_provider, stored_provider
from meddie.ai.provider import current_provider
from meddie.crypto import encrypt
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, UserFactory
from tests.openai_answers import fails, raw, says

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "sk-a-secret-one"
ELSEWHERE = "https://models.example/v1"


@pytest.fixture(autouse=True)
def file(settings, monkeypatch, tmp_path):
    """Another one than that of the other tests."""
    settings.BUNDLED_DATABASE = True
    path = tmp_path / "provider_key"
    monkeypatch.setattr(configuration, "_file", lambda: path)
    return path


@pytest.fixture
def server(settings, openai_server):
    """A provider that is not set up; `entered` is what its form takes."""
    openai_server.entered = {
        "base_url": settings.OPENAI_BASE_URL,
        "key": openai_server.key,
        "model": "llama3.2",
    }
    openai_server.chat.default = lambda _body: says("Hello.")
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "", ELSEWHERE
    return openai_server


def signed_in(**fields):
    client = Client()
    backend = "django.contrib.auth.backends.ModelBackend"
    client.force_login(UserFactory(**fields), backend=backend)
    return client


@pytest.fixture
def superuser():
    return signed_in(is_staff=True, is_superuser=True)


def test_provider_that_answers_is_used_at_once_and_stored_encrypted(
    superuser, server, file
):
    assert not current_provider().connected
    page = superuser.post("/model/provider", server.entered, follow=True).text
    assert "From now on llama3.2 answers" in page
    assert server.key not in page
    assert server.key not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    reply = write(ask(MembershipFactory(), "Which tea?"))
    assert (reply.content, reply.model) == ("Hello.", "llama3.2")
    assert configured().fast_model == "llama3.2"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fails(401), "does not accept this key"),
        (fails(404), "does not know this model or this address"),
        (fails(402), "no credit left"),
        (raw(b"<html>Welcome</html>"), "does not speak OpenAI’s protocol"),
    ],
)
def test_provider_that_fails_is_not_stored_and_the_page_says_why(
    superuser, server, answer, sentence
):
    server.titles.default = lambda _body: answer
    page = superuser.post("/model/provider", server.entered)
    assert page.status_code == 422
    assert sentence in page.text
    assert f'value="{server.entered["base_url"]}"' in page.text
    assert stored_provider() is None


def test_nothing_at_the_address_is_said(superuser, server):
    entered = server.entered | {"base_url": "http://127.0.0.1:9/v1"}
    page = superuser.post("/model/provider", entered).text
    assert "Nothing answers at this address." in page


def test_stored_key_is_kept_for_its_address_and_sent_to_no_other(superuser, server):
    superuser.post("/model/provider", server.entered)
    empty = server.entered | {"key": "", "model": "llama3.3"}
    superuser.post("/model/provider", empty)
    assert stored_provider() == Entered(**server.entered | {"model": "llama3.3"})
    page = superuser.post("/model/provider", empty | {"base_url": ELSEWHERE}).text
    assert "Enter the key" in page
    superuser.post("/model/provider", {"remove": "1"})
    assert not current_provider().connected


def test_server_of_ones_own_needs_no_key(superuser, server, settings):
    settings.MODEL_SLOTS = server.key = None
    superuser.post("/model/provider", server.entered | {"key": ""})
    assert current_provider().connected


@pytest.mark.parametrize(
    "wrong",
    [
        *({"key": key} for key in ("ключ", "sk-\x7f", "sk-a b", "sk-é", "sk-\u200b1")),
        *({"base_url": url} for url in ("", "models.example", "file:///etc/passwd")),
        {"model": ""},
        {"model": "a b"},
    ],
)
def test_entries_that_cannot_be_sent_change_nothing(superuser, server, wrong):
    page = superuser.post("/model/provider", server.entered | wrong)
    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.text
    assert server.titles.requests == []
    assert stored_provider() is None


def test_environment_wins(superuser, settings, server):
    superuser.post("/model/provider", server.entered)
    settings.OPENAI_API_KEY = "sk-of-the-environment"
    assert "Try and save" not in superuser.get("/model").text
    assert superuser.post("/model/provider", server.entered).status_code == 404
    assert configured().base_url == ELSEWHERE


@pytest.mark.parametrize("fields", [{}, {"is_staff": True}])
def test_others_may_not_enter_one(fields, server):
    client = signed_in(**fields)
    assert "Try and save" not in client.get("/model").text
    assert client.post("/model/provider", server.entered).status_code == 404


def test_none_is_entered_where_processes_share_no_folder(superuser, server, settings):
    store_provider(Entered(KEY))
    settings.BUNDLED_DATABASE = False
    assert superuser.post("/model/provider", server.entered).status_code == 404
    assert not current_provider().connected


def test_key_that_cannot_be_decrypted_is_none(settings):
    store_provider(Entered(KEY))
    configuration._read.cache_clear()
    settings.FIELD_KEYS = ["A" * 43]
    assert stored_provider() is None


def test_key_that_an_earlier_version_stored_is_used(settings, file):
    file.write_text(encrypt(KEY))
    assert (configured().key, configured().chat_model) == (KEY, settings.CHAT_MODEL)
