import pytest

from conversations import event_log


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="Repeat the fuzz run with this seed.")


@pytest.fixture
def api_url(telegram, settings, monkeypatch, transactional_db):
    """A Bot API of the test, which new bots call, too. Quiet streams are short."""
    settings.TELEGRAM_API_URL = telegram.url
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "static" not in name]
    monkeypatch.setattr(event_log, "QUIET_AFTER", 0.02)
    return telegram.url
