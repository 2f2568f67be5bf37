"""A resolver's verdicts are checked, limited to the user's own facts and audited."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from meddie.ai import structured
from meddie.ai.errors import Unparseable
from meddie.moments import told_moment
from memory.facts import resolve
from memory.facts.neighbours import nearest
from memory.facts.resolve import Verdict, carry_out, read_comparison
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryLink, MemoryUpdate
from tests.corpus import each_of
from tests.memory.conftest import known
from tests.memory.jobs import run_due
from tests.openai_answers import says, stalls
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EARLIER = NOW - timedelta(days=1)


@pytest.fixture(autouse=True)
def no_formats_known():
    """A port may have served another test's provider."""
    structured.accepted_formats.clear()


@pytest.fixture
def pair(tell, scope):
    """Store a known fact and a new one; the comparison about them."""

    def pair(old, new, *, old_at=EARLIER, new_at=NOW):
        tell(old, at=old_at)
        (decision,) = tell(new, at=new_at)
        return read_comparison(scope, [decision.memory_id])

    return pair


def verdict(action, *, target=1):
    return Verdict(**ruling(action, target=target))


@pytest.mark.req("S1-28", "S1-29")
def test_prompt_numbers_new_and_known_facts(tell, scope, openai_server):
    tell("User takes 5 mg of ramipril", at=EARLIER)
    tell("User now takes 10 mg of ramipril", at=NOW)
    answer = ruling() | {"reason": "said"}
    openai_server.titles.queue(says(json.dumps({"decisions": [answer]})))
    run_due()
    assert known(scope) == ["User now takes 10 mg of ramipril"]
    sent = json.loads(openai_server.titles.requests[-1].body["messages"][-1]["content"])
    assert sent == {
        "new": [
            {
                "n": 1,
                "text": "User now takes 10 mg of ramipril",
                "stated_at": told_moment(NOW),
            }
        ],
        "known": [
            {
                "n": 1,
                "text": "User takes 5 mg of ramipril",
                "stated_at": told_moment(EARLIER),
            }
        ],
    }
    update = MemoryUpdate.objects.get()
    assert (update.old.content, update.new.content) == (
        "User takes 5 mg of ramipril",
        "User now takes 10 mg of ramipril",
    )
    assert update.reason == "newer"
    (event,) = MemoryEvent.objects.filter(data__origin="memory_resolution")
    assert event.data["decisions"][0]["action"] == "replace"


@pytest.mark.parametrize(
    ("answer", "requests"),
    [
        ("I would rather not say.", 2),
        ('{"decisions": [{"new": 1, "action": "erase", "target": 1}]}', 2),
        ('{"decisions": [{"new": 1, "action": "replace", "target": 7}]}', 1),
        ('{"decisions": [{"new": 3, "action": "add", "target": null}]}', 1),
        ('{"decisions": [{"new": 1, "action": "ignore", "target": null}]}', 1),
    ],
)
def test_nonsense_changes_nothing_and_leaves_a_dead_job(
    tell, scope, openai_server, answer, requests
):
    tell("User lives in NY", at=EARLIER)
    tell("User now lives in LA", at=NOW)
    openai_server.titles.queue(*[says(answer)] * requests)
    run_due()
    assert known(scope) == ["User lives in NY", "User now lives in LA"]
    job = CaptureJob.objects.get()
    assert (job.state, job.error) == ("dead", "unparseable")
    assert job.payload["raw"]
    assert openai_server.titles.unused == 0


def test_numbers_that_were_not_sent_are_unparseable(pair, openai_server):
    comparison = pair("User lives in NY", "User now lives in LA")
    wrong = (
        '{"decisions": [{"new": 1, "action": "replace", "target": 2, "reason": ""}]}'
    )
    openai_server.titles.queue(says(wrong))
    with pytest.raises(Unparseable):
        resolve.ask_resolver(comparison)


def test_wrong_number_costs_no_other_verdict(tell, scope, openai_server):
    tell("User takes 5 mg of ramipril", at=EARLIER)
    tell("User now takes 10 mg of ramipril", at=NOW)
    wrong, right = (ruling(target=n) for n in (7, 1))
    openai_server.titles.queue(says(json.dumps({"decisions": [wrong, right]})))
    run_due()
    assert known(scope) == ["User now takes 10 mg of ramipril"]
    assert CaptureJob.objects.get().state == "done"


def test_slow_resolver_is_asked_once_and_the_attempt_is_counted(
    tell, openai_server, impatience
):
    tell("User lives in NY", at=EARLIER)
    tell("User now lives in LA", at=NOW)
    openai_server.titles.queue(stalls())
    run_due()
    job = CaptureJob.objects.get()
    assert (job.state, job.error, job.attempts) == ("waiting", "timed_out", 1)
    assert len(openai_server.titles.requests) == 1


