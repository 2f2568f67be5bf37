"""Ann and Bob at home, where members see their memory, and what Ann has told."""

import pytest

from tests.conversations.web.conftest import ann, anns, bob, bobs, home
from tests.factories import MemoryFactory, PersonFactory

__all__ = ["ann", "anns", "bob", "bobs", "home"]


@pytest.fixture(autouse=True)
def _page(home):
    home.memory_page = True
    home.save()


@pytest.fixture
def remembered(ann, home):
    def remembered(text, **fields):
        return MemoryFactory(**{"user": ann, "space": home, "content": text} | fields)

    return remembered


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia", medications="- Montelukast 5 mg")
