import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from celery import Celery
from celery.signals import celeryd_after_setup
from kombu import Queue

from meddie.ai import embeddings, local_embedder
from meddie.ai.embeddings import EmbeddingModel, QueryCache
from meddie.ai.errors import (
    AIError,
    Garbled,
    NoEmbedder,
    ProviderDown,
    RateLimited,
    Refused,
    TimedOut,
    WrongKey,
)
from meddie.ai.local_embedder import NAME
from tests.openai_answers import disconnects, fails, raw, stalls, vector_of
from tests.openai_server import OpenAIServer


def answer(*rows: object) -> bytes:
    data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
    return json.dumps({"data": data}).encode()


@pytest.mark.req("S0-24", "S0-60", "S0-62")
def test_asks_the_provider_for_vectors_of_the_texts(openai_server: OpenAIServer):
    tea, coffee = embeddings.current_embedder().embed(["tea", "coffee"])

    assert tea.shape == coffee.shape == (1536,)
    assert np.allclose(tea, vector_of("tea"), atol=1e-6)
    assert np.allclose(coffee, vector_of("coffee"), atol=1e-6)
    sent = openai_server.embeddings.requests[0].body
    assert sent["model"] == "text-embedding-3-small"
    assert sent["dimensions"] == 1536
    assert embeddings.current_model() == EmbeddingModel("text-embedding-3-small", 1536)


@pytest.mark.req("S1-08")
def test_other_models_are_not_asked_for_a_dimension(openai_server, settings):
    settings.EMBEDDING_MODEL = "mistral-embed"
    openai_server.embeddings.queue(raw(answer([3.0, 4.0])))

    vector = embeddings.current_embedder().embed(["tea"])[0]

    assert vector[:3].tolist() == pytest.approx([0.6, 0.8, 0])
    assert "dimensions" not in openai_server.embeddings.requests[0].body
    assert embeddings.current_model() == EmbeddingModel("mistral-embed", 1024)


def test_vectors_come_in_the_order_of_the_texts(openai_server):
    data = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]
    openai_server.embeddings.queue(raw(json.dumps({"data": data}).encode()))

    first, second = embeddings.current_embedder().embed(["a", "b"])

    assert (first[0], second[1]) == (1, 1)


@pytest.mark.parametrize(
    ("planned", "error", "requests"),
    [
        pytest.param([fails(401)], WrongKey, 1, id="401"),
        pytest.param([fails(400)], Refused, 1, id="400"),
        pytest.param([fails(500)] * 2, ProviderDown, 2, id="500"),
        pytest.param([fails(429, retry_after=9)], RateLimited, 1, id="429 long"),
        pytest.param([fails(429)] * 2, RateLimited, 2, id="429"),
        pytest.param([disconnects()] * 2, ProviderDown, 2, id="disconnect"),
        pytest.param([raw(b"{")] * 2, Garbled, 2, id="no JSON"),
        pytest.param([raw(b"[]")] * 2, Garbled, 2, id="a list"),
        pytest.param([raw(b'{"data": []}')] * 2, Garbled, 2, id="too few"),
        pytest.param(
            [raw(b'{"data": [{"index": 0}]}')] * 2, Garbled, 2, id="no vector"
        ),
        pytest.param([raw(answer([0, 0]))], Garbled, 1, id="zero"),
        pytest.param([raw(answer([1, float("nan")]))], Garbled, 1, id="nan"),
        pytest.param([raw(answer([1] * 3072))], Refused, 1, id="too wide"),
    ],
)
def test_a_failure_is_retried_only_if_that_can_help(
    openai_server, planned, error, requests
):
    openai_server.embeddings.queue(*planned)

    with pytest.raises(error):
        embeddings.current_embedder().embed(["tea"])
    assert len(openai_server.embeddings.requests) == requests


def test_one_failure_is_retried(openai_server):
    openai_server.embeddings.queue(fails(503))

    assert len(embeddings.current_embedder().embed(["tea"])) == 1


def test_stall_is_not_retried_because_the_chat_waits(openai_server, impatience):
    openai_server.embeddings.queue(stalls(), stalls())

    with pytest.raises(TimedOut):
        embeddings.current_embedder().embed(["tea"])
    assert openai_server.embeddings.unused == 1


def test_a_long_text_is_cut_and_not_refused(openai_server):
    embeddings.current_embedder().embed(["a " * 50_000, "ł" * 50_000])

    sizes = [
        len(t.encode()) for t in openai_server.embeddings.requests[0].body["input"]
    ]
    assert sizes == [8191, 8190]


def test_a_text_too_long_for_the_model_is_refused_once(openai_server):
    openai_server.max_input_tokens = 10

    with pytest.raises(Refused):
        embeddings.current_embedder().embed(
            ["a rather long text that does not fit into ten tokens"]
        )
    assert len(openai_server.embeddings.requests) == 1


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_text_is_refused_without_asking(openai_server, text):
    with pytest.raises(AIError):
        embeddings.current_embedder().embed([text])
    assert openai_server.embeddings.requests == []


