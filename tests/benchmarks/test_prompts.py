"""Prompts of a turn, measured on facts and questions of a file."""

import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from benchmarks.evaluation.prompts import QuestionFile
from benchmarks.management.commands.evaluate_prompt import Command
from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.models import Memory
from memory.recall.calibration import EVERYDAY
from people.models import Space, User
from tests.memory.embedders import WordEmbedder

pytestmark = pytest.mark.django_db

FACTS = [
    {"id": 1, "en": "User is allergic to ibuprofen", "pl": "Uczulenie: ibuprofen"},
    {"id": 2, "en": "User has a grey cat", "pl": "Szary kot"},
    {"id": 3, "en": "User plays chess", "pl": "Szachy"},
]
QUESTIONS = [
    {"gold": [1], "en": "Am I allergic to ibuprofen?", "pl": "Mam uczulenie?"},
    {"gold": [2], "en": "Which animal lives with me?", "pl": "Co to za zwierzę?"},
]
UNRELATED = [
    {"en": "How far is Mars?", "pl": "Jak daleko jest Mars?"},
    {"en": "Who plays chess?", "pl": "Kto gra w szachy?"},
]


class Mute(WordEmbedder):
    """Answers no question."""

    def embed_queries(self, texts):
        raise ProviderDown("out of order")


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    embedder = WordEmbedder()
    monkeypatch.setattr(embeddings, "current_embedder", lambda: embedder)
    monkeypatch.setattr(
        "benchmarks.evaluation.prompts.current_embedder", lambda: embedder
    )
    return embedder


@pytest.fixture
def evaluate(tmp_path):
    def evaluate(*options, raw=None, **changes):
        path = tmp_path / "questions.json"
        data = {"facts": FACTS, "questions": QUESTIONS, "unrelated": UNRELATED}
        path.write_text(raw or json.dumps(data | changes))
        out = StringIO()
        call_command(Command(), str(path), *options, stdout=out)
        return out.getvalue()

    return evaluate


def test_needed_facts_are_counted_by_section(evaluate):
    data = json.loads(evaluate("--json"))
    assert 20 < data.pop("tokens") < 100
    assert data == {
        "questions": 2,
        "in_prompt": 2,
        "in_found": 1,
        "unrelated": {"questions": 2, "with_rows": 1, "rows": 0.5},
    }


def test_a_row_that_holds_two_facts_is_one_row(evaluate):
    again = {"id": 4, "en": "User plays chess."}
    data = json.loads(evaluate("--json", facts=[*FACTS, again]))
    assert data["unrelated"] == {"questions": 2, "with_rows": 1, "rows": 0.5}


def test_facts_that_a_guard_refuses_are_named(evaluate, capsys):
    refused = {"id": 7, "en": "Is the user vegan?"}
    text = evaluate(facts=[*FACTS, refused])
    assert "2 questions" in text
    assert "guard refused them: 7" in capsys.readouterr().err
    evaluate()
    assert "guard" not in capsys.readouterr().err


def test_without_a_budget_only_found_facts_are_in_the_prompt(evaluate):
    text = evaluate("--facts-tokens", "0")
    assert "1 with the needed fact in the prompt, 1 found by the search" in text
    assert "Others in the prompt: 0.0 rows a question" in text


def test_facts_and_questions_may_be_in_different_languages(evaluate):
    options = ("--facts", "pl", "--questions", "en", "--json")
    assert json.loads(evaluate(*options))["in_prompt"] == 2


def test_report_says_how_many_facts_were_in_the_prompt(evaluate):
    text = evaluate()
    assert "2 questions, 2 with the needed fact in the prompt" in text
    assert "1 found by the search" in text
    assert re.search(r"Facts: [\d.]+ tokens of [\d.]+ in the prompt", text)


def test_nothing_of_an_evaluation_is_stored(evaluate):
    evaluate()
    assert not Memory.objects.exists()
    assert not User.objects.exists()
    assert not Space.objects.exists()


@pytest.mark.parametrize(
    ("changes", "options", "sentence"),
    [
        ({"raw": "{"}, (), "The file is not valid"),
        ({"raw": "[]"}, (), "The file is not valid"),
        ({"facts": []}, (), "The file is not valid: facts"),
        ({"facts": [{"en": "x"}]}, (), "facts.0.id: Field required"),
        ({"facts": [*FACTS, FACTS[1]]}, (), "Several facts have the id 2"),
        ({"questions": [{"gold": [9], "en": "x"}]}, (), "no fact with the id 9"),
        ({"questions": [{"gold": [], "en": "x"}]}, (), "questions.0.gold"),
        ({}, ("--facts", "de"), "No text in the language 'de'"),
        ({}, ("--questions", "ru"), "No text in the language 'ru'"),
        ({}, ("--facts-tokens", "-1"), "from 0"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(evaluate, changes, options, sentence):
    with pytest.raises(CommandError, match=sentence) as error:
        evaluate(*options, **changes)
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_file_is_refused():
    with pytest.raises(CommandError, match="cannot be read"):
        call_command(Command(), "/nowhere/questions.json")


def test_a_failing_embedder_ends_the_evaluation(evaluate, embedder):
    embedder.failure = ProviderDown("out of order")
    with pytest.raises(CommandError, match="did not answer: provider_down"):
        evaluate()


def test_an_embedder_that_fails_at_a_question_ends_it_too(evaluate, embedder):
    embedder.embed_queries = Mute().embed_queries
    with pytest.raises(CommandError, match="did not answer"):
        evaluate()


def test_everyday_questions_have_three_languages():
    file = QuestionFile.read(EVERYDAY)
    for language in ("en", "pl", "ru"):
        texts = [
            one.text(language)
            for one in [*file.facts, *file.questions, *file.unrelated]
        ]
        assert all(texts)
