"""In which order facts come: the last reply's, the newer ones, the newest."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from meddie.ai import embeddings
from memory.models import Memory, MemoryPolicy
from memory.recall.rankings.chat import CHAT
from memory.recall.recall import newest, prepare_query, recall
from tests.factories import MemoryFactory
from tests.memory.recall.found import FACT, texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask_on(scope, embedder):
    """Ask after a reply that used memories."""

    def ask_on(text, carried, scope=scope, **how):
        query = prepare_query(text, embedder=embedder)
        return recall(scope, replace(query, carried=frozenset(carried)), **how)

    return ask_on


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_memories_of_the_last_reply_pass_the_gate(tell, ask_on, ranking):
    (stored, _) = tell(FACT, "User plays chess")
    assert texts(ask_on("Any news of tea?", [], ranking=ranking)) == []
    found = ask_on("Any news of tea?", [stored.memory_id], ranking=ranking)
    assert texts(found) == [FACT]


def test_ranking_to_the_letter_keeps_its_gate(tell, ask_on):
    (stored,) = tell(FACT)
    found = ask_on("Any news of tea?", [stored.memory_id], ranking="chat_literal")
    assert found.items == ()


def test_memories_of_the_last_reply_compete_by_score(tell, ask_on):
    (stored,) = tell(FACT)
    for n in range(6):
        tell(f"User drinks tea number {n}")
    found = texts(ask_on("Which tea do I drink?", [stored.memory_id]))
    assert len(found) == CHAT.limit
    assert FACT not in found


@pytest.mark.parametrize(
    "state", ["retracted", "unlinked", "another user's", "unknown"]
)
def test_memories_of_the_last_reply_that_are_not_visible_stay_away(
    tell, ask_on, others, state
):
    (stored, _) = tell(FACT, "User plays chess")
    memory = Memory.objects.filter(pk=stored.memory_id)
    if state == "retracted":
        now = timezone.now()
        memory.update(active=False, retired_reason="retracted", retired_at=now)
    if state == "unlinked":
        memory.get().links.all().delete()
    key = uuid4() if state == "unknown" else stored.memory_id
    scopes = others if state == "another user's" else [None]
    for other in scopes:
        how = {"scope": other} if other else {}
        assert texts(ask_on("Any news of tea?", [key], **how)) == []


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_newer_of_two_statements_on_one_matter_comes_first(tell, ask, ranking):
    now = timezone.now()
    home = "User lives in an old house with green windows near a river"
    tell(f"{home} in Gdynia", at=now - timedelta(days=9))
    tell(f"{home} in Lublin", at=now)
    question = f"Is it true that {home} in Gdynia?"
    newest_first = texts(ask(question, ranking=ranking))
    assert "Lublin" in newest_first[0]
    assert "Gdynia" in texts(ask(question, ranking="chat_literal"))[0]


def test_newest_facts_come_in_the_order_of_their_statement(tell, scope):
    now = timezone.now()
    tell("User plays chess", at=now - timedelta(days=2))
    tell(FACT, at=now - timedelta(days=1))
    tell("User has a dog", at=now - timedelta(days=3))
    assert [item.text for item in newest(scope, 2)] == [FACT, "User plays chess"]
    assert newest(scope, 0) == []


@pytest.mark.parametrize("limit", [1, 6])
def test_fused_puts_the_newer_of_two_statements_on_the_same_thing_first(
    ann, home, scope, limit
):
    local = embeddings.local()
    for number, colour in enumerate(("green", "blue")):
        MemoryFactory(
            user=ann,
            space=home,
            content=f"User's favourite colour is {colour}",
            embedder=local,
            stated_at=timezone.now() - timedelta(days=30 - number),
        )
    query = prepare_query("Which colour is my favourite?", embedder=local)
    found = recall(scope, query, ranking="fused", limit=limit)
    assert [text[-4:] for text in texts(found)] == ["blue", "reen"][:limit]


@pytest.mark.req("S1-51")
def test_facts_fade_where_the_space_wants_it_and_stay_known(tell, ask, home):
    old, new = "User likes green tea", "User likes green apples"
    year_ago = timezone.now() - timedelta(days=365)
    tell(old, at=year_ago)
    tell(new, at=timezone.now() - timedelta(days=300))
    assert texts(ask("green tea")) == [old, new]
    MemoryPolicy.objects.create(space=home, decay_half_life=30)
    assert texts(ask("green tea")) == [new, old]
    assert texts(ask("green tea", ranking="chat_literal"))[0] == old
    tell(old)
    assert texts(ask("green tea")) == [old, new]


@pytest.mark.req("S1-12", "S1-13", "S1-14")
def test_strict_semantic_finds_the_ten_nearest_and_no_shared_word(tell, ask):
    tell("User plays chess", *(f"Ann has pet number {n}" for n in range(12)))
    assert texts(ask("User plays chess", ranking="strict_semantic")) == [
        "User plays chess"
    ]
    near = ask("Ann has pet number", ranking="strict_semantic")
    assert len(near.items) == 10
    assert all(item.score == item.cosine > 0.8 for item in near.items)
    assert (
        texts(ask("chess or a long walk by the sea", ranking="strict_semantic")) == []
    )
