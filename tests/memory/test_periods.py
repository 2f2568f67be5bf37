"""Since when and until when facts are true, however they came."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from memory import service
from memory.facts.imports import import_facts
from memory.facts.periods import read_moment
from memory.facts.prepare import prepare_facts
from memory.models import Memory, ProfileFact
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, ImportedFact, ProfileCandidate
from people.scope import scope_for
from tests.corpus import each_of
from tests.factories import MembershipFactory
from tests.memory.conftest import remember_profile, said
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.verdicts import replaces_other_numbers

pytestmark = pytest.mark.django_db
FIRST = datetime(2024, 1, 10, 9, tzinfo=UTC)
MONTH = timedelta(days=30)
TEMPLATES = (
    "User weighs {} kg",
    "User takes {} mg of ramipril every morning",
    "User lives at 7 Mill Lane, flat {}",
    "User runs {} km a week",
    "User pays {} euros of rent",
)
NUMBERS = (61, 72, 83, 94)
ORDERS = list(permutations(range(4)))
"""All 24 orders in which four versions may arrive: 120 stories of the five templates."""


def at(version):
    return FIRST + version * MONTH


def imported(template, version):
    fact = Candidate(template.format(NUMBERS[version]))
    return ImportedFact(fact, at(version))


@pytest.fixture
def new_scope(openai_server):
    openai_server.titles.default = replaces_other_numbers

    def new_scope():
        member = MembershipFactory()
        return scope_for(member.user, member.space_id, channel="web")

    return new_scope


def true_at(scope, moment):
    rows = Memory.objects.owned_by(scope).true_at(moment)
    return sorted(rows.values_list("content", flat=True))


@pytest.mark.parametrize("template", TEMPLATES)
def test_stories_out_of_order_have_the_right_state_now_and_then(template, new_scope):
    wrong = []
    for order in ORDERS:
        scope = new_scope()
        for version in order:
            fact = imported(template, version)
            list(import_facts(scope, [fact], embedder=WordEmbedder()))
            run_due()
        active = Memory.objects.owned_by(scope).active()
        texts = [template.format(number) for number in NUMBERS]
        found = [list(active.values_list("content", flat=True))]
        found += [true_at(scope, at(version) + MONTH / 2) for version in range(4)]
        if found != [[texts[-1]], *([text] for text in texts)]:
            wrong.append((order, found))
    assert wrong == []
    assert len(TEMPLATES) * len(ORDERS) == 120


def test_nothing_is_true_before_it_was_stated_unless_that_is_said(new_scope, tell):
    scope = new_scope()
    since = Candidate("User has been vegan for long", valid_from="2019-05")
    facts = [ImportedFact(since, FIRST), imported(TEMPLATES[0], 1)]
    list(import_facts(scope, facts, embedder=WordEmbedder()))
    assert true_at(scope, datetime(2019, 4, 30, tzinfo=UTC)) == []
    assert true_at(scope, datetime(2019, 5, 1, tzinfo=UTC)) == [since.text]


def test_fact_that_is_stated_as_over_is_known_and_was_true_then(new_scope):
    scope = new_scope()
    over = Candidate("User lived in Bergen", valid_from="2015", valid_until="2019-06")
    list(import_facts(scope, [ImportedFact(over, FIRST)], embedder=WordEmbedder()))
    assert Memory.objects.owned_by(scope).active().get().content == over.text
    assert true_at(scope, datetime(2019, 6, 30, 23, tzinfo=UTC)) == [over.text]
    assert true_at(scope, datetime(2019, 7, 1, tzinfo=UTC)) == []
    assert true_at(scope, datetime(2014, 12, 31, tzinfo=UTC)) == []


def test_undone_replacement_is_true_without_an_end_again(new_scope):
    scope = new_scope()
    facts = [imported(TEMPLATES[0], 0), imported(TEMPLATES[0], 1)]
    list(import_facts(scope, facts, embedder=WordEmbedder()))
    run_due()
    new = Memory.objects.owned_by(scope).active().get()
    service.forget(scope, [new.pk], undo=True)
    assert true_at(scope, at(5)) == [facts[0].candidate.text]


def test_text_edited_by_hand_takes_the_time_of_what_it_corrects(new_scope, embedder):
    scope = new_scope()
    list(import_facts(scope, [imported(TEMPLATES[0], 0)], embedder=embedder))
    old = Memory.objects.owned_by(scope).get()
    prepared = prepare_facts(
        [Candidate("User weighs 62 kg")], NO_HOUSEHOLD, embedder=embedder
    )
    service.correct(scope, old.pk, prepared)
    assert true_at(scope, at(1)) == ["User weighs 62 kg"]


def test_profile_values_end_where_the_next_begin_in_any_order(new_scope):
    for order in permutations(range(3)):
        scope = new_scope()
        for version in order:
            value = ("Oslo", "Bergen", "Kiel")[version]
            fact = ProfileCandidate("identity", "location", value)
            remember_profile(scope, [fact], said(at(version)))
        rows = ProfileFact.objects.owned_by(scope)
        found = [
            [row.value for row in rows.true_at(at(n) + MONTH / 2)] for n in range(3)
        ]
        assert found == [["Oslo"], ["Bergen"], ["Kiel"]], order


@each_of(
    ("text", "is_end", "moment"),
    [
        ("2025", False, "2025-01-01"),
        ("2025", True, "2026-01-01"),
        ("2025-06", False, "2025-06-01"),
        ("2025-06", True, "2025-07-01"),
        (" 2025-12 ", True, "2026-01-01"),
        ("2024-02", True, "2024-03-01"),
        ("2025-06-03", False, "2025-06-03"),
        ("2025-06-03", True, "2025-06-04"),
        ("9999-12-31", True, None),
        ("2025-13", False, None),
        ("2025-02-30", False, None),
        ("June 2025", False, None),
        ("0000", False, None),
        ("", False, None),
        ("2025-06-03T10:00:00", False, None),
    ],
)
def test_stated_times_are_moments(text, is_end, moment):
    expected = datetime.fromisoformat(moment).replace(tzinfo=UTC) if moment else None
    assert read_moment(text, is_end=is_end) == expected
