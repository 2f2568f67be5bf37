"""Vectors of rows and messages: missing, stale, wide, and of another model."""

import numpy as np
import pytest

from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.models import Memory
from memory.recall.rankings.chat import CHAT
from memory.recall.recall import prepare_query, recall
from memory.recall.shelves import MEMORIES
from memory.recall.signals import STALE_LIMIT, measure, remeasure
from memory.values import Candidate
from tests.factories import MemoryFactory
from tests.memory.embedders import WIDE, WordEmbedder
from tests.memory.recall.found import FACT, texts

pytestmark = pytest.mark.django_db


def test_an_overview_needs_no_embedder(tell, ask, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("out of order")
    assert texts(ask("What do you know about me?")) == [FACT]


@pytest.mark.req("S0-53", "B-07")
def test_a_message_that_cannot_be_embedded_finds_nothing(tell, ask, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("out of order")
    found = ask(FACT)
    assert (found.items, found.degraded) == ((), True)


def test_without_any_embedder_words_find_it(tell, ask):
    tell(FACT, "User plays chess")
    found = ask("Is ibuprofen good for me?", embedder=embeddings.none())
    assert (texts(found), found.degraded) == ([FACT], True)
    assert found.stale_ids == ()
    (item,) = found.items
    assert (item.cosine, item.score) == (None, 1.0)


def test_a_stale_row_is_found_by_its_words_and_reported(tell, ask):
    (stale,) = tell(FACT)
    tell("User plays chess")
    Memory.objects.filter(pk=stale.memory_id).update(near=None, embedding_model="none")
    found = ask("Is ibuprofen good for me?")
    assert found.stale_ids == (stale.memory_id,)
    (item,) = found.items
    assert (item.text, item.cosine, item.score) == (FACT, None, 1.0)
    assert ask("chess").items[0].text == "User plays chess"


@pytest.mark.parametrize("model", ["another", None])
def test_rows_below_the_gate_do_not_crowd_out_the_answer(
    ann, home, scope, embedder, model
):
    query = prepare_query("garden violin chess", embedder=embedder)
    for number in range(70):
        MemoryFactory(
            user=ann, space=home, content=f"garden gnome {number}", embedder=embedder
        )
    away = {"near": -query.vector[:512]}
    Memory.objects.update(**({"embedding_model": model} if model else away))
    answer = MemoryFactory(user=ann, space=home, content="Bees", embedder=embedder)
    Memory.objects.filter(pk=answer.pk).update(near=0.9 * query.vector[:512])
    assert recall(scope, query, ranking="chat").items[0].memory_id == answer.pk


@pytest.mark.req("S3-43")
def test_the_vector_of_a_fact_is_that_of_its_sentence_alone(tell, embedder):
    tell(Candidate(FACT, kind="profile", evidence="it made my face swell"))
    assert embedder.asked == [FACT]


@pytest.mark.req("S3-45")
def test_at_most_eight_stale_rows_are_reported(tell, ask):
    tell(*(f"User's note number {n}" for n in range(STALE_LIMIT + 3)))
    Memory.objects.update(embedding_model="another")
    assert len(set(ask("anything").stale_ids)) == STALE_LIMIT


def test_stale_rows_of_others_are_not_reported(tell, ask, others):
    tell(FACT, scope=others[0])
    Memory.objects.update(embedding_model="another")
    assert ask("anything").stale_ids == ()


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_wide_vectors_are_compared_in_full(scope, tell, ask, ranking):
    wide = WordEmbedder(WIDE)
    for text in (FACT, "User plays chess"):
        from_memory = tell  # the words' model is another than the wide one
        from_memory(text)
    for memory in Memory.objects.all():
        memory.vector = wide.embed([memory.content])[0]
        memory.embedding_model = WIDE.name
        memory.save()
    asked = "Is ibuprofen what I am allergic to?"
    (item,) = ask(asked, embedder=wide, ranking=ranking).items
    query = wide.embed_query("Is ibuprofen what I am allergic to?")
    assert item.text == FACT
    assert item.cosine == pytest.approx(float(query @ wide.embed([FACT])[0]), abs=1e-5)


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_wide_vectors_of_many_rows_are_compared_again_in_full(
    scope, tell, ask, monkeypatch, ranking
):
    monkeypatch.setattr("memory.recall.sql.FULL_SCAN", 1)
    test_wide_vectors_are_compared_in_full(scope, tell, ask, ranking)


def test_a_row_reembedded_meanwhile_keeps_its_cosine(ann, home, scope):
    wide = WordEmbedder(WIDE)
    row = MemoryFactory(user=ann, space=home, content=FACT, embedder=wide)
    query = prepare_query("ibuprofen", embedder=wide)
    signals = measure(scope, query, MEMORIES, CHAT.columns)
    Memory.objects.filter(pk=row.pk).update(embedding_model="another")
    again = remeasure(scope, query, MEMORIES, signals, np.arange(1))
    assert again.cosines.tolist() == signals.cosines.tolist()


def test_rows_with_old_vectors_do_not_crowd_out_the_nearest(
    ann, home, scope, monkeypatch
):
    """While many rows wait for vectors of a new and wide model."""
    monkeypatch.setattr("memory.recall.sql.FULL_SCAN", 1)
    monkeypatch.setattr("memory.recall.rankings.ranking.REMEASURED", 5)
    new, old = WordEmbedder(WIDE), WordEmbedder()
    query = prepare_query("garden chess and the tea", embedder=new)
    for number in range(12):
        text = f"Garden chess tea {number}"
        MemoryFactory(user=ann, space=home, content=text, embedder=old)
    near = MemoryFactory(
        user=ann, space=home, content="Provenance otherwise", embedder=new
    )
    near.vector = query.vector
    near.save()
    signals = measure(scope, query, MEMORIES, CHAT.columns)
    assert near.pk in {signals.key(row) for row in CHAT.candidates(signals)}


def test_fused_works_with_words_alone_when_the_message_cannot_be_embedded(
    tell, ask, embedder
):
    tell(FACT, "User fears needles")
    embedder.failure = ProviderDown("out of order")
    found = ask("needles", ranking="fused")
    assert (texts(found), found.degraded) == (["User fears needles"], True)


def test_only_a_wide_vector_is_stored_beside_its_short_copy(ann, home):
    fact = {"user": ann, "space": home}
    MemoryFactory(content="User plays chess", **fact)
    MemoryFactory(content=FACT, embedder=WordEmbedder(WIDE), **fact)
    wide = Memory.objects.exclude(embedding=None)
    assert [memory.content for memory in wide] == [FACT]
    assert Memory.objects.filter(near=None).count() == 0


def test_row_without_the_end_of_a_wide_vector_is_compared_as_zeros(ann, home, scope):
    wide = WordEmbedder(WIDE)
    row = MemoryFactory(user=ann, space=home, content=FACT, embedder=wide)
    Memory.objects.filter(pk=row.pk).update(embedding=None)
    query = prepare_query("ibuprofen", embedder=wide)
    row.refresh_from_db()
    cosine = row.vector @ query.vector / np.linalg.norm(row.vector)
    signals = measure(scope, query, MEMORIES, CHAT.columns)
    assert signals.cosines.tolist() == pytest.approx([cosine], abs=1e-3)
