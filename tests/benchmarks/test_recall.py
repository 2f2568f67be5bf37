"""Figures, rollback and output of the recall evaluation."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from benchmarks.evaluation import recall as run
from benchmarks.evaluation import scratch
from benchmarks.evaluation.first_person import fact, in_first_person, question
from benchmarks.evaluation.locomo import (
    InvalidData,
    dialogue_ids,
    foreign,
    load_samples,
    load_speakers,
)
from benchmarks.evaluation.measures import (
    Answered,
    Injected,
    by_category,
    injected,
    mean,
    percentile,
)
from benchmarks.management.commands.evaluate_recall import Command
from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.recall.rankings.chat import CHAT
from people.models import Space, User
from tests.benchmarks import locomo
from tests.corpus import each_of
from tests.memory.embedders import WordEmbedder


def rows():
    """Counts of all rows that an evaluation could leave."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('scratch_units') IS NOT NULL")
        (table,) = cursor.fetchone()
    models = (User, Space, Memory, MemoryEvent, CaptureJob)
    return [table, *(model.objects.count() for model in models)]


@pytest.fixture
def tiny(tmp_path):
    return locomo.write(tmp_path)


@each_of(
    ("value", "ids"),
    [
        ("D1:3", ["D1:3"]),
        (["D1:3", "D2:14"], ["D1:3", "D2:14"]),
        ("D8:6; D9:17", ["D8:6", "D9:17"]),
        ("D9:1 D4:4 D4:6", ["D9:1", "D4:4", "D4:6"]),
        ("D30:05", ["D30:5"]),
        ("D:11:26", []),
        ("D", []),
        ([], []),
        (None, []),
    ],
)
def test_every_well_formed_id_counts(value, ids):
    assert dialogue_ids(value) == ids


def test_questions_without_evidence_are_left_out(tiny):
    questions = load_samples(tiny, "turn")[0].questions
    assert [(q.category, sorted(q.evidence)) for q in questions] == [
        (4, ["D1:1"]),
        (1, ["D1:1", "D2:1"]),
        (2, ["D2:2"]),
        (5, ["D1:1"]),
    ]


def test_units_cover_the_turns_that_they_cite_or_span(tiny):
    turns = load_samples(tiny, "turn")[0].units
    assert [sorted(unit.covers) for unit in turns] == [
        ["D1:1"],
        ["D1:2"],
        ["D2:1"],
        ["D2:2"],
    ]
    assert turns[1].text == "I repaired my violin. [a photo of a violin]"
    assert [(u.speaker, u.session, u.place) for u in turns] == [
        ("Ola", 1, 0),
        ("Ewa", 1, 1),
        ("Ola", 2, 0),
        ("Ewa", 2, 1),
    ]
    assert turns[0].stated_at.isoformat() == "2023-05-08T13:56:00+00:00"
    facts = load_samples(tiny, "observation")[0].units
    assert (facts[1].text, facts[1].covers) == ("Ewa repaired her violin.", {"D1:2"})
    summaries = load_samples(tiny, "summary")[0].units
    assert [sorted(unit.covers) for unit in summaries] == [
        ["D1:1", "D1:2"],
        ["D2:1", "D2:2"],
    ]


def test_each_speaker_has_a_store_of_their_facts(tiny):
    told = load_speakers(tiny)
    assert [name for name, _ in told] == ["Ewa", "Ola", "Iga", "Jan"]
    ola = told[1][1]
    assert [unit.text for unit in ola.units][:2] == [
        "Ola adopted a parrot.",
        "Ola's parrot is called Kubus.",
    ]
    assert [q.text for q in ola.questions] == ["What did Ola adopt?"]
    samples = [sample for _, sample in told]
    assert [q.text for q in foreign(samples, ola)] == ["What does Jan bake?"]
    spoken = in_first_person(told)[1]
    assert spoken.units[1].text == "User's parrot is called Kubus."
    assert spoken.units[1].covers == ola.units[1].covers
    assert [q.text for q in spoken.questions] == ["What did I adopt?"]
    assert spoken.conversation == ola.conversation


