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
def me(ann, home):
    return PersonFactory(
        space=home,
        user=ann,
        name="Ann Berg",
        medications="## Current\n- Sumatriptan 50 mg\n\n## Previous\n- Zinc",
        health_notes="- Migraine with aura",
    )


@pytest.fixture
def remembered(ann, home):
    def remembered(text, **fields):
        return MemoryFactory(**{"user": ann, "space": home, "content": text} | fields)

    return remembered
