"""Ann, Bob and Ann's browser, at home, where members see their memory."""

import pytest

from people.models import Space
from tests.conversations.web.conftest import ann, anns, bob, bobs, home
from tests.conversations.web.memory_page.listing import FACT
from tests.factories import MemoryFactory

__all__ = ["ann", "anns", "bob", "bobs", "home"]


@pytest.fixture(autouse=True)
def _page(home: Space) -> None:
    home.memory_page = True
    home.save()


@pytest.fixture
def remembered(ann, home):
    def remembered(text, **fields):
        return MemoryFactory(**{"user": ann, "space": home, "content": text} | fields)

    return remembered


@pytest.fixture
def fact(remembered):
    return remembered(FACT)