@pytest.mark.usefixtures("resolver")
def test_many_new_facts_are_resolved_in_small_requests(tell, scope):
    tell("User plays chess", at=EARLIER)
    tell(*(f"User owns a clock of the {n}th century" for n in range(11)), at=NOW)
    sizes = [len(job.payload["memories"]) for job in CaptureJob.objects.all()]
    assert sorted(sizes) == [1, 5, 5]


def test_question_without_neighbours_asks_no_model(tell, scope, openai_server):
    (decision,) = tell("User is vegan")
    comparison = read_comparison(scope, [decision.memory_id])
    assert resolve.ask_resolver(comparison) == []
    assert openai_server.titles.requests == []


def test_fact_without_neighbours_makes_no_job(tell):
    tell("User is vegan", "User plays chess", at=NOW)
    assert not CaptureJob.objects.exists()


@pytest.mark.req("S1-32")
@pytest.mark.parametrize("action", ["replace", "refine", "ignore", "add"])
def test_verdicts_decide_which_fact_remains(pair, scope, action):
    old, new = "User takes aspirin", "User takes aspirin 100 mg"
    if action == "ignore":
        old, new = new, old
    comparison = pair(old, new)
    carry_out(scope, comparison, [verdict(action)])
    remaining = {"replace": [new], "refine": [new], "ignore": [old], "add": [old, new]}
    assert known(scope) == remaining[action]


BOTH_STAY = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("both_stay.txt").read_text().splitlines()
    if not line.startswith("#")
]


def honest(why):
    """What an honest resolver says of a pair that must both stay, before its verdict."""
    return {
        "same_subject": why != "subject",
        "same_time": why != "time",
        "both_can_be_true": why == "both",
    }


@each_of(("old", "new", "why"), BOTH_STAY)
def test_verdict_against_honest_answers_is_none(old, new, why):
    assert Verdict(**ruling("replace") | honest(why)).is_contradicted


@pytest.mark.req("S1-32")
@pytest.mark.parametrize("why", ["subject", "time", "both"])
def test_verdict_that_contradicts_itself_changes_nothing_and_is_noted(
    pair, scope, openai_server, why
):
    old, new = next((one[0], one[1]) for one in BOTH_STAY if one[2] == why)
    pair(old, new)
    # Facts of which it is known that they are about others are not compared at all.
    Memory.objects.update(subject=None)
    answer = {"decisions": [ruling("replace") | honest(why)]}
    openai_server.titles.queue(says(json.dumps(answer)))
    run_due()
    assert set(known(scope)) == {old, new}
    (event,) = MemoryEvent.objects.filter(data__origin="memory_resolution")
    (decision,) = event.data["decisions"]
    assert (decision["verdict"], decision["reason"]) == ("replace", "contradicted")
    rows = {row.content: str(row.pk) for row in Memory.objects.all()}
    assert (decision["fact"], decision["target"]) == (rows[new], rows[old])
    assert event.texts == {}


def test_answers_that_are_left_out_speak_for_both(pair, scope):
    comparison = pair("User lives in NY", "User now lives in LA")
    bare = Verdict(new=1, target=1, action="replace")
    ((_key, decision),) = carry_out(scope, comparison, [bare]).decisions
    assert decision.reason == "contradicted"
    assert set(known(scope)) == {"User lives in NY", "User now lives in LA"}


@pytest.mark.req("S1-31", "S1-32")
@pytest.mark.parametrize(
    ("action", "old", "new", "remaining"),
    [
        ("ignore", "User drinks black coffee", "User takes coffee black", 0),
        ("ignore", "Użytkownik lubi jazz", "Użytkownik chętnie słucha jazzu", 0),
        ("refine", "User has a car", "User drives a grey Skoda Fabia", 1),
        ("refine", "User works in IT", "User writes compilers at a bank", 1),
    ],
)
def test_verdicts_hold_for_other_words_too(pair, scope, action, old, new, remaining):
    comparison = pair(old, new)
    carry_out(scope, comparison, [verdict(action)])
    assert known(scope) == [(old, new)[remaining]]


def test_duplicate_gives_its_date_to_the_fact_that_stays(pair, scope):
    comparison = pair("User takes aspirin 100 mg", "User takes aspirin")
    carry_out(scope, comparison, [verdict("ignore")])
    assert Memory.objects.get(active=True).stated_at == NOW


@pytest.mark.parametrize(
    ("action", "old", "new"),
    [
        ("replace", "User's left knee hurts", "User's right knee hurts"),
        ("refine", "User takes Euthyrox", "User takes Euthyral 50 mg"),
        ("refine", "User takes 500 mg metformin", "User takes 1000 mg metformin daily"),
        ("refine", "User eats meat", "User does not eat meat"),
        ("ignore", "User likes Ivanova", "User likes Ivanov"),
        ("ignore", "User takes aspirin", "User takes aspirin 100 mg"),
    ],
)
def test_vetoed_verdicts_change_nothing(pair, scope, action, old, new):
    comparison = pair(old, new)
    carry_out(scope, comparison, [verdict(action)])
    assert known(scope) == sorted([old, new])
    assert not MemoryUpdate.objects.exists()


