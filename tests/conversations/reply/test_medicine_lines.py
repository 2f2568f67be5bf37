"""A medicine is one line, in the answers of the stand-in and in a prompt."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.facts import store
from memory.reasons import Reason
from people.scope import scope_for
from tests.conversations.turns import ask, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)
STATED = datetime(2026, 11, 1, 12, tzinfo=UTC)
OLD, NEW = "I take 75 µg of levothyroxine", "I take 88 µg of levothyroxine"


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def remembered(member):
    def remembered(text, days, **fields):
        at = STATED + timedelta(days=days)
        owned = {"user": member.user, "space": member.space, "safety": True}
        return MemoryFactory(content=text, stated_at=at, **owned, **fields)

    return remembered


@pytest.fixture
def changed(member, remembered):
    """A dose that was replaced on 27 November."""
    old, new = remembered(OLD, 0), remembered(NEW, 26)
    scope = scope_for(member.user, member.space_id, channel="web")
    store.supersede(scope, old, new, Reason.NEWER)
    return member


QUESTIONS = ("Which medicines do I take?", "What do you know about me?")


@pytest.mark.parametrize("question", QUESTIONS)
def test_answer_tells_the_dose_before(changed, question):
    answer = write(ask(changed, question)).content
    assert "Levothyroxine 88 µg" in answer
    assert "before: 75 µg until 27 November 2026" in answer


def test_prompt_tells_the_dose_before(changed, openai_server):
    write(ask(changed, "Which medicines do I take?"))
    prompt = prompt_text(openai_server)
    assert f"- {NEW} (stated 2026-11-27, before: 75 µg until 2026-11-27)" in prompt


@pytest.mark.parametrize("question", QUESTIONS)
def test_answer_tells_an_ignored_question_as_not_settled(member, remembered, question):
    older = remembered(OLD, 0)
    remembered(NEW, 26, may_replace=older)
    answer = write(ask(member, question)).content
    assert "Levothyroxine 88 µg" in answer
    assert "not settled, perhaps still: 75 µg" in answer
    assert OLD not in answer


def test_the_same_medicine_of_two_people_is_two_lines(member, remembered):
    remembered("User takes ibuprofen 400 mg", 0)
    remembered("Mia takes ibuprofen 400 mg", 1, subject="daughter Mia")
    answer = write(ask(member, "What do you know about me?")).content
    assert answer.count("ibuprofen") == 2
