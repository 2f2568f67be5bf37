"""What is ahead, in the answers of the stand-in and in a prompt."""

from datetime import UTC, datetime

import pytest
import time_machine

from tests.conversations.turns import ask, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)
STATED = datetime(2026, 11, 28, 12, tzinfo=UTC)  # a Saturday
THURSDAY = "Endocrinologist appointment on Thursday next week at 14:30 with Dr. Hansen"
TUESDAY = "I have a blood test on Tuesday morning"


@pytest.fixture
def member():
    member = MembershipFactory()
    for text in (
        THURSDAY,
        TUESDAY,
        "I was at the dentist on Monday",
        "I take ramipril 5 mg every morning",
    ):
        MemoryFactory(
            user=member.user, space=member.space, content=text, stated_at=STATED
        )
    return member


def answered(member, question, at=STATED):
    with time_machine.travel(at, tick=True):
        return write(ask(member, question)).content


@pytest.mark.parametrize(
    "question",
    ["What is next?", "When is my next appointment?", "Wann ist mein nächster Termin?"],
)
def test_days_to_come_are_told_in_order(member, question):
    answer = answered(member, question)
    assert "blood test" in answer
    assert answer.index("blood test") < answer.index("Endocrinologist")
    assert "dentist" not in answer
    assert "ramipril" not in answer


def test_question_with_a_name_is_answered_with_its_day(member):
    answer = answered(member, "When do I see Dr. Hansen?")
    assert "3 December 2026:" in answer or "Dec. 3, 2026:" in answer
    assert "blood test" not in answer


def test_day_that_is_over_is_not_ahead(member):
    answer = answered(member, "What is next?", datetime(2026, 12, 2, 12, tzinfo=UTC))
    assert "blood test" not in answer
    assert "Endocrinologist" in answer
    later = answered(
        member, "When is my next appointment?", datetime(2026, 12, 9, 12, tzinfo=UTC)
    )
    assert "I don't know that about you yet." in later


def test_appointment_has_its_day_in_a_prompt(member, openai_server):
    with time_machine.travel(STATED, tick=True):
        write(ask(member, "Hello there"))
    prompt = prompt_text(openai_server)
    assert f"on 2026-12-03: {THURSDAY}" in prompt
    assert f"on 2026-12-01: {TUESDAY}" in prompt
    assert "- I take ramipril" in prompt


def test_both_doses_of_an_ignored_question_are_unsettled_in_a_prompt(openai_server):
    member = MembershipFactory()
    owned = {"user": member.user, "space": member.space}
    older = MemoryFactory(content="I take 75 µg of levothyroxine", **owned)
    MemoryFactory(content="I take 88 µg of levothyroxine", may_replace=older, **owned)
    write(ask(member, "Hello there"))
    prompt = prompt_text(openai_server)
    assert "- unsettled: I take 75 µg of levothyroxine" in prompt
    assert "- unsettled: I take 88 µg of levothyroxine" in prompt