@each_of(
    ("asked", "own"),
    [
        ("What does Jo like?", "What do I like?"),
        ("How long has Jo known Ann?", "How long have I known Ann?"),
        ("Is Jo afraid of her own shadow?", "Am I afraid of my own shadow?"),
        ("Who gave it to Jo, and when?", "Who gave it to me, and when?"),
        ("What surprised Jo?", "What surprised me?"),
        ("Where was Jo?", "Where was I?"),
        (
            "Jo's dog or Jo' cat: what did she want?",
            "My dog or my cat: what did I want?",
        ),
        ("What did Joan say to Jo?", "What did Joan say to me?"),
    ],
)
def test_a_question_is_put_into_the_first_person(asked, own):
    assert question(asked, "Jo") == own


def test_a_fact_is_put_into_words_about_the_user():
    assert fact("Jo and Joan like Jo's dog.", "Jo") == "User and Joan like User's dog."


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"conversation": {}}]', "null"])
def test_other_formats_are_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    if text == "{}":
        assert load_samples(path, "turn") == []
        return
    with pytest.raises(InvalidData, match=r"other\.json"):
        load_samples(path, "turn")


def answered(category, evidence, *results):
    return Answered(category, frozenset(evidence), tuple(map(frozenset, results)))


def test_recall_hit_and_rank():
    one = answered(1, "ab", "x", "a", "ya", "b")
    assert [one.recall(k) for k in (1, 2, 3, 4)] == [0, 0.5, 0.5, 1]
    assert [one.hit(k) for k in (1, 2)] == [0, 1]
    assert one.reciprocal_rank() == 0.5
    assert answered(1, "a", *["x"] * 20, "a").reciprocal_rank() == 0
    assert answered(1, "a", *["x"] * 19, "a").reciprocal_rank() == 1 / 20


def test_figures_are_also_given_for_categories_1_to_4_and_for_all():
    table = by_category(
        [answered(1, "a", "a"), answered(4, "a", "x"), answered(5, "a", "a")], [1]
    )
    assert list(table) == ["1", "4", "5", "1-4", "all"]
    assert table["1-4"].recall == {1: 50}
    assert table["1-4"].questions == 2
    assert table["all"].hit[1] == pytest.approx(200 / 3)
    assert (table["1"].mrr, table["4"].mrr) == (1, 0)


def test_means_and_percentiles():
    assert (mean([]), mean([1, 2])) == (0, 1.5)
    assert percentile([], 0.5) == 0
    values = list(range(1, 101))
    assert (percentile(values, 0.5), percentile(values, 0.95)) == (51, 96)
    assert percentile([7], 0.95) == 7


def test_prompt_use_is_counted_in_rows_and_tokens():
    assert injected([]) == Injected(0, 0)
    assert injected(["a" * 7, "b" * 35]) == Injected(2, 11)


def evaluate(tiny, unit, embedder=None):
    embedder = embedder or WordEmbedder()
    samples = load_samples(tiny, unit)
    return run.evaluate(samples, unit, CHAT, embedder, lambda count: None)


@pytest.mark.django_db
@pytest.mark.parametrize("unit", ["turn", "observation", "summary"])
@pytest.mark.parametrize(
    "embedder", [WordEmbedder(), embeddings.none()], ids=["words", "none"]
)
def test_every_unit_finds_its_evidence_and_stores_nothing(tiny, unit, embedder):
    before = rows()
    outcome = evaluate(tiny, unit, embedder)
    assert rows() == before
    assert len(outcome.answered) == 5
    assert by_category(outcome.answered, [4])["1-4"].recall[4] == 100
    assert len(outcome.total) == len(outcome.search) == 5


