"""Against numbers of the original: transformers 5 and torch 2.13 over the same weights."""

import hashlib
import os
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from meddie.ai import embeddings, minilm, minilm_encoder
from meddie.ai.errors import NoEmbedder

# fmt: off
ORIGINAL = {
    "User is allergic to ibuprofen": [
        0.028774, 0.002634, -0.046805, -0.029547, -0.024633, -0.045009, 0.142387, 0.124314,
    ],
    "Which painkiller can I take?": [
        0.027006, -0.043947, -0.039935, 0.039494, -0.002324, -0.044895, -0.015985, 0.053322,
    ],
    "Is it going to rain tomorrow?": [
        -0.017302, 0.005480, 0.104973, 0.035145, 0.031364, -0.032721, 0.045904, -0.074849,
    ],
    "Zażółć gęślą jaźń – użytkownik ma 42 lata.": [  # noqa: RUF001
        -0.073869, 0.185294, -0.075548, 0.053826, -0.111061, 0.017006, 0.055044, 0.062661,
    ],
    "a": [
        -0.036433, 0.034704, -0.045960, 0.034326, -0.080823, 0.032839, 0.116976, -0.023309,
    ],
    "User's mother has type 2 diabetes. " * 60: [  # cut at 256 tokens
        0.039759, 0.053786, 0.018200, -0.017722, -0.073492, 0.009766, 0.135818, 0.016241,
    ],
}
# fmt: on


def test_gives_the_vectors_of_the_original():
    vectors = minilm.encode(list(ORIGINAL))

    assert np.abs(vectors[:, :8] - np.array(list(ORIGINAL.values()))).max() < 5e-6
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert vectors[0] @ vectors[1] == pytest.approx(0.4139, abs=1e-4)
    assert vectors[0] @ vectors[2] == pytest.approx(-0.0386, abs=1e-4)


def test_a_text_has_the_same_vector_alone_and_among_others():
    rolls = random.Random(1)  # noqa: S311 -- to be repeatable
    texts = [
        " ".join(rolls.choices(["tea", "a", "cake", "run"], k=n)) for n in range(1, 60)
    ]

    together = minilm.encode(texts)

    alone = np.concatenate([minilm.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 5e-6


def test_a_question_is_near_its_exact_vector_and_as_far_from_others():
    texts = list(ORIGINAL)
    exact = minilm.encode(texts)

    asked = np.concatenate([minilm.encode_question(text) for text in texts])

    assert asked.shape == exact.shape
    assert np.allclose(np.linalg.norm(asked, axis=1), 1, atol=1e-6)
    assert (asked * exact).sum(axis=1).min() > 0.98
    assert np.abs(asked @ exact.T - exact @ exact.T).max() < 0.03
    assert (asked @ exact.T).argmax(axis=1).tolist() == list(range(len(texts)))


def test_many_threads_may_ask_first(monkeypatch):
    minilm._load.cache_clear()
    load = minilm_encoder.load
    loaded = []

    def counted(tensor, *, quick):
        loaded.append(quick)
        return load(tensor, quick=quick)

    monkeypatch.setattr(minilm_encoder, "load", counted)
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: minilm.encode(["tea"]), range(4)))

    assert all((one == vectors[0]).all() for one in vectors)
    assert sorted(loaded) == [False, True]


def test_other_weights_are_refused(monkeypatch):
    monkeypatch.setattr(minilm, "SHA256", hashlib.sha256(b"").hexdigest())
    minilm._load.cache_clear()

    with pytest.raises(NoEmbedder):
        minilm.encode(["tea"])
    assert embeddings.local().model.name == "all-MiniLM-L6-v2"


def test_without_the_wheel_there_is_no_embedder(monkeypatch):
    monkeypatch.setattr(minilm, "WHEEL", "gt-no-such-wheel")
    minilm._load.cache_clear()

    assert not minilm.installed()
    assert embeddings.current_model().name == "none"
    with pytest.raises(NoEmbedder):
        minilm.encode(["tea"])
    with pytest.raises(NoEmbedder):
        embeddings.current_embedder().embed_query("tea")


def test_the_multiplication_keeps_to_one_thread():
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
