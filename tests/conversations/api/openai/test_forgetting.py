"""A client's user asks in a sentence to forget what is remembered."""

import json

import pytest

from meddie.ai import offline
from memory.models import Memory
from tests.conversations.api.openai.client import api_for
from tests.factories import MemoryFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says

CELLO = "User plays the cello"
NOTHING: dict[str, list[str]] = {"facts": [], "profile_facts": [], "forgets": []}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Forget that I play the cello.", False),
        ("Hi! You can forget that I play the cello, thanks.", False),
        ("Don't forget that I play the cello.", True),
        ("I play the cello. I always forget to practise.", True),
    ],
)
def test_only_a_wish_to_forget_retires_the_fact_that_the_model_names(
    api, member, openai_server, text, kept
):
    fact = MemoryFactory(user=member.user, space=member.space, content=CELLO)
    wished = json.dumps(NOTHING | {"forgets": [CELLO]})
    openai_server.titles.default = lambda body: says(
        wished if "response_format" in body else "Noted."
    )
    api.ask(text, chat="c1")
    run_due()
    assert Memory.objects.active().filter(pk=fact.pk).exists() == kept


def test_sentence_makes_the_stand_in_forget(member, monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    api = api_for(member)
    for text in ("I play the cello.", "My name is Alex.", "I live in Oslo."):
        api.ask(text, chat=text)
    run_due()
    assert Memory.objects.active().count() == 3
    for text in ("Forget that I play the cello.", "Forget that my name is Alex."):
        api.ask(text, chat=text)
    run_due()
    assert [fact.content for fact in Memory.objects.active()] == ["I live in Oslo"]
