"""Vectors, of the provider or of the bundled model."""

import base64

import numpy as np
import pytest

from meddie.ai import local_embedder
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.openai_answers import fails

pytestmark = pytest.mark.django_db(transaction=True)


def vectors(api, status=200, **body):
    answer = api.send("POST", "/v1/embeddings", json={"model": "meddie"} | body)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.fixture
def own(transactional_db):
    """The key of a member where no provider is set."""
    return api_for(MembershipFactory())


def test_provider_answers_where_one_is_set(api, openai_server):
    found = vectors(api, input=["Tea", "Oats"], user="carl")
    assert [row["index"] for row in found["data"]] == [0, 1]
    [request] = openai_server.embeddings.requests
    assert request.body == {
        "model": "text-embedding-3-small",
        "input": ["Tea", "Oats"],
        "encoding_format": "float",
        "user": "carl",
    }
    vectors(api, input="Tea", model="another")
    assert openai_server.embeddings.requests[-1].body["model"] == "another"


def test_refusal_of_the_provider_keeps_its_words(api, openai_server):
    openai_server.embeddings.queue(fails(400, error_code="too_many_inputs"))
    error = vectors(api, 400, input="Tea")["error"]
    assert (error["code"], error["message"]) == ("too_many_inputs", "It says 400.")


def test_bundled_model_answers_without_a_provider(own):
    found = vectors(own, input=["Tea", "Oats"])
    assert (found["model"], len(found["data"])) == (local_embedder.NAME, 2)
    [row] = vectors(own, input="Tea", encoding_format="base64")["data"]
    numbers = np.frombuffer(base64.b64decode(row["embedding"]), "<f4")
    assert np.allclose(numbers, found["data"][0]["embedding"], atol=1e-5)
    assert len(numbers) == local_embedder.DIMENSIONS


@pytest.mark.parametrize(
    ("body", "status", "param"),
    [
        ({}, 400, "input"),
        ({"input": []}, 400, "input"),
        ({"input": ["Tea", " "]}, 400, "input"),
        ({"input": [1, 2]}, 400, "input"),
        ({"input": ["x"] * 2049}, 400, "input"),
        ({"input": "x" * 300_001}, 400, "input"),
        ({"input": "Tea", "dimensions": 3}, 400, "dimensions"),
        ({"input": "Tea", "encoding_format": "hex"}, 400, "encoding_format"),
        ({"input": "Tea", "model": "text-embedding-3-small"}, 404, "model"),
    ],
)
def test_bundled_model_refuses_other_requests(own, body, status, param):
    assert vectors(own, status, **body)["error"]["param"].startswith(param)


def test_vectors_need_a_key(own):
    answer = own.send(
        "POST", "/v1/embeddings", authorization="Bearer x", json={"input": "Tea"}
    )
    assert answer.status_code == 401


def test_texts_for_the_provider_are_bounded_too(api, openai_server):
    refused = vectors(api, status=400, input=["x" * 200_000] * 2)
    assert "300000" in refused["error"]["message"]
    assert not openai_server.embeddings.requests
