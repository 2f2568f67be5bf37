# ruff: noqa: RUF001 - Russian letters are meant
"""What recall returns, to whom, and what it does not return."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from meddie.ai import embeddings
from memory.models import Memory, MemoryPolicy
from memory.recall import sql
from memory.recall.asked import AskedAbout
from memory.recall.query import TERM_LIMIT, matching
from memory.recall.rankings.chat import DATE_SHARE
from memory.recall.recall import prepare_query, recall
from memory.recall.shelves import MEMORIES, OWN_PROFILE
from memory.recall.signals import measure
from memory.subjects import Subject
from memory.values import Candidate, Recall
from memory.visibility import scope_values
from people.scope import scope_for
from tests.factories import MemoryFactory
from tests.memory.conftest import remember, said
from tests.memory.recall.found import FACT, texts

pytestmark = pytest.mark.django_db


@pytest.mark.req("S0-01", "S0-04", "S0-19", "S0-57", "S0-58")
def test_a_stored_fact_is_found_by_the_next_message(tell, ask):
    (stored,) = tell(FACT)
    (item,) = ask("Is ibuprofen fine for me?").items
    assert (item.memory_id, item.text) == (stored.memory_id, FACT)
    assert item.cosine is not None
    assert 0 < item.keyword <= 1
    assert item.stated_at == Memory.objects.get().stated_at


@pytest.mark.req("S0-08", "S0-09", "S0-10", "S0-52")
def test_other_scopes_do_not_find_it(tell, ask, others):
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
def test_at_most_six_memories_come_back_best_first(tell, ask):
    tell(*(f"User has allergy number {n}" for n in range(9)))
    found = ask("Which allergy do I have, number 3?")
    assert len(found.items) == 6
    assert found.items[0].text == "User has allergy number 3"
    scores = [item.score for item in found.items]
    assert scores == sorted(scores, reverse=True)
    assert len(ask("Which allergy do I have?", limit=2).items) == 2


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00"])
def test_an_empty_message_brings_nothing(tell, ask, embedder, text):
    tell(FACT)
    embedder.asked.clear()
    assert ask(text) == Recall()
    assert embedder.asked == []


@pytest.mark.parametrize("question_first", [True, False])
def test_question_at_either_end_of_a_long_message_is_asked(embedder, question_first):
    question, rest = "Is ibuprofen fine for me? ", "It was a long day. " * 1050
    text = question + rest if question_first else rest + question
    assert len(text) > 19_900
    query = prepare_query(text, embedder=embedder)
    assert "ibuprofen" in [term.word for term in query.terms]
    assert question.strip() in embedder.asked[0]


@pytest.mark.req("B-40")
@pytest.mark.parametrize("text", ["yes", "Yes, please", "nope", "help", "hello"])
def test_short_messages_are_searched_like_any_other(tell, ask, embedder, text):
    tell(f"User answered {text}")
    embedder.asked.clear()
    assert texts(ask(text)) == [f"User answered {text}"]
    assert embedder.asked == [text]


@pytest.mark.req("B-05")
def test_one_word_of_a_sentence_is_enough_for_the_keyword_signal(tell, ask):
    tell(FACT)
    text = "Tell me, would ibuprofenu be good for me?"
    for ranking in ("chat", "chat_literal"):
        found = ask(text, ranking=ranking, embedder=embeddings.none())
        assert texts(found) == [FACT]


@pytest.mark.req("S0-21")
def test_the_literal_keyword_signal_is_ts_rank_over_the_best(tell, ask):
    tell("User likes tea", "User likes tea and green tea and black tea")
    found = ask("tea likes", ranking="chat_literal")
    ranks = {item.text: item.keyword for item in found.items}
    with connection.cursor() as cursor:
        words = " | ".join(map(matching, ("tea", "likes")))
        cursor.execute(
            "SELECT content, ts_rank(content_tsv, %s::tsquery) FROM memories", [words]
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


@time_machine.travel(datetime(2026, 11, 24, 12, tzinfo=UTC))
def test_a_month_in_the_message_finds_what_was_stated_then(tell, ask):
    june = datetime(2026, 6, 15, 12, tzinfo=UTC)
    tell("User plays chess", at=june)
    tell("User rides a horse", at=june - timedelta(days=40))
    tell("User paints", at=june - timedelta(days=365))

    def found(text):
        return texts(ask(text, embedder=embeddings.none()))

    assert found("Anything from June 2026?")[0] == "User plays chess"
    assert found("Anything in June?") == ["User plays chess"]
    assert found("What did I say last summer?") == ["User plays chess"]
    assert found("And on 15 June 2026?")[0] == "User plays chess"
    assert found("What was there in 2025?") == ["User paints"]
    assert found("What was on day 15?") == []


@time_machine.travel(datetime(2026, 11, 24, 12, tzinfo=UTC))
def test_naming_a_month_counts_more_than_being_stated_in_it(tell, ask):
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
def test_an_overview_brings_the_newest_and_counts_all(tell, ask, text):
    now = timezone.now()
    for n in range(30):
        tell(f"User's note number {n}", at=now - timedelta(days=n))
    found = ask(text)
    assert found.overview
    assert texts(found) == [f"User's note number {n}" for n in range(30)]
    assert found.total == 30
    assert (len(ask(text, limit=7).items), ask(text, limit=7).total) == (7, 30)


@pytest.mark.req("S3-42")
@pytest.mark.parametrize(("text", "embedded"), [("B6", 0), ("flu", 1), ("头疼", 1)])
def test_a_text_of_two_letters_is_searched_by_its_words(
    tell, ask, embedder, text, embedded
):
    tell("User takes vitamin B6")
    before = len(embedder.asked)
    found = ask(text)
    assert len(embedder.asked) == before + embedded
    assert bool(found.items) == (text == "B6")


def test_the_space_chooses_the_ranking(tell, ask, home):
    tell(FACT)
    text = "Someone asked something about ibuprofen"
    assert texts(ask(text, ranking="chat")) != texts(ask(text, ranking="chat_literal"))
    MemoryPolicy.objects.create(space=home, ranking="chat_literal")
    assert texts(ask(text)) == texts(ask(text, ranking="chat_literal"))


def test_a_long_message_is_searched_by_its_rarest_words(tell, ask, scope):
    common = " ".join(f"common{n}" for n in range(15))
    tell(
        *(f"User reads about {common} in book {n}" for n in range(3)),
        "User fears needles",
    )
    query = prepare_query(f"{common} needles dogs", embedder=embeddings.none())
    assert len(query.terms) == 17
    signals = measure(scope, query, MEMORIES, ())
    assert len(signals.weights) == TERM_LIMIT
    held = sorted(word.bit_count() for word in signals.words.tolist())
    assert held == [1, *[TERM_LIMIT - 2] * 3]
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
    ask(text, ranking="chat_literal")
    assert texts(ask("ibuprofen")) == [FACT]


@pytest.mark.parametrize("texts_of", [200, 0], ids=["few", "many"])
@pytest.mark.parametrize("ranking", ["chat", "fused", "ranked"])
def test_recall_is_one_statement_and_one_more_for_texts_of_many_rows(
    tell, ask, ranking, texts_of, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(sql, "FEW_ROWS", texts_of)
    tell(FACT)
    given = {"ranking": ranking, "policy": MemoryPolicy(lore=True), "listed": 9}
    with django_assert_num_queries(1 if texts_of else 2):
        found = ask("Is ibuprofen good for me?", shelves=[OWN_PROFILE], **given)
    assert texts(found) == [item.text for item in found.newest] == [FACT]


def test_painkiller_with_the_real_local_model(scope):
    facts = [FACT, "User's mother has type 2 diabetes"]
    remember(scope, [Candidate(fact) for fact in facts], said())

    def ask(question):
        return recall(scope, prepare_query(question))

    found = ask("What should you know before you recommend a painkiller?")
    assert FACT in texts(found)
    assert ask("Why is the sky blue?").items == ()
    overview = ask("What do you know about me?")
    assert set(texts(overview)) == set(facts)


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("User is allergic to nuts/eggs/milk", "Can I eat eggs?"),
        ("User's blood pressure was 120/80", "When was it 120/80?"),
        ("User takes 2.5 mg of warfarin", "Who takes 2.5?"),
        ("User reads wyborcza_zdrowie", "Who reads wyborcza?"),
    ],
)
def test_each_of_the_words_joined_by_a_sign_is_found(tell, scope, fact, question):
    tell(fact)
    asked = prepare_query(question, embedder=embeddings.none())
    assert [item.text for item in recall(scope, asked).items] == [fact]


def test_a_text_is_read_only_by_its_owner(ann, bob, home, office, scope):
    own = MemoryFactory(user=ann, space=home)
    retired = {"active": False, "retired_reason": "archived"}
    others = [
        MemoryFactory(user=bob, space=home),
        MemoryFactory(user=ann, space=office),
        MemoryFactory(user=ann, space=home, linked=False),
        MemoryFactory(user=ann, space=home, **retired, retired_at=timezone.now()),
    ]
    keys = [row.pk for row in (*others, own)]
    (found,) = sql.ask([sql.read_part(MEMORIES, 0, keys)], scope_values(scope))
    assert (found["ids"], found["content"]) == ([own.pk], [own.content])


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_a_row_that_is_deleted_before_it_is_read_is_left_out(
    ann, home, scope, embedder, ranking, monkeypatch
):
    monkeypatch.setattr(sql, "FEW_ROWS", 0)
    gone, there = (
        MemoryFactory(user=ann, space=home, content=f"User plays chess {n}")
        for n in ("well", "badly")
    )
    query = prepare_query("chess", embedder=embedder)

    def unlink(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        if "string_agg" in sql:
            gone.links.all().delete()
        return answer

    with connection.execute_wrapper(unlink):
        found = recall(scope, query, ranking=ranking).items
    assert [item.memory_id for item in found] == [there.pk]


@pytest.mark.parametrize(
    "question", ["Can I take amoxicillin?", "Welches Schmerzmittel darf ich nehmen?"]
)
def test_safety_facts_are_found_first_if_safety_is_asked_about(tell, ask, question):
    vital = ["I am allergic to penicillin", "I am pregnant"]
    tell(*vital, *(f"I have taken a photo of bridge {n}" for n in range(20)))
    found = ask(question, listed=40)
    assert sorted(item.text for item in found.items[:2]) == vital


def test_newer_safety_facts_about_others_crowd_out_none_about_whom_it_asks(
    scope, ann, home, embedder
):
    owner = {"user": ann, "space": home, "safety": True}
    vital = "Mother is allergic to penicillin"
    MemoryFactory(**owner, content=vital, subject="mother")
    for number in range(30):
        MemoryFactory(**owner, content=f"User is allergic to food {number}")
    question = "Can my mother take amoxicillin?"
    query = replace(
        prepare_query(question, embedder=embedder),
        asks_safety=True,
        asked=AskedAbout(question, Subject("mother")),
    )
    found = recall(scope, query, listed=40)
    assert found.items[0].text == found.safety[0].text == vital


def test_other_questions_do_not_bring_what_no_answer_may_overlook(tell, ask):
    tell("I am allergic to penicillin", "I live in Bergen")
    found = ask("In which town do I live?", listed=40)
    assert found.items[0].text == "I live in Bergen"
