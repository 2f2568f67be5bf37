"""Questions about a time find what was true then, marked as past."""

from datetime import UTC, datetime

import pytest

from meddie.ai.embeddings import current_embedder
from memory import service
from memory.facts import store
from memory.models import Memory, MemoryPolicy
from people.scope import scope_for
from tests.factories import MembershipFactory, MemoryFactory
from tests.memory.recall.past_questions import FACTS, PRESENT, QUESTIONS

pytestmark = pytest.mark.django_db
NOW = datetime(2025, 11, 27, 12, tzinfo=UTC)


def day(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture(params=list(FACTS))
def told(request):
    """A language, and the scope of a user who told its facts in their order."""
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="web")
    for versions in FACTS[request.param]:
        before = None
        for text, stated_on in versions:
            row = MemoryFactory(
                user=member.user,
                space=member.space,
                content=text,
                embedder=current_embedder(),
                stated_at=day(stated_on),
            )
            if before is not None:
                store.supersede(scope, before, row, "newer")
            before = Memory.objects.get(pk=row.pk)
    return request.param, scope


def recalled(scope, question):
    query = service.prepare_query(question, now=NOW)
    return service.recall(scope, query).items


def test_questions_find_what_was_true_then(told):
    language, scope = told
    missed = []
    for question, expected in QUESTIONS[language]:
        past = [one for one in recalled(scope, question) if "until" in one.label]
        if not any(expected in one.text for one in past):
            missed.append(question)
    assert len(QUESTIONS[language]) == 20
    assert len(missed) <= 2, missed


def test_questions_about_the_present_find_nothing_that_is_over(told):
    _language, scope = told
    found = [one for question in PRESENT for one in recalled(scope, question)]
    assert [one.text for one in found if "until" in one.label] == []


def test_time_of_a_question_costs_no_further_statement(told, django_assert_num_queries):
    _language, scope = told
    for question in ("What do I weigh?", "What did I weigh in December 2024?"):
        query = service.prepare_query(question, now=NOW)
        policy = MemoryPolicy.objects.of(scope.space_id)
        with django_assert_num_queries(1):
            service.recall(scope, query, policy=policy)


def test_past_of_another_user_and_what_was_forgotten_is_not_found(told):
    language, scope = told
    other = MembershipFactory(space_id=scope.space_id)
    others = scope_for(other.user, scope.space_id, channel="web")
    question = QUESTIONS[language][0][0]
    assert not recalled(others, question)
    superseded = Memory.objects.filter(retired_reason="superseded")
    service.forget(scope, [row.pk for row in Memory.objects.active()])
    assert not superseded.exists()
    assert not recalled(scope, question)


def test_stated_beginning_comes_with_the_fact(told):
    _language, scope = told
    MemoryFactory(
        user_id=scope.user_id,
        space_id=scope.space_id,
        content="User is vegan",
        embedder=current_embedder(),
        valid_from=day("2019-05-01"),
    )
    found = {one.text: one.label for one in recalled(scope, "Since when am I vegan?")}
    assert found["User is vegan"] == "since 2019-05"