@pytest.mark.req("B-27")
def test_older_statement_that_was_stored_late_gives_way(pair, scope):
    comparison = pair(
        "User lives in LA", "User lives in NY", old_at=NOW, new_at=EARLIER
    )
    carry_out(scope, comparison, [verdict("replace")])
    assert known(scope) == ["User lives in LA"]
    assert MemoryUpdate.objects.get().reason == "outdated"


@pytest.mark.req("B-27")
def test_older_refinement_that_was_stored_late_gives_way(pair, scope):
    newer, older = "User takes aspirin", "User takes aspirin 100 mg"
    comparison = pair(newer, older, old_at=NOW, new_at=EARLIER)
    carry_out(scope, comparison, [verdict("refine")])
    assert known(scope) == [newer]
    assert MemoryUpdate.objects.get().reason == "outdated"


def test_older_refinement_of_something_else_is_kept(pair, scope):
    newer, older = "User eats meat", "User does not eat meat"
    comparison = pair(newer, older, old_at=NOW, new_at=EARLIER)
    carry_out(scope, comparison, [verdict("refine")])
    assert known(scope) == sorted([newer, older])


@pytest.mark.req("S1-30")
def test_others_who_have_the_replaced_memory_keep_it(pair, scope, bob, home):
    comparison = pair("User lives in NY", "User now lives in LA")
    MemoryLink.objects.create(user=bob, space=home, memory=comparison.known[0])
    carry_out(scope, comparison, [verdict("replace")])
    assert known(scope) == ["User now lives in LA"]
    row = Memory.objects.get(content="User lives in NY")
    assert row.active
    assert list(row.links.values_list("user_id", flat=True)) == [bob.pk]


def test_facts_that_are_gone_meanwhile_are_passed_by(pair, scope):
    comparison = pair("User lives in NY", "User now lives in LA")
    (old,) = comparison.known
    Memory.objects.get(pk=old.pk).retire(Memory.RetiredReason.RETRACTED)
    assert carry_out(scope, comparison, [verdict("replace")]).again == []
    assert Memory.objects.get(pk=old.pk).retired_reason == "retracted"


@pytest.mark.usefixtures("resolver")
def test_neighbour_that_changed_meanwhile_is_resolved_once_more(
    tell, scope, monkeypatch
):
    tell("User weighs 80 kg", at=EARLIER)
    tell("User weighs 82 kg", at=NOW)
    asked = []

    def ask_slowly(comparison):
        asked.append(comparison)
        tell("User weighs 80 kg", at=EARLIER + timedelta(hours=len(asked)))
        return [verdict("replace")]

    monkeypatch.setattr(resolve, "ask_resolver", ask_slowly)
    run_due()
    assert len(asked) == 2
    assert len(known(scope)) == 2
    assert set(CaptureJob.objects.values_list("state", flat=True)) == {"done"}


@pytest.mark.usefixtures("resolver")
def test_second_look_replaces_what_had_changed(tell, scope, monkeypatch):
    tell("User weighs 80 kg", at=EARLIER)
    tell("User weighs 82 kg", at=NOW)
    ask = resolve.ask_resolver

    def ask_slowly(comparison):
        if comparison.known[0].stated_at == EARLIER:
            tell("User weighs 80 kg", at=EARLIER + timedelta(hours=1))
        return ask(comparison)

    monkeypatch.setattr(resolve, "ask_resolver", ask_slowly)
    run_due()
    assert known(scope) == ["User weighs 82 kg"]


def test_neighbours_are_found_by_vector_and_by_words(tell, scope):
    tell(*(f"User owns a clock of the {n}th century" for n in range(30)), at=EARLIER)
    tell("Metformin upsets the stomach of User", at=EARLIER)
    (new,) = tell("User takes metformin", at=NOW)
    comparison = read_comparison(scope, [new.memory_id])
    assert len(comparison.known) == 10
    assert "Metformin upsets the stomach of User" in [
        m.content for m in comparison.known
    ]


@pytest.mark.usefixtures("resolver")
def test_user_without_memory_gets_nothing_resolved(tell, scope, ann):
    tell("User lives in NY", at=EARLIER)
    tell("User now lives in LA", at=NOW)
    ann.memory_on = False
    ann.save()
    run_due()
    assert Memory.objects.filter(active=True).count() == 2
    assert CaptureJob.objects.get().state == "done"


@pytest.mark.req("S0-08", "S0-09")
def test_facts_of_other_scopes_are_neither_compared_nor_changed(pair, scope, others):
    comparison = pair("User lives in NY", "User now lives in LA")
    ids = [row.pk for row in comparison.new]
    for other in others:
        asked = read_comparison(other, ids)
        assert (asked.new, asked.known) == ([], [])
        assert nearest(other, comparison.new[0]) == []
    for other in others[:2]:
        assert carry_out(other, comparison, [verdict("replace")]).again == []
    assert len(known(scope)) == 2
