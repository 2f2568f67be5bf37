"""The local provider that other tests rely on."""

import asyncio
import subprocess
import sys

import numpy as np
import pytest

from meddie.ai.provider import current_provider
from tests.meddie.ai.talk import HELLO, listen
from tests.openai_answers import fragments, says, vector_of


async def test_by_default_it_answers_shortly(openai_server):
    assert (await listen()).text == "I see."
    assert (
        await current_provider().complete(HELLO, name="title", max_tokens=5)
        == "A title"
    )


def test_fragments_have_1_to_20_characters_and_are_repeatable():
    text = "A block in the middle, and much more. " * 30

    assert "".join(fragments(text)) == text
    assert {1, 20} <= {len(piece) for piece in fragments(text)} <= set(range(1, 21))
    assert fragments(text) == fragments(text)


def test_similar_texts_have_similar_vectors():
    tea, teas, car = map(
        vector_of, ("I drink tea", "I drink green tea", "Cars are fast")
    )

    assert np.dot(tea, tea) == pytest.approx(1)
    assert np.dot(tea, teas) > 0.8
    assert abs(np.dot(tea, car)) < 0.2


def test_it_runs_as_a_process(settings):
    command = [sys.executable, "-m", "tests.openai_server", "--port", "0", "--key", "k"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        settings.OPENAI_BASE_URL = process.stdout.readline().strip()
        settings.OPENAI_API_KEY = "k"
        try:
            heard = asyncio.run(listen())
        finally:
            process.terminate()

    assert heard.outcome == "done"


async def test_a_default_answer_can_depend_on_the_request(openai_server):
    openai_server.chat.default = lambda body: says(body["messages"][-1]["content"])

    assert (await listen()).text == "Hello"
