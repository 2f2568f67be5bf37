"""The fixture `telegram`: a Bot API of one's own, which a bot's `api_url` points to."""

from collections.abc import Iterator

import pytest

from conversations.telegram.bot_api import api
from meddie.backoff import Patience
from tests.telegram_server import TelegramServer


@pytest.fixture
def telegram(monkeypatch: pytest.MonkeyPatch) -> Iterator[TelegramServer]:
    """With pauses before a new attempt that are small enough to wait for."""
    monkeypatch.setattr(api, "CALL_PATIENCE", Patience(retry_after=20, backoff=0.01))
    with TelegramServer() as server:
        yield server
