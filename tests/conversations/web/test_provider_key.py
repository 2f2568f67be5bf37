"""A superuser enters the provider's key on the page about models."""

import pytest
from django.test import Client

from meddie.ai import stored_key
from meddie.ai.provider import current_provider
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
KEY = "sk-a-secret-one"


@pytest.fixture(autouse=True)
def file(settings, monkeypatch, tmp_path):
    """Another one than that of the other tests."""
    settings.BUNDLED_DATABASE = True
    path = tmp_path / "provider_key"
    monkeypatch.setattr(stored_key, "_file", lambda: path)
    return path


def signed_in(**fields):
    client = Client()
    backend = "django.contrib.auth.backends.ModelBackend"
    client.force_login(UserFactory(**fields), backend=backend)
    return client


@pytest.fixture
def superuser():
    return signed_in(is_staff=True, is_superuser=True)


def test_key_is_used_at_once_and_stored_encrypted(superuser, file):
    assert not current_provider().connected
    page = superuser.post("/model/key", {"key": f" {KEY} "}, follow=True).text
    assert "A key is stored." in page
    assert KEY not in page
    assert current_provider().connected
    assert KEY not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_key_can_be_replaced_and_removed(superuser):
    for key in ("sk-first", KEY):
        superuser.post("/model/key", {"key": key})
    assert stored_key.stored_key() == KEY
    superuser.post("/model/key", {"remove": "1"})
    assert not current_provider().connected


@pytest.mark.parametrize(
    "key", [" ", "ключ", "sk-\x7f", "sk-a b", "sk-é", "sk-\u200b1"]
)
def test_key_that_no_header_carries_changes_nothing(superuser, key):
    superuser.post("/model/key", {"key": KEY})
    page = superuser.post("/model/key", {"key": key}, follow=True).text
    assert "This is no key." in page
    assert stored_key.stored_key() == KEY


def test_environment_wins(superuser, settings):
    superuser.post("/model/key", {"key": KEY})
    settings.OPENAI_API_KEY = "sk-of-the-environment"
    assert "Or enter the key here" not in superuser.get("/model").text
    assert superuser.post("/model/key", {"key": "x"}).status_code == 404


@pytest.mark.parametrize("fields", [{}, {"is_staff": True}])
def test_others_may_not_enter_one(fields):
    client = signed_in(**fields)
    assert "Or enter the key here" not in client.get("/model").text
    assert client.post("/model/key", {"key": KEY}).status_code == 404


def test_none_is_entered_where_processes_share_no_folder(superuser, settings):
    superuser.post("/model/key", {"key": KEY})
    settings.BUNDLED_DATABASE = False
    assert superuser.post("/model/key", {"key": "x"}).status_code == 404
    assert not current_provider().connected


def test_key_that_cannot_be_decrypted_is_none(superuser, settings):
    superuser.post("/model/key", {"key": KEY})
    stored_key._read.cache_clear()
    settings.FIELD_KEYS = ["A" * 43]
    assert stored_key.stored_key() == ""
