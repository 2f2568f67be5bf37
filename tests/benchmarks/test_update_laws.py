"""Laws of updates that hold for each model: only structure can guarantee them."""

import re
from contextlib import suppress
from itertools import combinations, count

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.evaluation import playing
from benchmarks.evaluation.story_provider import StoryProvider
from meddie.ai import embeddings
from memory.judgement import judge
from tests.benchmarks.stories import play, step, texts
from tests.memory.embedders import WordEmbedder
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
FEW = settings(max_examples=6)
TOWNS = ("Denver", "Oslo", "Lima", "Riga")
ACTIONS = ("replace", "refine", "ignore", "add")


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    monkeypatch.setattr(embeddings, "local", WordEmbedder)
    # Scores by its vectors are none for other tests.
    monkeypatch.setattr(judge, "JUDGED", embeddings.QueryCache())


def lives(town: str) -> str:
    return f"User lives in {town}"


def in_town(day: int, town: str):
    return step(day, f"I live in {town}.", facts=[lives(town)])


FORMS = {"User's": "My", "User": "I", "has": "have", "takes": "take", "does": "do"}


def stated(day: int, fact: str, **fields):
    """The user says the fact in the first person."""
    words = [FORMS.get(word, word) for word in fact.split()]
    said = " ".join(words).replace("I tolerates", "I tolerate") + "."
    return step(day, said, facts=[fact], **fields)


def pairs(facts, verdict):
    return [
        {"new": one, "old": other, "verdict": verdict}
        for first, second in combinations(facts, 2)
        for one, other in ((first, second), (second, first))
    ]


@pytest.mark.req("S1-29", "S1-40")
@FEW
@given(st.permutations(list(enumerate(TOWNS))))
def test_any_order_of_arrival_ends_with_the_latest_statement(visits):
    steps = [in_town(day, town) for day, town in visits]
    steps[0]["resolve"] = pairs(map(lives, TOWNS), "replace")
    played = play(*steps)
    assert texts(played, "active") == {lives(TOWNS[-1])}
    assert texts(played, "superseded") == set(map(lives, TOWNS[:-1]))


@pytest.mark.req("S1-40")
@FEW
@given(st.permutations(TOWNS))
def test_statements_of_one_moment_do_not_replace_each_other(towns):
    steps = [in_town(0, town) for town in towns]
    steps[0]["resolve"] = pairs(map(lives, TOWNS), "replace")
    assert texts(play(*steps), "active") == set(map(lives, TOWNS))


SIDES = ("User has pain in the {} knee", "User's {} ear is deaf")
KEPT_APART = st.one_of(
    st.tuples(st.sampled_from(SIDES), st.just(("left", "right"))),
    st.tuples(
        st.just("User takes {} of ramipril"),
        st.sampled_from(
            [("5 mg", "10 mg"), ("5 mg", "5 ml"), ("5 mg", "5 mcg"), ("<5 mg", ">5 mg")]
        ),
    ),
    st.tuples(
        st.just("User {} penicillin"),
        st.sampled_from([("tolerates", "does not tolerate"), ("takes", "never takes")]),
    ),
    st.tuples(st.just("User's surgery was {}"), st.just(("on 3 May", "on 13 May"))),
)


@pytest.mark.req("S1-28", "S1-31", "S1-32")
@settings(max_examples=10)
@given(KEPT_APART, st.sampled_from(["refine", "ignore"]), st.booleans())
def test_another_number_unit_side_or_negation_is_no_repetition(drawn, verdict, turned):
    template, values = drawn
    old, new = (template.format(value) for value in values[:: -1 if turned else 1])
    played = play(
        stated(0, old),
        stated(1, new, resolve=pairs([old, new], verdict)),
    )
    assert texts(played, "active") == {old, new}


@pytest.mark.req("S1-29")
@given(st.sampled_from(SIDES), st.booleans())
@settings(max_examples=4)
def test_one_side_does_not_replace_the_other(template, turned):
    old, new = map(template.format, ("right", "left") if turned else ("left", "right"))
    played = play(
        stated(0, old),
        stated(1, new, resolve=pairs([old, new], "replace")),
    )
    assert texts(played, "active") == {old, new}


NUMBERS = st.integers(-1, 5) | st.none()
DECISION = st.fixed_dictionaries(
    {
        "new": st.integers(-1, 3),
        "action": st.sampled_from(ACTIONS),
        "target": NUMBERS,
        "reason": st.just(""),
    }
)


@pytest.mark.req("S1-28")
@settings(max_examples=10)
@given(st.lists(DECISION, max_size=6))
def test_verdicts_with_any_numbers_lose_no_fact(decisions):
    """Each fact is active or was replaced by a later one; the last one stays."""
    provider_says = StoryProvider.resolution
    StoryProvider.resolution = lambda *_: {"decisions": decisions}
    try:
        played = play(*(in_town(day, town) for day, town in enumerate(TOWNS[:3])))
    finally:
        StoryProvider.resolution = provider_says
    active, superseded = texts(played, "active"), texts(played, "superseded")
    told = {line for line in played.state.dump.splitlines() if line.startswith("User")}
    assert active | superseded == told
    assert not active & superseded
    assert superseded <= set(map(lives, TOWNS[:2]))


class Killed(Exception):
    """A worker ends here."""


class FailingStatement:
    """The statement with this number after the resolver's answer fails."""

    def __init__(self, number: int) -> None:
        self.left, self.armed = number, False

    def arm(self, *_):
        self.armed = True
        return {"decisions": [ruling()]}

    def __call__(self, execute, sql, *arguments):
        # PostgreSQL ends transactions itself when a worker is lost.
        if self.armed and not re.match("SAVEPOINT|RELEASE|ROLLBACK", sql):
            self.left -= 1
            if self.left == 0:
                raise Killed
        return execute(sql, *arguments)


@pytest.mark.slow
@pytest.mark.req("S1-29", "S1-30")
def test_failure_at_any_statement_leaves_the_old_state_or_the_new(monkeypatch):
    seen = set()
    run = playing.run_jobs
    for number in count(1):
        failing = FailingStatement(number)

        def run_with_failure(scope, failing=failing):
            with suppress(Killed), connection.execute_wrapper(failing):
                run(scope)
            failing.armed = False

        monkeypatch.setattr(playing, "run_jobs", run_with_failure)
        monkeypatch.setattr(StoryProvider, "resolution", failing.arm)
        played = play(in_town(0, TOWNS[0]), in_town(1, TOWNS[1]))
        seen.add((frozenset(texts(played, "active")), bool(played.state.unfinished)))
        if failing.left > 0:
            break
    old, new = map(lives, TOWNS[:2])
    assert seen == {(frozenset([old]), True), (frozenset([new]), False)}
