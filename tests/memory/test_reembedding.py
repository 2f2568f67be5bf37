"""After a change of the embedding model every fact is embedded again and stays findable."""

from dataclasses import dataclass

import numpy as np
import pytest
from django.utils import timezone

from meddie.ai import embeddings
from meddie.ai.embeddings import EmbeddingModel
from meddie.ai.errors import Garbled, ProviderDown
from memory import reembedding, service, tasks
from memory.facts.retraction import owner_scope
from memory.models import Memory
from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall.recall import prepare_query, recall
from memory.values import Candidate
from tests.memory.conftest import remember, said
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db
OTHER = EmbeddingModel("other words", NEAR_DIMENSIONS)


def models():
    return set(Memory.objects.values_list("embedding_model", flat=True))


@pytest.mark.req("S3-09")
def test_stale_rows_get_a_vector_of_the_model_in_use(tell):
    tell("User is vegan", "User plays chess")
    before = dict(Memory.objects.values_list("pk", "updated_at"))
    other = WordEmbedder(OTHER)
    assert reembedding.reembed_all(embedder=other) == 2
    for memory in Memory.objects.all():
        assert memory.embedding_model == OTHER.name
        expected = other.embed([memory.content])[0]
        assert np.allclose(memory.vector, expected, atol=1e-4)
        assert memory.updated_at == before[memory.pk]
    assert reembedding.reembed_all(embedder=other) == 0


def test_stale_rows_are_embedded_in_batches(tell, monkeypatch):
    monkeypatch.setattr(reembedding, "BATCH", 2)
    tell(*(f"User's note number {n}" for n in range(5)))
    other = WordEmbedder(OTHER)
    assert reembedding.reembed_rows(Memory.to_embed(), embedder=other) == 2
    assert reembedding.reembed_all(embedder=other) == 3


def test_only_the_named_rows_are_embedded(tell):
    (one, _) = tell("User is vegan", "User plays chess")
    assert (
        reembedding.reembed_rows(
            Memory.to_embed().filter(pk=one.memory_id), embedder=WordEmbedder(OTHER)
        )
        == 1
    )
    assert models() == {"words", OTHER.name}


def test_a_failing_model_changes_nothing(tell):
    tell("User is vegan")
    failing = WordEmbedder(OTHER, failure=ProviderDown("out"))
    assert reembedding.reembed_all(embedder=failing) == 0
    assert models() == {"words"}


@dataclass
class Picky(WordEmbedder):
    """Returns garbage for one text and for every batch that has it."""

    def embed(self, texts):
        if "User is vegan" in texts:
            raise Garbled("a vector of zeros")
        return super().embed(texts)


def test_a_garbled_vector_does_not_stop_other_rows(tell):
    tell("User is vegan", "User plays chess", "User sings")
    assert reembedding.reembed_all(embedder=Picky(OTHER)) == 2
    stale = Memory.objects.exclude(embedding_model=OTHER.name)
    assert [memory.content for memory in stale] == ["User is vegan"]


def test_without_any_model_nothing_is_embedded(tell):
    tell("User is vegan")
    assert reembedding.reembed_all(embedder=embeddings.none()) == 0
    assert models() == {"words"}


@pytest.mark.usefixtures("resolver")
def test_tombstones_with_a_text_are_embedded_and_blank_or_superseded_rows_are_not(tell):
    tell("User is vegan", "User plays chess", "User weighs 80 kg")
    tell("User weighs 82 kg")
    run_due()
    memory = Memory.objects.get(content="User is vegan")
    service.erase(owner_scope(memory), [memory.pk])
    Memory.objects.filter(content="User plays chess").update(
        active=False, retired_reason="retracted", retired_at=timezone.now()
    )
    assert reembedding.reembed_all(embedder=WordEmbedder(OTHER)) == 2
    embedded = Memory.objects.filter(embedding_model=OTHER.name)
    texts = set(embedded.values_list("content", flat=True))
    assert texts == {"User plays chess", "User weighs 82 kg"}


@pytest.mark.req("S3-45")
def test_the_first_provider_key_after_playing_offline_keeps_every_fact(
    scope, request, settings
):
    facts = ["User is allergic to ibuprofen", "User's mother has type 2 diabetes"]
    remember(scope, [Candidate(fact) for fact in facts], said())
    assert models() == {embeddings.local().model.name}
    request.getfixturevalue("openai_server")
    found = recall(scope, prepare_query("Is ibuprofen good for me?"))
    assert [item.text for item in found.items] == facts[:1]
    assert len(found.stale_ids) == 2
    assert tasks.embed("memory.Memory", [str(key) for key in found.stale_ids]) == 2
    assert models() == {"text-embedding-3-small"}
    found = recall(scope, prepare_query("Is ibuprofen good for me?"))
    assert [item.text for item in found.items] == facts[:1]
    assert found.items[0].cosine is not None
    assert tasks.embed() == 0


def test_after_an_upgrade_facts_are_found_by_words_and_then_by_meaning(scope):
    former = WordEmbedder(EmbeddingModel("all-MiniLM-L6-v2", 384))
    fact = Candidate("User is allergic to ibuprofen")
    remember(scope, [fact], said(), embedder=former)
    by_words, by_meaning = map(
        prepare_query, ("Is ibuprofen good for me?", "Which painkiller can I take?")
    )
    (found,) = recall(scope, by_words).items
    assert found.cosine is None
    assert recall(scope, by_meaning).items == ()
    assert tasks.embed() == 1
    assert models() == {embeddings.local().model.name}
    for query in (by_words, by_meaning):
        (found,) = recall(scope, query).items
        assert found.cosine == pytest.approx(
            float(query.vector @ embeddings.local().embed([found.text])[0]), abs=1e-3
        )


def test_facts_kept_without_any_model_are_embedded_when_there_is_one(scope, embedder):
    remember(scope, [Candidate("User is vegan")], said(), embedder=embeddings.none())
    assert reembedding.reembed_all(embedder=embedder) == 1
    assert models() == {"words"}
