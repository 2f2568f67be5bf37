"""A further kind of facts goes around the whole cycle once it is in the one list."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.db import connection, models
from django.test.utils import isolate_apps
from django.utils import timezone

from conversations.web.sheet.lines import read_lines
from meddie.text import one_line
from memory import service
from memory.facts.decide import Known
from memory.facts.kind import CONFIDENCE, FactColumn, Kind, Matches
from memory.facts.kinds import KINDS
from memory.models.fact import Fact, FactQuerySet
from memory.recall.shelves import further_shelf
from memory.subjects import NO_HOUSEHOLD
from memory.values import AnyCandidate, Candidate, Proposal
from memory.visibility import in_scope
from memory.wording.guards import refusal
from people.models import Membership
from people.scope import scope_for
from tests.conversations.outdated.checking import answered, marked, run_checks
from tests.conversations.turns import ask, write
from tests.factories import PersonFactory, SpaceFactory, UserFactory
from tests.memory.conftest import reasons, said

pytestmark = pytest.mark.django_db(transaction=True)

SLOW, FAST = "Our motto is slow and steady", "Our motto is fast and fearless"
ROWS = """(
    SELECT m.*, to_tsvector('simple', m.content) AS content_tsv,
           'none' AS embedding_model, NULL::vector AS embedding, NULL::halfvec AS near
      FROM memory_motto m WHERE m.active
)"""


class MottoQuerySet(FactQuerySet[Any]):
    BLANKED: ClassVar = {"content": ""}

    def owned_by(self, scope):
        return self.filter(in_scope(scope))


@dataclass(frozen=True, slots=True)
class MottoCandidate(AnyCandidate):
    text: object
    confidence: float = 1.0
    of_kind: ClassVar[str] = "motto"


class Mottos(Kind):
    name, candidate = "motto", MottoCandidate
    shelf = further_shelf("motto", ROWS, "fused", 6)
    columns = (FactColumn("text", "content"), CONFIDENCE)

    def proposal(self, candidate):
        line = one_line(candidate.text)
        return Proposal(replace(candidate, text=line), line, refusal(line))

    def look(self, stated):
        same = self.own(stated.scope).filter(content=stated.line)
        forgotten = same.retracted().filter(retired_at__gt=stated.at)
        return Known(same=same.active().first(), forgotten=forgotten.first())

    def correction(self, proposal, old):
        return self.proposal(MottoCandidate(proposal.line))

    def rule_correction(self, stated, old):
        ruling = super().rule_correction(stated, old)
        return replace(ruling, action="replace", target=old)

    def find(self, wish):
        return Matches(list(self.own(wish.scope).active().filter(content=wish.line)))


@pytest.fixture
def motto():
    """The kind, with a table of its own."""
    with isolate_apps("memory"):

        class Motto(Fact):
            of_kind = "motto"
            user_id = models.UUIDField(null=True)
            space_id = models.UUIDField()
            content = models.TextField()
            objects = MottoQuerySet.as_manager()

            class Meta(Fact.Meta):
                abstract = False
                app_label = "memory"

    with connection.schema_editor() as editor:
        editor.create_model(Motto)
    kind = Mottos()
    kind.model = Motto
    KINDS["motto"] = kind
    yield Motto
    del KINDS["motto"]
    with connection.schema_editor() as editor:
        editor.delete_model(Motto)


@pytest.fixture
def ann():
    return UserFactory(name="Ann")


@pytest.fixture
def home(ann):
    return SpaceFactory(name="Home", members=[ann], memory_page=True)


@pytest.fixture
def scope(ann, home):
    return scope_for(ann, home.pk, channel="web")


@pytest.fixture
def elsewhere(ann):
    office = SpaceFactory(name="Office", members=[ann])
    return scope_for(ann, office.pk, channel="web")


@pytest.fixture
def told(motto, scope):
    """A motto that Ann told five minutes ago."""
    prepared = service.prepare_facts([MottoCandidate(SLOW)], NO_HOUSEHOLD)
    at = timezone.now() - timedelta(minutes=5)
    (decision,) = service.remember(scope, prepared, said(at))
    assert decision.action == "add"
    return motto.objects.get(pk=decision.memory_id)


def found(scope):
    return [fact.text for fact in service.search(scope, "slow and steady")]


def test_it_is_told_once_found_and_on_the_sheet(told, ann, home, scope, elsewhere):
    again = service.prepare_facts(
        [Candidate("I like tea"), MottoCandidate(SLOW)], NO_HOUSEHOLD
    )
    decisions = service.remember(scope, again, said())
    assert reasons(decisions) == [("add", "new"), ("ignore", "duplicate")]
    assert found(scope) == [SLOW]
    assert found(elsewhere) == []
    assert service.count(scope) == 2
    ann_herself = PersonFactory(space=home, user=ann, name="Ann")
    assert SLOW in [line.text for line in read_lines(ann, home, ann_herself).values()]


def test_it_is_exported_and_imported(told, motto, scope, elsewhere):
    lines = "".join(map(service.fact_as_json, service.exported_facts(scope)))
    facts = service.read_import(lines, "jsonl", timezone.now())
    assert reasons(service.import_all(elsewhere, facts)) == [("add", "new")]
    assert motto.objects.owned_by(elsewhere).get().content == SLOW


def test_it_is_corrected_and_answers_that_used_it_are_marked(told, ann, home, scope):
    answered(ann, home, "Take it slow and steady, as ever.")
    used = answered(ann, home, "Slow and steady, that is your motto.", told)
    prepared = service.prepare_facts([Candidate(FAST)], NO_HOUSEHOLD)
    assert service.correct(scope, told.pk, prepared).action == "replace"
    run_checks()
    assert marked() == {used.pk}
    assert SLOW not in found(scope)


def test_it_is_forgotten_restored_and_erased(told, motto, scope, elsewhere):
    wish = service.prepare_forgetting([SLOW])
    assert reasons(service.forget_stated(scope, wish, said())) == [
        ("retract", "forgotten")
    ]
    told.refresh_from_db()
    restored = service.restore(scope, [told.pk], at=told.retired_at)
    assert reasons(restored) == [("restore", "revived")]
    assert service.forget(elsewhere, [told.pk]) == []
    assert service.forget(scope, [told.pk]) == [told.pk]
    service.erase(scope, [told.pk])
    assert motto.objects.get().content == ""


def test_it_goes_when_all_is_forgotten_in_the_chat(told, ann, home, scope):
    member = Membership.objects.get(user=ann, space=home)
    turn = ask(member, "Forget everything you know about me")
    write(turn)
    turn = ask(member, "Yes", conversation_id=turn.conversation_id)
    write(turn)
    told.refresh_from_db()
    assert told.is_retracted
    assert service.count(scope) == 0
