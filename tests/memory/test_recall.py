# ruff: noqa: RUF001 - Russian letters are meant
"""What comes back, for whom, and what does not."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.capture.remember import remember
from memory.models import Memory, MemoryPolicy
from memory.recall.asking import rarest
from memory.recall.profiles import CHAT
from memory.recall.query import TERM_LIMIT
from memory.recall.recall import OVERVIEW_LIMIT, prepare_query, recall
from memory.recall.search import DATE_SHARE, search
from memory.recall.shelves import MEMORIES
from memory.recall.signals import STALE, measure, measured_again
from memory.recall.sql import BARE
from memory.values import Candidate, Recall
from people.scope import scope_for
from tests.factories import MemoryFactory
from tests.memory.conftest import said
from tests.memory.embedders import WIDE, WordEmbedder

pytestmark = pytest.mark.django_db
FACT = "User is allergic to ibuprofen"


@pytest.fixture
def ask(scope, embedder):
    def ask(text, scope=scope, embedder=embedder, **how):
        return recall(scope, prepare_query(text, embedder=embedder), **how)

    return ask


def texts(found):
    return [item.text for item in found.items]


@pytest.mark.req("S0-01", "S0-04", "S0-19", "S0-57", "S0-58")
def test_what_was_told_is_found_by_the_very_next_message(tell, ask):
    (stored,) = tell(FACT)
    (item,) = ask("Is ibuprofen fine for me?").items
    assert (item.memory_id, item.text) == (stored.memory_id, FACT)
    assert item.cosine is not None
    assert 0 < item.keyword <= 1
    assert item.stated_at == Memory.objects.get().stated_at


@pytest.mark.req("S0-08", "S0-09", "S0-10", "S0-52")
def test_nobody_else_finds_it(tell, ask, others):
    tell(FACT)
    for other in others:
        assert ask(FACT, scope=other) == Recall()
        assert ask("What do you know about me?", scope=other).items == ()


@pytest.mark.req("B-19")
def test_a_memory_without_its_link_is_not_found(tell, ask):
    tell(FACT, "User plays chess")
    Memory.objects.get(content=FACT).links.all().delete()
    assert FACT not in texts(ask(FACT))
    assert texts(ask("What do you know about me?")) == ["User plays chess"]


def test_a_link_of_another_space_is_not_enough(tell, ask, ann, office):
    tell(FACT)
    Memory.objects.get().links.update(space=office)
    assert texts(ask(FACT)) == []
    elsewhere = scope_for(ann, office.pk, channel="web")
    assert texts(ask(FACT, scope=elsewhere)) == []


@pytest.mark.req("S0-39")
def test_a_retired_memory_is_not_found(tell, ask):
    tell(FACT)
    Memory.objects.update(
        active=False, retired_reason="archived", retired_at=timezone.now()
    )
    assert texts(ask(FACT)) == []


@pytest.mark.req("S0-23")
def test_at_most_six_are_found_the_best_first(tell, ask):
    tell(*(f"User has allergy number {n}" for n in range(9)))
    found = ask("Which allergy do I have, number 3?")
    assert len(found.items) == 6
    assert found.items[0].text == "User has allergy number 3"
    scores = [item.score for item in found.items]
    assert scores == sorted(scores, reverse=True)
    assert len(ask("Which allergy do I have?", limit=2).items) == 2


@pytest.mark.parametrize("text", ["hello", "thanks!", "How are you?", "", "   ", "???"])
def test_small_talk_brings_nothing(tell, ask, text):
    tell(FACT, "User plays chess")
    assert ask(text).items == ()


@pytest.mark.req("B-05")
def test_one_word_of_a_sentence_is_enough_for_the_keyword_signal(tell, ask):
    tell(FACT)
    text = "Tell me, would ibuprofenu be good for me?"
    for profile in ("chat", "chat_literal"):
        found = ask(text, profile=profile, embedder=embeddings.none())
        assert texts(found) == [FACT]


@pytest.mark.req("S0-21")
def test_to_the_letter_the_keyword_signal_is_ts_rank_over_the_best(tell, ask):
    tell("User likes tea", "User likes tea and green tea and black tea")
    found = ask("tea likes", profile="chat_literal")
    ranks = {item.text: item.keyword for item in found.items}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT content, ts_rank(content_tsv, '''tea'' | ''teas'' | ''like'':*')"
            " FROM memories"
        )
        expected = dict(cursor.fetchall())
    assert ranks == pytest.approx(expected, rel=1e-5)
    best = max(expected.values())
    for item in found.items:
        assert item.score == pytest.approx(
            0.7 * item.cosine + 0.3 * item.keyword / best, rel=1e-5
        )


def test_rare_words_count_more_than_common_ones(tell, ask):
    tell(*(f"User walks the dog to place {n}" for n in range(5)), "User fears needles")
    found = ask("needles dog", embedder=embeddings.none())
    keyword = {item.text: item.keyword for item in found.items}
    assert keyword["User fears needles"] > keyword["User walks the dog to place 1"]


def test_a_month_in_the_message_finds_what_was_said_then(tell, ask):
    june = datetime(2026, 6, 15, 12, tzinfo=UTC)
    tell("User plays chess", at=june)
    tell("User rides a horse", at=june - timedelta(days=40))
    tell("User paints", at=june - timedelta(days=365))

    def found(text):
        return texts(ask(text, embedder=embeddings.none()))

    assert found("Anything from June 2026?")[0] == "User plays chess"
    assert set(found("Anything in June?")) == {"User plays chess", "User paints"}
    assert found("And on 15 June 2026?")[0] == "User plays chess"
    assert found("What was there in 2025?") == ["User paints"]
    assert found("What was on day 15?") == []


def test_naming_a_month_counts_more_than_having_been_said_in_it(tell, ask):
    tell("User plays chess", at=datetime(2026, 6, 15, tzinfo=UTC))
    tell("User's birthday is in June", at=datetime(2026, 3, 1, tzinfo=UTC))
    found = ask("What about June?", embedder=embeddings.none())
    assert [(i.text, i.keyword) for i in found.items] == [
        ("User's birthday is in June", 1.0),
        ("User plays chess", DATE_SHARE),
    ]


@pytest.mark.parametrize(
    "text", ["What do you know about me?", "Co o mnie wiesz?", "Что ты знаешь обо мне?"]
)
def test_an_overview_brings_the_newest_twenty(tell, ask, text):
    now = timezone.now()
    for n in range(OVERVIEW_LIMIT + 2):
        tell(f"User's note number {n}", at=now - timedelta(days=n))
    found = ask(text)
    assert found.overview
    assert texts(found) == [f"User's note number {n}" for n in range(OVERVIEW_LIMIT)]


def test_an_overview_needs_no_embedder(tell, ask, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("nobody there")
    assert texts(ask("What do you know about me?")) == [FACT]


@pytest.mark.req("S0-53", "B-07")
def test_when_the_message_cannot_be_embedded_there_is_nothing(tell, ask, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("nobody there")
    found = ask(FACT)
    assert (found.items, found.degraded) == ((), True)


def test_without_any_embedder_words_find_it(tell, ask):
    tell(FACT, "User plays chess")
    found = ask("Is ibuprofen good for me?", embedder=embeddings.none())
    assert (texts(found), found.degraded) == ([FACT], True)
    assert found.stale_ids == ()
    (item,) = found.items
    assert (item.cosine, item.score) == (None, 1.0)


def test_a_stale_row_is_found_by_its_words_and_named(tell, ask):
    (stale,) = tell(FACT)
    tell("User plays chess")
    Memory.objects.filter(pk=stale.memory_id).update(
        embedding=np.zeros(1536), embedding_model="none"
    )
    found = ask("Is ibuprofen good for me?")
    assert found.stale_ids == (stale.memory_id,)
    (item,) = found.items
    assert (item.text, item.cosine, item.score) == (FACT, None, 1.0)
    assert ask("chess").items[0].text == "User plays chess"


@pytest.mark.parametrize("model", ["another", None])
def test_rows_that_are_refused_do_not_crowd_out_the_answer(
    ann, home, scope, embedder, model
):
    query = prepare_query("garden violin chess", embedder=embedder)
    for number in range(70):
        MemoryFactory(
            user=ann, space=home, content=f"garden gnome {number}", embedder=embedder
        )
    away = {"embedding": -query.vector}
    Memory.objects.update(**({"embedding_model": model} if model else away))
    answer = MemoryFactory(user=ann, space=home, content="Bees", embedder=embedder)
    Memory.objects.filter(pk=answer.pk).update(embedding=0.9 * query.vector)
    assert recall(scope, query, profile="chat").items[0].memory_id == answer.pk


@pytest.mark.req("S3-45")
def test_at_most_eight_stale_rows_are_named(tell, ask):
    tell(*(f"User's note number {n}" for n in range(STALE + 3)))
    Memory.objects.update(embedding_model="another")
    assert len(set(ask("anything").stale_ids)) == STALE


def test_stale_rows_of_others_are_not_named(tell, ask, others):
    tell(FACT, scope=others[0])
    Memory.objects.update(embedding_model="another")
    assert ask("anything").stale_ids == ()


def test_the_space_chooses_the_profile(tell, ask, home):
    tell(FACT)
    text = "Someone asked something about ibuprofen"
    assert texts(ask(text, profile="chat")) != texts(ask(text, profile="chat_literal"))
    MemoryPolicy.objects.create(space=home, recall_profile="chat_literal")
    assert texts(ask(text)) == texts(ask(text, profile="chat_literal"))


def test_a_message_of_very_many_words_goes_by_the_rarest(tell, ask, scope):
    common = " ".join(f"common{n}" for n in range(15))
    tell(*(f"User said {common} in talk {n}" for n in range(3)), "User fears needles")
    query = prepare_query(f"{common} needles dogs", embedder=embeddings.none())
    assert len(query.terms) == 17
    kept = [term.word for term in rarest(scope, query.terms, MEMORIES)]
    assert len(kept) == TERM_LIMIT
    assert kept[-2:] == ["needles", "dogs"]
    assert ask(query.text).items


@pytest.mark.parametrize(
    "text",
    [
        "'); DROP TABLE memories; --",
        "a:* & b | !c",
        "\\'",
        "%s %(user)s {}",
        "\x00",
        "-1'",
    ],
)
def test_any_message_can_be_asked(tell, ask, text):
    tell(FACT)
    ask(text)
    ask(text, profile="chat_literal")
    assert texts(ask("ibuprofen")) == [FACT]


@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_wide_vectors_are_compared_in_full(scope, tell, ask, profile):
    wide = WordEmbedder(WIDE)
    for text in (FACT, "User plays chess"):
        from_memory = tell  # the words' model is another than the wide one
        from_memory(text)
    for memory in Memory.objects.all():
        memory.embedding = wide.embed([memory.content])[0]
        memory.embedding_model = WIDE.name
        memory.save()
    asked = "Is ibuprofen what I am allergic to?"
    (item,) = ask(asked, embedder=wide, profile=profile).items
    query = wide.embed_query("Is ibuprofen what I am allergic to?")
    assert item.text == FACT
    assert item.cosine == pytest.approx(float(query @ wide.embed([FACT])[0]), abs=1e-5)


@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_wide_vectors_of_a_large_scope_are_measured_again_in_full(
    scope, tell, ask, monkeypatch, profile
):
    monkeypatch.setattr("memory.recall.asking.FULL_SCAN", 1)
    test_wide_vectors_are_compared_in_full(scope, tell, ask, profile)


def test_a_row_that_meanwhile_has_a_vector_of_another_model_keeps_its_cosine(
    ann, home, scope
):
    wide = WordEmbedder(WIDE)
    row = MemoryFactory(user=ann, space=home, content=FACT, embedder=wide)
    query = prepare_query("ibuprofen", embedder=wide)
    found = measure(scope, query, query.terms, MEMORIES, BARE)
    Memory.objects.filter(pk=row.pk).update(embedding_model="another")
    again = measured_again(scope, query, MEMORIES, found, np.arange(1))
    assert again.tolist() == found.cosines.tolist()


def test_rows_with_old_vectors_do_not_crowd_out_the_nearest(
    ann, home, scope, monkeypatch
):
    """While many rows wait for vectors of a new and wide model."""
    monkeypatch.setattr("memory.recall.asking.FULL_SCAN", 1)
    monkeypatch.setattr("memory.recall.search.REMEASURED", 5)
    new, old = WordEmbedder(WIDE), WordEmbedder()
    query = prepare_query("garden chess and the tea", embedder=new)
    for number in range(12):
        text = f"Garden chess tea {number}"
        MemoryFactory(user=ann, space=home, content=text, embedder=old)
    near = MemoryFactory(
        user=ann, space=home, content="Provenance otherwise", embedder=new
    )
    Memory.objects.filter(pk=near.pk).update(embedding=query.vector)
    found = search(scope, query, MEMORIES, CHAT)
    assert near.pk in {found.measured.key(row) for row in found.rows}


def test_a_string_can_be_asked_and_the_settings_embedder_answers(scope):
    assert recall(scope, "Which painkiller?") == Recall()


def test_recall_takes_three_queries(tell, ask, django_assert_num_queries):
    """How facts are ranked here, the search, which asks whether the scope is large, and
    the texts of what it found; where it found nothing there is none to read."""
    tell(FACT)
    with django_assert_num_queries(3):
        assert ask("Is ibuprofen good for me?").items
    with django_assert_num_queries(2):
        assert not ask("Which train goes to Gdynia?").items


def test_every_statement_names_user_and_space(tell, ask, scope):
    tell(FACT)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        ask("Is ibuprofen good for me?", profile="chat")
        ask("What do you know about me?", profile="chat")
        ask(" ".join(f"word{n}" for n in range(20)), profile="chat")
    for query in captured.captured_queries:
        sql = query["sql"].replace("-", "")
        assert scope.user_id.hex in sql
        assert scope.space_id.hex in sql


def test_no_statement_orders_the_table_by_distance(tell, ask):
    """An index on vectors would be chosen for that, and lose rows to its filter."""
    tell(FACT)
    with CaptureQueriesContext(connection) as captured:
        ask("Is ibuprofen good for me?", profile="chat")
    searches = [q["sql"] for q in captured.captured_queries if "<=>" in q["sql"]]
    assert searches
    assert not [sql for sql in searches if "ORDER BY" in sql or "LIMIT" in sql]


def test_painkiller_with_the_real_local_model(scope):
    """The case of the issue, in a store of two facts, and small talk in the same."""
    facts = [FACT, "User's mother has type 2 diabetes"]
    remember(scope, [Candidate(fact) for fact in facts], said())
    found = recall(scope, "What should you know before you recommend a painkiller?")
    assert texts(found) == [FACT]
    for text in ("hello", "thanks", "How are you?", "What's the weather like today?"):
        assert recall(scope, text).items == ()
    overview = recall(scope, "What do you know about me?")
    assert set(texts(overview)) == set(facts)


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("User is allergic to nuts/eggs/milk", "Can I eat eggs?"),
        ("User's blood pressure was 120/80", "When was it 120/80?"),
        ("User takes 2.5 mg of warfarin", "Who takes 2.5?"),
        ("User reads wyborcza.pl/zdrowie", "Who reads wyborcza?"),
    ],
)
def test_words_joined_by_a_sign_are_found_each(tell, scope, fact, question):
    tell(fact)
    asked = prepare_query(question, embedder=embeddings.none())
    assert [item.text for item in recall(scope, asked).items] == [fact]
