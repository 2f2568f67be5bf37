"""Profile `fused` in the database: what it finds, beside whom, and in which order."""

import math
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meddie.ai import embeddings
from memory.evaluation.locomo import Unit
from memory.evaluation.scratch import prepare_filling, scratch
from memory.models import Memory
from memory.recall import fusion, signals
from memory.recall.profiles import FUSED
from memory.recall.recall import prepare_query, rank_shelf, recall
from memory.recall.shelves import MEMORIES
from memory.recall.silence import Background
from memory.recall.thresholds import thresholds
from tests.factories import MemoryFactory
from tests.memory import locomo
from tests.memory.embedders import WIDE, WORDS, WordEmbedder
from tests.memory.rounding import fewest_and_most, stand_in_for
from tests.memory.test_reference import WORDS_USED, coverage

pytestmark = pytest.mark.django_db
START = datetime(2026, 1, 1, tzinfo=UTC)
sentence = st.lists(st.sampled_from(WORDS_USED), min_size=1, max_size=6).map(" ".join)


def test_a_text_is_read_only_by_whose_it_is(ann, bob, home, office, scope):
    mine = MemoryFactory(user=ann, space=home)
    others = [
        MemoryFactory(user=bob, space=home),
        MemoryFactory(user=ann, space=office),
        MemoryFactory(user=ann, space=home, linked=False),
        MemoryFactory(
            user=ann,
            space=home,
            active=False,
            retired_reason="archived",
            retired_at=START,
        ),
    ]
    named = [row.pk for row in (*others, mine)]
    for alike in (None, 0.8):
        found = signals.read(scope, MEMORIES, named, alike=alike)
        assert found == {mine.pk: (mine.content, [])}


def turn(number, text, speaker="user", session=1):
    at = START + timedelta(days=session, minutes=number)
    return Unit(text, frozenset({str(number)}), at, speaker, session, number)


def answers(turns, asked, *, names=(), embedder=None, limit=3):
    """The numbers of the turns that are found, best first."""
    embedder = embedder or embeddings.none()
    filling = prepare_filling(turns, "turn", embedder, lambda count: None)
    query = prepare_query(asked, embedder=embedder, names=names)
    with scratch(filling) as store:
        items, _ = rank_shelf(store.scope, query, store.shelf, FUSED, gated=False)
        return [int(next(iter(store.covers[i.memory_id]))) for i in items][:limit]


def test_the_answer_to_a_question_is_found_by_the_questions_words():
    talk = [
        turn(1, "Where did you buy the violin?", "assistant"),
        turn(2, "In a small shop behind the station in Lublin, years ago"),
        turn(7, "The weather was lovely all week and we walked a lot"),
    ]
    assert set(answers(talk, "violin", limit=2)) == {1, 2}


def test_whom_the_question_names_is_heard_first():
    talk = [
        turn(1, "I adopted a grey parrot", "Ola"),
        turn(9, "I adopted a grey parrot", "Ewa"),
    ]
    names = {"Ola", "Ewa"}
    assert answers(talk, "What did Ewa adopt?", names=names)[0] == 9
    assert answers(talk, "What did Ola's parrot eat?", names=names)[0] == 1


def test_a_short_statement_comes_before_an_endless_answer():
    endless = " ".join(f"advice{n}" for n in range(900))
    talk = [
        turn(1, f"About dinner, salmon, rice and garlic: {endless}", "assistant"),
        turn(9, "I cook salmon with rice for dinner on Fridays", session=2),
        turn(20, "Thanks", session=3),
    ]
    assert (
        answers(talk, "When do I have salmon with rice and garlic for dinner?")[0] == 9
    )


@pytest.mark.parametrize("limit", [1, 6])
def test_of_two_statements_on_the_same_thing_the_newer_comes_first(
    ann, home, scope, limit
):
    local = embeddings.local()
    for number, colour in enumerate(("green", "blue")):
        MemoryFactory(
            user=ann,
            space=home,
            content=f"User's favourite colour is {colour}",
            embedder=local,
            stated_at=START + timedelta(days=30 * number),
        )
    query = prepare_query("Which colour is my favourite?", embedder=local)
    found = recall(scope, query, profile="fused", limit=limit).items
    assert [item.text[-4:] for item in found] == ["blue", "reen"][:limit]


