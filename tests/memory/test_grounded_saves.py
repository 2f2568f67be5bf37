# ruff: noqa: RUF001 - Russian letters are meant
"""A reply can store only what the message that it answers is about."""

import pytest

from meddie.ai.errors import ProviderDown
from memory.models import CaptureJob
from memory.wording.words import grounded
from tests.memory.conftest import known, reasons
from tests.memory.jobs import run_due
from tests.memory.stated import INVENTED, TRUE, rows

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("message", "fact"), rows(TRUE))
def test_fact_of_the_message_is_grounded(message, fact):
    assert grounded(fact, message)


@pytest.mark.parametrize(("message", "fact"), rows(INVENTED))
def test_fact_from_nowhere_is_not_grounded(message, fact):
    assert not grounded(fact, message)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("User is the user", "I am the user"),
        ("", "hello"),
        ("User lives in NY", ""),
    ],
)
def test_words_that_say_nothing_do_not_count(fact, message):
    assert not grounded(fact, message)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("User is ALLERGIC to nuts", "ａｌｌｅｒｇｉｃ"),
        ("Użytkownik mieszka w Łodzi", "mieszkam w lodzi"),
        ("User weighs 80 kg", "80kg"),
        ("Пользователь любит мёд", "мед"),
    ],
)
def test_letters_are_compared_without_marks_and_widths(fact, message):
    assert grounded(fact, message)


def test_ungrounded_save_is_rejected_and_the_others_are_stored(tell, scope):
    decisions = tell(
        "User has asthma", "User lives in Gdynia", user_text="I moved to Gdynia"
    )
    assert reasons(decisions) == [("reject", "ungrounded"), ("add", "new")]
    assert known(scope) == ["User lives in Gdynia"]


def test_message_without_text_grounds_nothing(tell, scope):
    assert reasons(tell("User has asthma", user_text="")) == [("reject", "ungrounded")]
    assert known(scope) == []


def test_confirmation_grounds_what_the_question_was_about(tell, scope):
    question = "Shall I note that you have asthma?"
    yes = {"user_text": "Yes, please", "in_context": f"{question}\nYes, please"}
    decisions = tell("User has asthma", "User is vegan", **yes)
    assert reasons(decisions) == [("add", "new"), ("reject", "ungrounded")]
    assert known(scope) == ["User has asthma"]


@pytest.mark.parametrize(
    "origin", ["background", "import", "operator", "episode_close"]
)
def test_facts_of_other_origins_need_no_message(tell, origin):
    decisions = tell("User has asthma", origin=origin, user_text="Thanks!")
    assert reasons(decisions) == [("add", "new")]


def test_job_carries_no_ungrounded_fact(tell, scope, embedder):
    embedder.failure = ProviderDown("out")
    decisions = tell("User has asthma", "User is vegan", user_text="I am vegan")
    assert reasons(decisions) == [
        ("reject", "ungrounded"),
        ("defer", "embedding_failed"),
    ]
    facts = CaptureJob.objects.get().payload["candidates"]
    assert [fact["text"] for fact in facts] == ["User is vegan"]
    embedder.failure = None
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan"]


def test_confirmed_fact_outlives_an_outage(tell, scope, embedder):
    embedder.failure = ProviderDown("out")
    tell("User has asthma", user_text="Yes", in_context="Do you have asthma?\nYes")
    embedder.failure = None
    assert run_due(embedder) == 1
    assert known(scope) == ["User has asthma"]