def test_many_texts_go_in_several_requests(openai_server):
    openai_server.dimensions = 8
    texts = [f"number {n}" for n in range(600)]

    vectors = embeddings.current_embedder().embed(texts)

    counts = [len(r.body["input"]) for r in openai_server.embeddings.requests]
    assert counts == [256, 256, 88]
    assert np.allclose(vectors[599][:8], vector_of("number 599", 8), atol=1e-6)
    assert embeddings.current_embedder().embed([]) == []


def test_large_texts_go_in_smaller_batches(openai_server):
    openai_server.dimensions = 8
    embeddings.current_embedder().embed(["word " * 2000] * 40)

    counts = [len(r.body["input"]) for r in openai_server.embeddings.requests]
    assert counts == [30, 10]


def test_the_same_question_is_asked_once(openai_server):
    first = embeddings.current_embedder().embed_query("tea")

    assert embeddings.current_embedder().embed_query("tea") is first
    assert len(openai_server.embeddings.requests) == 1
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1


def test_each_model_has_its_own_cache(openai_server, settings):
    embeddings.current_embedder().embed_query("tea")
    settings.EMBEDDING_MODEL = "text-embedding-3-large"

    embeddings.current_embedder().embed_query("tea")

    models = [r.body["model"] for r in openai_server.embeddings.requests]
    assert models == ["text-embedding-3-small", "text-embedding-3-large"]


def test_a_failure_is_not_cached(openai_server):
    openai_server.embeddings.queue(fails(400))
    with pytest.raises(Refused):
        embeddings.current_embedder().embed_query("tea")

    assert embeddings.current_embedder().embed_query("tea").shape == (1536,)


def test_the_cache_drops_the_least_recent_question():
    cache = QueryCache(size=2)
    vector = np.ones(3, np.float32)
    for text in ("a", "b"):
        cache.put(text, vector)
    cache.get("a")
    cache.put("c", vector)

    assert [cache.get(text) is None for text in "abc"] == [False, True, False]


def test_threads_share_the_client_and_the_cache(openai_server):
    texts = [f"question {n % 5}" for n in range(40)]

    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(embeddings.current_embedder().embed_query, texts))

    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(vector, vector_of(text), atol=1e-6)


@pytest.mark.parametrize("key", ["", "  "])
def test_without_a_key_the_local_model_answers(settings, key):
    settings.EMBEDDING_API_KEY = key

    allergy, drug, weather = embeddings.current_embedder().embed(
        [
            "User is allergic to ibuprofen",
            "Which painkiller can I take?",
            "Is it going to rain tomorrow?",
        ]
    )

    assert embeddings.current_model() == EmbeddingModel(NAME, 512)
    assert allergy @ drug > allergy @ weather + 0.15
    assert not allergy[512:].any()
    asked = embeddings.local().embed_query("Which painkiller can I take?")
    assert np.allclose(asked, drug, atol=1e-6)


def test_the_local_model_can_be_chosen_in_spite_of_a_key(openai_server, settings):
    settings.EMBEDDING_MODEL = NAME

    assert embeddings.current_model().dimensions == 512
    embeddings.current_embedder().embed(["tea"])
    assert openai_server.embeddings.requests == []


def test_an_embedder_can_be_named(openai_server):
    assert embeddings.provider().model.name == "text-embedding-3-small"
    assert embeddings.local().model.name == NAME
    assert embeddings.none().model == EmbeddingModel("none", 0)
    with pytest.raises(NoEmbedder):
        embeddings.none().embed_query("tea")


def worker_of(queue):
    """What Celery announces of a worker when its queues are known."""
    worker = SimpleNamespace(app=Celery())
    worker.app.conf.task_queues = [Queue(queue)]
    celeryd_after_setup.send(sender=queue, instance=worker)


@pytest.mark.parametrize(
    ("start", "loaded"),
    [
        (embeddings.load_model, 1),
        (partial(worker_of, "memory"), 1),
        (partial(worker_of, "chat"), 0),
    ],
)
def test_the_encoder_is_loaded_at_the_start_also_with_another_embedder(
    openai_server, start, loaded
):
    assert embeddings.current_model().name != NAME
    local_embedder._load.cache_clear()
    start()
    assert local_embedder._load.cache_info().currsize == loaded


@pytest.mark.req("S3-44", "S3-65")
def test_the_provider_embeds_with_the_model_of_the_settings(settings):
    settings.EMBEDDING_API_KEY = "sk-a-key"
    assert embeddings.current_model().name == "text-embedding-3-small"
    settings.EMBEDDING_MODEL = "mistral-embed"
    assert embeddings.current_model().name == "mistral-embed"
