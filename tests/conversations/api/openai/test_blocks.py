"""A block of Meddie's own keys that a model writes unasked reaches no client."""

import pytest

from conversations.models import Message
from tests.conversations.api.openai.client import content, words
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

BLOCK = '```json\n{"memory_saves": ["User likes tea"]}\n```'
TEXT = f"I will remember it.\n\n{BLOCK}"


def test_block_is_in_no_whole_answer_and_in_no_stored_one(api, openai_server):
    openai_server.titles.queue(says(TEXT))
    assert content(api.ask("I like tea")) == "I will remember it."
    reply = Message.objects.get(role="assistant")
    assert reply.content == "I will remember it."


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_block_is_in_no_stream(api, openai_server, size):
    pieces = tuple(TEXT[at : at + size] for at in range(0, len(TEXT), size))
    openai_server.chat.queue(says(TEXT, pieces=pieces))
    events = api.ask("I like tea", stream=True)
    assert words(events) == "I will remember it."
    assert events[-1]["choices"][0]["finish_reason"] == "stop"


@pytest.mark.parametrize(
    "text",
    [
        ' \n  print("Hi")\n\n',
        '```python\nx = {"a": [1]}\n```\n',
        '{"answer": "`yes`"}',
        "**Bold** and *open",
        "  ",
    ],
)
def test_other_text_passes_through_unchanged(api, openai_server, text):
    openai_server.titles.queue(says(text))
    assert content(api.ask("Hi")) == text
    openai_server.chat.queue(says(text, pieces=tuple(text)))
    assert words(api.ask("Hi", stream=True)) == text


def test_object_that_a_program_asks_for_may_have_the_same_keys(api, openai_server):
    text = '{"memory_saves": ["User likes tea"]}'
    openai_server.titles.queue(says(text))
    form = {"type": "json_object"}
    assert content(api.ask("I like tea", response_format=form)) == text
