"""The fixture `openai_server`: a local provider for Meddie."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from conversations.reply import active_replies
from meddie.ai import client, tools
from meddie.ai.client import ProviderLimits
from meddie.backoff import Patience
from tests.openai_server import KEY, OpenAIServer
from tests.waiting import PATIENCE, wait_until

PATIENT = ProviderLimits(
    connect=PATIENCE,
    first_token=PATIENCE,
    stall=PATIENCE,
    usage=PATIENCE,
    complete=PATIENCE,
    embed=PATIENCE,
    verify=PATIENCE,
)
IMPATIENT = ProviderLimits(
    connect=PATIENCE,
    first_token=2,
    stall=0.8,
    thinking=2,
    usage=0.2,
    complete=1,
    embed=1,
    verify=1,
)
RETRIES = {"backoff": 0.01, "retry_after": 0.2}


@pytest.fixture
def openai_server(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenAIServer]:
    """A provider for chat, short texts and embeddings, named by the settings.

    Meddie waits long for its answers, and retries after short pauses.
    """
    monkeypatch.setattr(client, "LIMITS", PATIENT)
    monkeypatch.setattr(client, "CHAT_PATIENCE", Patience(3, PATIENCE, **RETRIES))
    monkeypatch.setattr(client, "EMBEDDING_PATIENCE", Patience(2, PATIENCE, **RETRIES))
    with OpenAIServer() as server:
        settings.OPENAI_API_KEY = settings.EMBEDDING_API_KEY = KEY
        settings.OPENAI_BASE_URL = settings.EMBEDDING_BASE_URL = server.base_url
        settings.CHAT_MODEL = "test-chat"
        settings.FAST_MODEL = settings.EXTRACTION_MODEL = "test-fast"
        settings.EMBEDDING_MODEL = "text-embedding-3-small"
        tools.accepts_tools.clear()
        client.import_sdk()  # takes a third of a second, which no stall test may lose
        yield server
        client.close_clients()
    # One that was still written would deadlock with the emptying of the database.
    wait_until(lambda: not active_replies.replies)


@pytest.fixture
def impatience(openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short time-outs, after which nothing is tried again."""
    monkeypatch.setattr(client, "LIMITS", IMPATIENT)
    monkeypatch.setattr(client, "CHAT_PATIENCE", Patience(3, 0.9, **RETRIES))
    monkeypatch.setattr(client, "EMBEDDING_PATIENCE", Patience(2, 0.9, **RETRIES))
