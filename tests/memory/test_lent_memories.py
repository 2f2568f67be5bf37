"""A memory that is linked to two users: each sees it, and only its owner changes it."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import service
from memory.facts.neighbours import nearest
from memory.facts.retraction import forget
from memory.facts.store import link
from memory.models import Memory, MemoryLink, MemoryUpdate
from memory.recall.recall import newest, prepare_query, recall
from memory.values import Provenance
from people.scope import scope_for
from tests.factories import MembershipFactory, MemoryFactory
from tests.memory.conftest import known
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()
FACT = "User lives in Oslo"
RANKINGS = ["chat", "chat_literal", "fused", "ranked", "strict_semantic"]


@pytest.fixture
def bobs(bob, home):
    return scope_for(bob, home.pk, channel="api")


@pytest.fixture
def lent(ann, home, bobs):
    """Ann's memory, linked to Bob, too."""
    told = NOW - timedelta(days=1)
    memory = MemoryFactory(user=ann, space=home, content=FACT, stated_at=told)
    link(bobs, memory)
    return memory


@pytest.fixture
def found(embedder):
    def found(scope, text=FACT, **how):
        query = prepare_query(text, embedder=embedder)
        return [item.text for item in recall(scope, query, **how).items]

    return found


@pytest.fixture
def hear(bobs, openai_server, embedder):
    """Let a message of Bob be captured in the background."""

    def hear(message, fact, *actions, scope=bobs, at=None):
        verdicts = [ruling(action) for action in actions]
        answers = [{"facts": [{"text": fact}], "profile_facts": []}]
        answers += [{"decisions": verdicts}] if verdicts else []
        openai_server.titles.queue(*(says(json.dumps(a)) for a in answers))
        told = Provenance(
            stated_at=at or NOW, origin="background", message_id=uuid.uuid4()
        )
        service.capture_later(scope, message, told)
        run_due(embedder)
        assert openai_server.titles.unused == 0

    return hear


def state(memory):
    rows = Memory.objects.filter(pk=memory.pk)
    return rows.values(
        "content", "active", "confidence", "stated_at", "updated_at"
    ).get()


@pytest.mark.req("S1-04", "S1-07", "S1-37", "S1-50")
@pytest.mark.parametrize("ranking", RANKINGS)
def test_both_users_recall_it_and_no_one_else(
    lent, scope, bobs, others, found, ranking
):
    carol = MembershipFactory(space=lent.space).user
    carols = scope_for(carol, lent.space_id, channel="web")
    for sees in (scope, bobs):
        assert found(sees, ranking=ranking) == [FACT]
    for blind in (carols, *others[1:]):
        assert found(blind, ranking=ranking) == []


@pytest.mark.req("S1-07", "S1-50")
def test_it_counts_as_known_everywhere(lent, bobs, found, bob, home):
    MemoryFactory(user=bob, space=home, content="User plays chess")
    assert [item.text for item in newest(bobs, 9)] == ["User plays chess", FACT]
    assert [item.text for item in newest(bobs, 1)] == ["User plays chess"]
    assert service.count(bobs) == 2
    assert set(found(bobs, "What do you know about me?")) == {"User plays chess", FACT}
    new = MemoryFactory(user=bob, space=home, content="User lives in Bergen")
    assert lent in nearest(bobs, new)


@pytest.mark.req("S1-03", "S1-04")
def test_linking_twice_changes_nothing(lent, bobs, found):
    link(bobs, lent)
    assert MemoryLink.objects.filter(memory=lent).count() == 2
    assert found(bobs) == [FACT]


@pytest.mark.req("S1-07")
def test_without_its_link_it_is_not_recalled(lent, scope, bobs, found):
    lent.links.filter(user=bobs.user_id).delete()
    assert (found(bobs), found(scope)) == ([], [FACT])


@pytest.mark.req("S1-07", "S1-37")
def test_the_space_of_the_link_counts(lent, bob, bobs, found):
    club = MembershipFactory(user=bob).space
    lent.links.filter(user=bob).update(space=club)
    assert found(bobs) == found(scope_for(bob, club.pk, channel="web")) == []


@pytest.mark.req("S1-30", "S1-50", "S1-52")
@pytest.mark.parametrize(
    "stated",
    [
        ("I live in Bergen now", "User lives in Bergen", "replace"),
        ("I live in Oslo near the port", "User lives in Oslo near the port", "refine"),
    ],
)
def test_a_new_statement_replaces_it_for_one_user_alone(
    lent, scope, bobs, hear, stated
):
    message, fact, action = stated
    before = state(lent)
    hear(message, fact, action)
    assert known(bobs) == [fact]
    assert known(scope) == [FACT]
    assert state(lent) == before
    assert Memory.objects.get(user=bobs.user_id).content == fact
    assert MemoryUpdate.objects.get().user_id == bobs.user_id


@pytest.mark.req("S1-30")
def test_the_owner_moves_on_and_the_other_keeps_it(lent, ann, bobs, hear, found):
    scope = scope_for(ann, bobs.space_id, channel="api")
    hear("I live in Bergen now", "User lives in Bergen", "replace", scope=scope)
    assert (known(scope), known(bobs)) == (["User lives in Bergen"], [FACT])
    assert found(bobs) == [FACT]


@pytest.mark.req("S1-30")
def test_it_outlives_an_older_statement_unchanged(lent, scope, bobs, hear):
    before, older = state(lent), NOW - timedelta(days=3)
    hear("I live in Bergen", "User lives in Bergen", "replace", at=older)
    assert known(bobs) == known(scope) == [FACT]
    assert state(lent) == before


@pytest.mark.req("S1-30", "S1-50")
@pytest.mark.parametrize("way", ["button", "everything"])
def test_forgetting_it_removes_one_link(lent, scope, bobs, found, way):
    before = state(lent)
    if way == "button":
        assert forget(bobs, [lent.pk])
        assert not forget(bobs, [lent.pk])
    else:
        assert len(forget(bobs, None)) == 1
    assert (found(bobs), found(scope)) == ([], [FACT])
    assert state(lent) == before


@pytest.mark.req("S1-30")
@pytest.mark.parametrize("action", ["ignore", "replace"])
def test_statements_of_one_user_change_no_row_of_the_other(
    lent, scope, bobs, hear, action
):
    before = state(lent)
    hear("I live in Oslo", FACT, action)
    assert known(bobs) == known(scope) == [FACT]
    assert state(lent) == before


@pytest.mark.req("S1-06")
@pytest.mark.parametrize("ranking", RANKINGS)
def test_recall_is_the_same_with_and_without_the_record(
    lent, scope, bobs, hear, found, ranking
):
    hear("I live in Bergen now", "User lives in Bergen", "replace")
    seen = [found(whose, ranking=ranking) for whose in (scope, bobs)]
    assert seen[0] == [FACT]
    assert FACT not in seen[1]
    assert MemoryUpdate.objects.all().delete()[0] == 1
    assert [found(whose, ranking=ranking) for whose in (scope, bobs)] == seen


@pytest.mark.req("S1-52")
def test_it_goes_with_its_owner_and_stays_without_the_other(lent, ann, bob, bobs):
    bob.delete()
    assert Memory.objects.filter(pk=lent.pk, active=True).exists()
    ann.delete()
    assert not Memory.objects.filter(pk=lent.pk).exists()