@pytest.mark.django_db
def test_observations_pass_capture_and_duplicates_add_their_evidence(tiny):
    outcome = evaluate(tiny, "observation")
    assert outcome.decisions == {"add": 6, "ignore": 2, "reject": 1}
    samples = load_samples(tiny, "observation")
    embedder = WordEmbedder()
    filling = scratch.prepare_filling(
        samples[0].units, "observation", embedder, lambda count: None
    )
    with scratch.scratch(filling) as store:
        memories = {m.content: m for m in Memory.objects.visible_to(store.scope)}
        parrot = memories["Ola adopted a parrot."]
        assert store.covers[parrot.pk] == {"D1:1", "D2:1"}
        assert parrot.origin == "import"
        assert parrot.stated_at.isoformat() == "2023-06-19T10:04:00+00:00"


@pytest.mark.django_db
def test_questions_about_other_stores_are_counted(tiny):
    outcome = evaluate(tiny, "observation")
    assert len(outcome.intruded) == 2
    assert len(outcome.brought) == 5


@pytest.mark.django_db
def test_an_error_rolls_everything_back(tiny, monkeypatch):
    before = rows()
    monkeypatch.setattr(run, "_answer", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        evaluate(tiny, "turn")
    assert rows() == before


@pytest.mark.django_db
@pytest.mark.parametrize("unit", ["turn", "observation"])
def test_a_failing_embedder_ends_the_evaluation(tiny, unit):
    failing = WordEmbedder(failure=ProviderDown("out of order"))
    with pytest.raises(scratch.EmbeddingFailed):
        evaluate(tiny, unit, failing)
    samples = load_samples(tiny, unit)
    with pytest.raises(scratch.EmbeddingFailed):
        scratch.prepare_filling(samples[0].units, unit, failing, lambda count: None)


def command(tiny, *options):
    out = StringIO()
    call_command(Command(), str(tiny), *options, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_prints_a_table(tiny, capsys):
    text = command(
        tiny, "--unit", "observation", "--embedder", "none", "--k", "6", "10"
    )
    assert "Capture decided: 7 add, 1 ignore, 1 reject" in text
    assert "recall@6" in text
    assert "hit@10" in text
    assert "MRR" in text
    assert "1 multi-hop" in text
    assert "rows" in text
    assert "p95" in text
    assert "100%" in capsys.readouterr().err


@pytest.mark.django_db
def test_the_command_prints_json(tiny):
    data = json.loads(
        command(tiny, "--unit", "turn", "--embedder", "none", "--k", "2", "--json")
    )
    assert (data["unit"], data["profile"], data["embedder"]) == ("turn", "chat", "none")
    assert set(data["ranking"]) == {"1", "2", "4", "5", "1-4", "all"}
    assert set(data["ranking"]["1-4"]) == {"questions", "recall", "hit", "mrr"}
    assert set(data["milliseconds"]["query"]) == {"p50", "p95"}
    assert set(data["injected"]) == {"answerable", "unanswerable"}
    assert set(data["injected"]["answerable"]) == {"rows", "tokens"}
    assert data["decisions"] == {}


@pytest.mark.django_db
@pytest.mark.parametrize("option", ["--ranking", "--profile"])
@pytest.mark.parametrize("ranking", ["chat_literal", "fused", "ranked"])
def test_the_command_takes_every_ranking(tiny, option, ranking):
    text = command(
        tiny, option, ranking, "--unit", "turn", "--embedder", "local", "--json"
    )
    assert json.loads(text)["profile"] == ranking


def test_the_command_refuses_wrong_arguments(tiny, tmp_path):
    with pytest.raises(CommandError, match="missing"):
        command(tmp_path / "missing.json")
    with pytest.raises(CommandError, match="from 1"):
        command(tiny, "--k", "0")


@pytest.mark.django_db
def test_an_interrupt_rolls_everything_back(tiny, monkeypatch):
    before = rows()

    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "_answer", stop)
    with pytest.raises(CommandError, match="Nothing was stored"):
        command(tiny, "--embedder", "none")
    assert rows() == before
