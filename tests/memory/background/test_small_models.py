"""Answers of small models, in the form of ten recorded ones of Qwen2.5-0.5B.

They are valid JSON and wrong in each other way. Half of the file was written before the
rules, the other half was looked at in the end.
"""

import json
from pathlib import Path

import pytest

from memory.models import MemoryEvent
from tests.memory.background.heard import facts
from tests.memory.conftest import known

pytestmark = pytest.mark.django_db
ANSWERS = [
    pytest.param(json.loads(line), id=f"{path.stem}-{number}")
    for path in sorted((Path(__file__).parent / "small_models").glob("*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
]


@pytest.mark.parametrize("told", ANSWERS)
def test_own_words_are_kept_where_nothing_of_an_answer_is_accepted(
    hear, api, settings, openai_server, told
):
    settings.MODEL_SLOTS = 2
    unreadable = not told["refused"]
    hear(told["message"], *[told["answer"]] * (2 if unreadable else 1))
    assert sorted(known(api)) == sorted(told["kept"])
    (run,) = MemoryEvent.objects.filter(kind="memory_decision")
    rejected = [d["reason"] for d in run.data["decisions"] if d["action"] == "reject"]
    assert sorted(rejected) == sorted(told["refused"])


def test_strong_model_that_claims_nothing_keeps_nothing(hear, api):
    hear("I live in Oslo", facts("User lives in Oslo", mode="asked"))
    assert known(api) == []


@pytest.mark.parametrize("mode", ["supposed", "quoted", "joke"])
def test_even_a_weak_model_is_believed_that_something_is_not_meant(
    hear, api, settings, mode
):
    settings.MODEL_SLOTS = 2
    hear("I live in a castle.", facts("User lives in a castle", mode=mode))
    assert known(api) == []


def test_without_a_model_own_words_are_judged_once(hear, api, settings):
    settings.OPENAI_API_KEY = ""
    hear("I am allergic to penicillin and my PIN is 4711.")
    (run,) = MemoryEvent.objects.filter(kind="memory_decision")
    assert [one["reason"] for one in run.data["decisions"]] == ["secret"]
    assert run.data["extracted"] == 1


def test_example_of_the_prompt_is_a_fact_where_the_user_says_it(hear, api):
    said = "I have a parrot called Quibbo"
    hear(said, facts("User has a parrot called Quibbo", evidence=said))
    assert known(api) == ["User has a parrot called Quibbo"]
