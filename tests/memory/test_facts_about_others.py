"""Facts about different people are never compared, on any path that compares facts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import service
from memory.facts import resolve
from memory.facts.neighbours import nearest
from memory.facts.resolve import Verdict, carry_out
from memory.household import household_for
from memory.models import Memory
from memory.subjects import UNSURE, USER, Subject
from memory.values import Candidate, ImportedFact
from tests.memory.conftest import known, reasons, said
from tests.memory.jobs import run_due
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EARLIER = NOW - timedelta(days=1)
MIA, MOTHER = Subject("daughter", "Mia"), Subject("mother")
LEO = Subject("son", "Leo")


@pytest.fixture
def about(tell):
    """Store a sentence about a subject; its row."""

    def about(text, subject, at=EARLIER, **how):
        (decision,) = tell(Candidate(text, subject=subject, **how), at=at)
        return Memory.objects.get(pk=decision.memory_id)

    return about


def all_active():
    return set(Memory.objects.active().values_list("content", "subject"))


def test_same_words_about_two_people_are_two_facts(about):
    about("Has asthma", MIA)
    about("Has asthma", MOTHER, at=NOW)
    assert {subject for _, subject in all_active()} == {"daughter Mia", "mother"}


def test_same_words_about_one_person_are_one_fact(about, tell):
    about("Has asthma", MIA)
    decisions = tell(Candidate("Has asthma", subject=MIA), at=NOW)
    assert reasons(decisions) == [("ignore", "duplicate")]


def test_nearly_same_words_about_two_people_are_two_facts(about):
    about("Takes montelukast every evening", MIA)
    about("Every evening takes montelukast", LEO, at=NOW)
    assert {subject for _, subject in all_active()} == {"daughter Mia", "son Leo"}


def test_forgotten_fact_about_one_person_is_no_tombstone_for_another(about, scope):
    service.forget(scope, [about("Takes ramipril 5 mg", MOTHER).pk])
    about("Takes ramipril 5 mg daily", MIA, at=NOW + timedelta(seconds=9))
    about("Takes ramipril 5 mg", USER, at=NOW + timedelta(seconds=9))
    assert {subject for _, subject in all_active()} == {"daughter Mia", ""}


def test_fact_that_a_model_says_to_supersede_is_kept_if_it_is_anothers(about):
    old = about("Takes 5 mg of ramipril", MOTHER)
    about("Takes 10 mg of ramipril", MIA, at=NOW, supersedes=old.pk)
    old.refresh_from_db()
    assert old.active


def test_resolver_is_not_asked_about_facts_of_others(about, scope):
    about("Takes 5 mg of ramipril", MOTHER)
    about("I take 5 mg of ramipril", USER)
    new = about("Takes 10 mg of ramipril", MIA, at=NOW)
    assert nearest(scope, Memory.objects.get(pk=new.pk)) == []


@pytest.mark.parametrize("action", ["replace", "refine", "ignore"])
def test_resolver_verdict_on_facts_of_others_is_vetoed(about, scope, action):
    old = about("Takes 5 mg of ramipril", MOTHER)
    new = about("Takes 5 mg of ramipril in the evening", MIA, at=NOW)
    compared = resolve.Comparison([new], [old])
    verdict = Verdict(**ruling(action, target=1))
    assert resolve.find_repeated(scope, compared, [verdict]) == {}
    ((_, decision),) = carry_out(scope, compared, [verdict]).decisions
    assert reasons([decision]) == [("reject", "vetoed")]
    assert len(all_active()) == 2


def test_stand_in_does_not_ask_whether_to_replace_a_fact_of_another(about):
    about("Takes 5 mg of ramipril", MOTHER)
    new = about("Takes 10 mg of ramipril", MIA, at=NOW)
    run_due()
    new.refresh_from_db()
    assert new.may_replace is None


def test_replacement_is_dropped_once_the_facts_are_about_others(about, scope):
    old, new = about("Takes 5 mg", MIA), about("Takes 10 mg", MIA, at=NOW)
    Memory.objects.filter(pk=new.pk).update(may_replace=old, subject="mother")
    service.answer_doubts(scope, [new.pk], replace=True)
    assert len(all_active()) == 2


@pytest.mark.parametrize(
    ("wish", "left"),
    [
        ("My daughter Mia has asthma", "My mother has asthma"),
        ("My mother has asthma", "My daughter Mia has asthma"),
    ],
)
def test_wish_to_forget_takes_nothing_of_another(about, scope, wish, left):
    about("My daughter Mia has asthma", MIA)
    about("My mother has asthma", MOTHER)
    service.forget_stated(scope, service.prepare_forgetting([wish]), said(NOW))
    assert known(scope) == [left]


def test_wish_that_matches_nothing_is_not_offered_facts_of_others(about, scope):
    about("My daughter Mia has asthma", MIA)
    wish = service.prepare_forgetting(["I have asthma"])
    (decision,) = service.forget_stated(scope, wish, said(NOW))
    assert (decision.action, decision.nearest) == ("ignore", ())


def test_correction_that_says_what_is_known_of_another_stays_apart(about, scope):
    about("Has asthma", MIA)
    old = about("Has hay fever", MOTHER)
    fixed = service.prepare_facts(
        [Candidate("Has asthma")], household_for(scope, old.about)
    )
    assert service.correct(scope, old.pk, fixed).action == "replace"
    assert {subject for _, subject in all_active()} == {"daughter Mia", "mother"}


def test_import_of_the_same_words_about_two_people_stores_both(scope):
    facts = [
        ImportedFact(Candidate("Has asthma", subject=subject), EARLIER)
        for subject in (MIA, MOTHER)
    ]
    decisions = service.import_all(scope, facts)
    assert [decision.action for decision in decisions] == ["add", "add"]


def test_unsure_fact_replaces_nothing(about, scope):
    about("Takes 5 mg of ramipril", MOTHER)
    new = about("Takes 10 mg of ramipril", UNSURE, at=NOW)
    assert nearest(scope, Memory.objects.get(pk=new.pk)) == []


def test_fact_that_is_not_read_yet_is_compared_by_its_words(about, scope):
    old = about("I take 5 mg of ramipril", None)
    new = about("I take 10 mg of ramipril", USER, at=NOW)
    assert nearest(scope, Memory.objects.get(pk=new.pk)) == [old]
