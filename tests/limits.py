"""Lower a limit of `people.throttling` for a test."""

import pytest

from people import throttling


def limit_to(monkeypatch: pytest.MonkeyPatch, name: str, times: int) -> None:
    limit = getattr(throttling, name)._replace(times=times)
    monkeypatch.setattr(throttling, name, limit)
