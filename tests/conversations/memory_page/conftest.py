"""Ann, Bob and Ann's browser, at home, where members see their memory."""

import pytest

from people.models import Space
from tests.conversations.web.conftest import ann, anns, bob, bobs, home

__all__ = ["ann", "anns", "bob", "bobs", "home"]


@pytest.fixture(autouse=True)
def _page(home: Space) -> None:
    home.memory_page = True
    home.save()