def test_without_an_embedding_it_goes_on_by_words(tell, scope):
    tell("User is allergic to ibuprofen", "User fears needles")
    query = replace(prepare_query("needles", embedder=embeddings.none()), failed=True)
    assert recall(scope, query, profile="chat").items == ()
    found = recall(scope, query, profile="fused")
    assert [item.text for item in found.items] == ["User fears needles"]
    assert found.degraded


def test_an_empty_store_gives_nothing(scope):
    assert recall(scope, prepare_query("needles"), profile="fused").items == ()


def reference(query, keys):
    """Ids and scores, from rows read by their keys and without the search, and the
    fewest and the most of them that may come."""
    rows = [Memory.objects.get(pk=key) for key in keys]
    held = held_words(query, [row.content for row in rows])
    weights = [
        math.log(1 + len(rows) / (1 + sum(1 for words in held if words >> bit & 1)))
        for bit in range(len(query.terms))
    ]
    sizes = [len(set(row.content.split())) for row in rows]
    typical = math.exp(sum(map(math.log, sizes)) / len(sizes))
    judged = [
        fusion.Row(
            number,
            float(row.embedding @ query.vector),
            words,
            size,
            spoken=False,
            stated_at=int(row.stated_at.timestamp()),
            session=row.stated_at.date(),
        )
        for number, (row, words, size) in enumerate(zip(rows, held, sizes, strict=True))
    ]
    scale = fusion.Scale(tuple(weights), typical)
    limits = thresholds(query.model)
    ranked = fusion.scored(judged, [], scale)
    cosines = sum(row.cosine for row in judged)
    background = Background(len(rows), cosines, unheard=False)
    signals = [(s.row.cosine, s.alone) for s in ranked]
    scores = {keys[s.row.id]: s.score for s in ranked if fusion.relevant(s, limits)}
    return scores, fewest_and_most(signals, background, limits)


def held_words(query, texts):
    """For each text: which of the query's words it holds, as bits."""
    masks = [0] * len(texts)
    for bit, term in enumerate(query.terms):
        for number, share in enumerate(coverage(replace(query, terms=(term,)), texts)):
            masks[number] |= int(share > 0) << bit
    return masks


@pytest.mark.parametrize("model", [WORDS, WIDE], ids=lambda model: model.name)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    mine=st.lists(sentence, min_size=1, max_size=18, unique=True),
    asked=sentence,
)
def test_it_equals_the_reference(  # noqa: PLR0917 - fixtures
    ann, bob, home, office, scope, model, mine, asked
):
    Memory.objects.all().delete()
    embedder = WordEmbedder(model)
    keys = [
        MemoryFactory(
            user=ann,
            space=home,
            content=text,
            embedder=embedder,
            stated_at=START + timedelta(hours=7 * number),
        ).pk
        for number, text in enumerate(mine)
    ]
    MemoryFactory(user=bob, space=home, content=asked, embedder=embedder)
    MemoryFactory(user=ann, space=office, content=asked, embedder=embedder)
    query = prepare_query(asked, embedder=embedder)
    found = recall(scope, query, profile="fused", limit=20).items
    expected, many = reference(query, keys)
    assert stand_in_for(len(found), len(expected), many)
    assert {item.memory_id for item in found} <= set(expected)
    for item in found:
        assert math.isclose(item.score, expected[item.memory_id], abs_tol=2e-3)


def test_the_evaluation_takes_it(tmp_path, capsys):
    path = locomo.write(tmp_path)
    call_command("evaluate_recall", path, profile="fused", unit="turn", embedder="none")
    assert "recall@6" in capsys.readouterr().out


def test_ids_of_rows_with_old_vectors_are_reported(ann, home, scope):
    old = MemoryFactory(
        user=ann, space=home, content="User likes tea", embedder=WordEmbedder(WIDE)
    )
    query = prepare_query("tea", embedder=WordEmbedder(WORDS))
    found = recall(scope, query, profile="fused")
    assert found.stale_ids == (old.pk,)
    assert [item.cosine for item in found.items] == [None]
    assert uuid.UUID(str(found.items[0].memory_id)) == old.pk


@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_a_row_that_goes_before_it_is_read_is_left_out(ann, home, scope, profile):
    """It was measured a moment before."""
    gone, there = (
        MemoryFactory(user=ann, space=home, content=f"User plays chess {n}")
        for n in ("well", "badly")
    )
    query = prepare_query("chess", embedder=WordEmbedder())

    def search(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if "string_agg" in sql:
            gone.links.all().delete()
        return answer

    with connection.execute_wrapper(search):
        found = recall(scope, query, profile=profile).items
    assert [item.memory_id for item in found] == [there.pk]
