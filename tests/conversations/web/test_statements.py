"""The statements of a turn on the web, with BEGIN and COMMIT."""

import re

import pytest
from django.test import AsyncClient

from conversations.reply import active_replies, runner
from tests.conversations.web.test_turns import written
from tests.factories import MemoryFactory
from tests.openai_answers import says
from tests.statements import recorded_statements
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

RECALL = 8
"""Statements of recall with the user's facts and messages."""


@pytest.fixture
def page(ann, home, openai_server, monkeypatch):
    # A busy machine takes longer than these.
    monkeypatch.setattr(runner, "HEAD_START", PATIENCE)
    monkeypatch.setattr(active_replies, "SAVE_EVERY", PATIENCE)
    MemoryFactory(user=ann, space=home, content="User likes soup")
    client = AsyncClient()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    return client


async def send(page, text, **where):
    """Send it, follow the reply to its end, and return what the page got first."""
    sent = await page.post(
        "/chat/send", {"text": text, **where}, headers={"HX-Request": "true"}
    )
    shown = sent.content.decode()
    async for _frame in await page.get(re.search(r'data-stream="(.+?)"', shown)[1]):
        pass
    await written()
    return shown


async def test_a_turn_asks_few_statements(page, home, openai_server):
    before = []

    def answer(_body):
        before.append(len(statements))
        return says("Soup.")

    await send(page, "What do I eat on Saturdays?", space=home.pk)
    openai_server.chat.default = openai_server.titles.default = answer
    with recorded_statements() as statements:
        shown = await send(page, "What do I eat on Sundays?", space=home.pk)
    assert before[-1] <= 11 + RECALL, "\n".join(statements)
    assert len(statements) <= 22 + RECALL, "\n".join(statements)
    opened = re.search(r'name="conversation" value="(.+?)"', shown)[1]
    for text in ("And for lunch?", "And what did I eat on Monday?"):
        with recorded_statements() as statements:
            await send(page, text, conversation=opened)
        assert before[-1] <= 12 + RECALL, "\n".join(statements)
        assert len(statements) <= 24 + RECALL, "\n".join(statements)
