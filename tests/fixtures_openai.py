"""The fixture `openai_server`: a local provider for Meddie."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from meddie.ai import client
from meddie.ai.client import ProviderLimits
from meddie.backoff import Patience
from tests.openai_server import KEY, OpenAIServer

IMPATIENT = ProviderLimits(
    connect=2,
    first_token=1,
    stall=0.8,
    usage=0.2,
    complete=1,
    embed=1.5,
    verify=1,
    reply_characters=20_000,
)


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short time-outs and pauses."""
    monkeypatch.setattr(client, "LIMITS", IMPATIENT)
    quick = {"backoff": 0.01, "retry_after": 0.2}
    monkeypatch.setattr(client, "CHAT_PATIENCE", Patience(3, 0.9, **quick))
    monkeypatch.setattr(client, "EMBEDDING_PATIENCE", Patience(2, 0.9, **quick))


@pytest.fixture
def openai_server(settings: Settings, impatience: None) -> Iterator[OpenAIServer]:
    """A provider for chat, short texts and embeddings, named by the settings."""
    with OpenAIServer() as server:
        settings.OPENAI_API_KEY = settings.EMBEDDING_API_KEY = KEY
        settings.OPENAI_BASE_URL = settings.EMBEDDING_BASE_URL = server.base_url
        settings.CHAT_MODEL = "test-chat"
        settings.FAST_MODEL = "test-fast"
        settings.EMBEDDING_MODEL = "text-embedding-3-small"
        client.import_sdk()  # the import takes longer than these time-outs
        yield server
        client.close_clients()
