"""The fixture `telegram`: a Bot API of one's own, which a bot's `api_url` points to."""

from collections.abc import Iterator

import pytest

from tests.telegram_server import TelegramServer


@pytest.fixture
def telegram() -> Iterator[TelegramServer]:
    with TelegramServer() as server:
        yield server
