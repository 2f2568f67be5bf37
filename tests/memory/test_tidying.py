"""A model tidies up what was kept in the user's own words without one."""

import json
from contextlib import suppress
from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.utils import timezone

from memory import service
from memory.facts import tidy
from memory.models import CaptureJob, Memory, MemoryEvent, ProfileFact
from memory.subjects import NO_HOUSEHOLD, Subject
from memory.values import Candidate
from tests.conversations import transcripts
from tests.factories import MemoryFactory
from tests.memory.conftest import known
from tests.memory.jobs import run_due
from tests.memory.test_killed_workers import Killed, Killer
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timezone.now() - timedelta(days=3)
ALLERGY = "I swell up badly from penicillin, so I am allergic to it"
MEDICINE = "so these days I take Ramipril 5 mg in the morning"
AGAIN = "As I said, I take Ramipril 5 mg in the morning"
TALK = "I had a lovely walk to the bakery"
NAME = "My name is Adam"
OF_MOTHER = "my mum has got asthma"
TIDIED = "User takes Ramipril 5 mg in the morning"


def fact(text, evidence, **how):
    return {"text": text, "evidence": evidence, "about": "user", **how}


READ = {
    ALLERGY: [fact("User is allergic to penicillin", "I am allergic to it")],
    MEDICINE: [fact(TIDIED, "I take Ramipril 5 mg in the morning", kind="profile")],
    AGAIN: [fact(TIDIED, "I take Ramipril 5 mg in the morning")],
    OF_MOTHER: [fact("User's mother has asthma", OF_MOTHER, about="mother")],
    TALK: [],
    NAME: [],
}
PROFILE = {"category": "identity", "key": "name", "value": "Adam", "importance": 0.9}


def reads(body):
    """Answer as a model that reads line by line."""
    document = json.loads(body["messages"][-1]["content"])
    if "message" not in document:
        return says(json.dumps({"decisions": []}))
    lines = document["message"].splitlines()
    named = [PROFILE | {"evidence": NAME}] if NAME in lines else []
    found = [made for line in lines for made in READ[line]]
    return says(json.dumps({"facts": found, "profile_facts": named}))


@pytest.fixture
def model(openai_server, embedder):
    openai_server.titles.default = reads
    return openai_server


@pytest.fixture
def keep(ann, home):
    """Rows as the stand-in keeps them, of messages that it answered."""
    conversation = transcripts.start_conversation(ann, home)

    def keep(*texts, model="offline", at=DAY, **fields):
        rows = []
        for text in texts:
            message = transcripts.say(conversation, "user", text)
            told = {"answers": message, "model": model}
            transcripts.say(conversation, "assistant", "Noted.", **told)
            told = {"source_message": message, "stated_at": at, "evidence": text}
            told = {"user": ann, "space": home, "content": text} | told | fields
            rows.append(MemoryFactory(**told))
        return rows

    return keep


@pytest.fixture
def read(scope, model):
    """What the model proposes, by the line: texts."""

    def read():
        service.start_tidying(scope)
        run_due()
        return {
            change.text: [text for _kind, text in change.lines]
            for change in service.tidy_changes(scope)
        }

    return read


def take_all(scope):
    keys = [str(change.key) for change in service.tidy_changes(scope)]
    return service.tidy(scope, keys)


def offered(scope):
    state = service.tidying_of(scope)
    return state.kept if state else 0


def test_only_what_the_stand_in_kept_is_offered(keep, scope, model, settings, others):
    keep(MEDICINE, TALK)
    keep(NAME, model="gpt-5")
    keep("User likes tea", origin="page", source_message=None)
    assert offered(scope) == 2
    assert [offered(other) for other in others if other.user_id] == [0, 0, 0]
    settings.OPENAI_API_KEY = ""
    assert service.tidying_of(scope) is None


def test_lines_that_an_import_kept_word_for_word_are_offered(keep, scope, model):
    keep(MEDICINE, origin="import", source_message=None)
    keep(TALK, origin="import", source_message=None, evidence="")
    assert offered(scope) == 1


def test_preview_has_what_each_line_becomes_and_stores_nothing(keep, read, scope):
    keep(MEDICINE, AGAIN, TALK, NAME, OF_MOTHER)
    assert read() == {
        MEDICINE: [TIDIED],
        AGAIN: [TIDIED],
        TALK: [],
        NAME: ["name: Adam"],
        OF_MOTHER: ["User's mother has asthma"],
    }
    repeats = [c.text for c in service.tidy_changes(scope) if c.repeats]
    assert repeats == [AGAIN]
    assert len(known(scope)) == 5
    assert not ProfileFact.objects.exists()


def test_model_is_asked_as_for_a_message_and_about_few_lines_at_once(keep, read, model):
    keep(MEDICINE, TALK, NAME, AGAIN)
    keep(OF_MOTHER, at=DAY - timedelta(days=1))
    read()
    asked = [
        json.loads(r.body["messages"][-1]["content"]) for r in model.titles.requests
    ]
    assert [len(document["message"].splitlines()) for document in asked] == [1, 3, 1]
    assert {tuple(document["known"]) for document in asked} == {()}


def test_applied_changes_keep_their_history_and_are_undone_together(keep, read, scope):
    texts = [MEDICINE, AGAIN, TALK, NAME, OF_MOTHER]
    keep(*texts)
    read()
    assert take_all(scope) == 5
    run_due()
    assert set(known(scope)) == {TIDIED, "User's mother has asthma"}
    assert ProfileFact.objects.get(active=True).content == "name: Adam"
    new = Memory.objects.get(content=TIDIED)
    assert (new.kind, new.origin, new.stated_at) == ("profile", "background", DAY)
    assert new.source_message.content == MEDICINE
    assert Memory.objects.get(content="User's mother has asthma").subject == "mother"
    assert service.tidying_of(scope).changed == 5
    assert service.settle_tidying(scope, undo=True)
    assert sorted(known(scope)) == sorted(texts)
    assert not ProfileFact.objects.filter(active=True).exists()
    assert service.tidying_of(scope) is None


def test_unticked_line_stays_and_nothing_is_offered_twice(keep, read, scope):
    keep(MEDICINE, TALK)
    read()
    (medicine,) = [c for c in service.tidy_changes(scope) if c.text == MEDICINE]
    assert service.tidy(scope, [str(medicine.key)]) == 1
    service.settle_tidying(scope, undo=False)
    assert set(known(scope)) == {TIDIED, TALK}
    assert service.tidying_of(scope) is None
    keep(NAME)
    assert offered(scope) == 1


def test_refused_offer_is_not_made_again(keep, scope, model):
    keep(MEDICINE)
    service.settle_tidying(scope, undo=False)
    assert service.tidying_of(scope) is None


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [fact("User has an allergy", "I am allergic to it")],
        [fact("User likes the bakery", "I am allergic to it")],
    ],
    ids=["left out", "without the drug", "something else"],
)
def test_safety_fact_is_never_lost(keep, read, scope, answer, monkeypatch):
    monkeypatch.setitem(READ, ALLERGY, answer)
    keep(ALLERGY, safety=True)
    assert read() == {}
    assert known(scope) == [ALLERGY]


@pytest.mark.parametrize(
    ("text", "shortens"),
    [
        ("I am allergic to penicillin and get a rash", False),
        ("for years I am allergic to penicillin and get a rash", True),
    ],
)
def test_safety_fact_stays_one_and_is_marked_where_words_go(
    keep, read, scope, text, shortens, monkeypatch
):
    made = "User is allergic to penicillin and gets a rash"
    quoted = "I am allergic to penicillin and get a rash"
    monkeypatch.setitem(READ, text, [fact(made, quoted)])
    keep(text, safety=True)
    assert read() == {text: [made]}
    assert [c.shortens for c in service.tidy_changes(scope)] == [shortens]
    take_all(scope)
    assert Memory.objects.get(active=True).safety


@pytest.mark.parametrize(
    "made",
    [
        fact("User takes Ramipril 10 mg", "I take Ramipril 5 mg"),
        fact("User takes Ramipril", "I take Ramipril 5 mg"),
        fact("User plays the violin", "I play the violin"),
        fact(TIDIED, "I take Ramipril 5 mg", mode="joke"),
    ],
    ids=["another dose", "no dose", "not said", "a joke"],
)
def test_line_stays_where_the_model_says_other_than_it(keep, read, made, monkeypatch):
    monkeypatch.setitem(READ, MEDICINE, [made])
    keep(MEDICINE, TALK)
    assert MEDICINE not in read()


def test_forgotten_fact_is_not_told_again(keep, read, scope):
    (old,) = keep(TIDIED, origin="page", source_message=None)
    service.forget(scope, [old.pk])
    keep(MEDICINE)
    assert read() == {}


def test_line_that_changed_since_is_left(keep, read, scope, embedder):
    kept = keep(MEDICINE, AGAIN, TALK, OF_MOTHER)
    read()
    keys = [str(row.pk) for row in kept]
    service.forget(scope, [kept[0].pk])
    prepared = service.prepare_facts([Candidate("I take Ramipril 7 mg")], NO_HOUSEHOLD)
    service.correct(scope, kept[1].pk, prepared)
    service.assign(scope, [kept[2].pk], Subject.read("mother"))
    assert [change.text for change in service.tidy_changes(scope)] == [OF_MOTHER]
    assert service.tidy(scope, keys) == 1


def test_forgotten_line_leaves_what_the_model_made_of_it(keep, read, scope):
    (medicine, _talk) = keep(MEDICINE, OF_MOTHER)
    read()
    service.forget(scope, [medicine.pk])
    payload = json.dumps(CaptureJob.objects.get(kind="tidy").payload)
    assert "Ramipril" not in payload
    assert "asthma" in payload


def test_failing_provider_is_told_and_asked_again(keep, scope, model):
    keep(MEDICINE)
    model.titles.queue(*[fails(503)] * 9)
    service.start_tidying(scope)
    run_due()
    state = service.tidying_of(scope)
    assert (state.error, state.is_ready, state.read) == ("provider_down", False, 0)
    model.titles._next.clear()
    CaptureJob.objects.update(available_at=timezone.now())
    run_due()
    assert service.tidying_of(scope).is_ready
    assert take_all(scope) == 1


def test_lines_without_a_readable_answer_stay_and_are_counted(keep, scope, model):
    keep(OF_MOTHER, at=DAY - timedelta(days=1))
    keep(MEDICINE)
    model.titles.queue(says("I am sorry"), says("I cannot do that"))
    service.start_tidying(scope)
    run_due()
    state = service.tidying_of(scope)
    assert (state.is_ready, state.unreadable) == (True, 1)
    assert len(service.tidy_changes(scope)) == 1


@pytest.mark.parametrize("answer", ["I am sorry", '{"facts": []}'])
def test_line_stays_where_a_small_model_says_nothing(
    keep, read, model, settings, answer
):
    settings.MODEL_SLOTS = 1
    keep(TALK, OF_MOTHER)
    model.titles.default = lambda _body: says(answer)
    assert read() == {}


def test_removed_model_is_waited_for(keep, scope, model, settings):
    keep(TALK)
    service.start_tidying(scope)
    settings.OPENAI_API_KEY = ""
    run_due()
    state = service.tidying_of(scope)
    assert (state.read, state.error) == (0, "no_model")


def test_second_start_makes_no_second_job(keep, scope, model):
    keep(MEDICINE)
    service.start_tidying(scope)
    service.start_tidying(scope)
    assert CaptureJob.objects.filter(kind="tidy").count() == 1


@pytest.mark.slow
def test_worker_killed_at_any_statement_loses_and_doubles_nothing(keep, scope, model):
    keep(MEDICINE, TALK, AGAIN, OF_MOTHER)
    for number in count(1):
        service.start_tidying(scope)
        with connection.execute_wrapper(Killer(number)), suppress(Killed):
            run_due()
            break
        jobs = CaptureJob.objects.filter(kind="tidy")
        jobs.update(leased_until=timezone.now() - timedelta(hours=1))
        run_due()
        changes = service.tidy_changes(scope)
        assert sorted(change.text for change in changes) == sorted(
            [MEDICINE, TALK, AGAIN, OF_MOTHER]
        ), number
        jobs.delete()
    assert number > 10
    assert len(known(scope)) == 4


def test_killed_apply_changes_nothing(keep, read, scope):
    keep(MEDICINE, TALK)
    read()
    for number in count(1):
        with connection.execute_wrapper(Killer(number)), suppress(Killed):
            assert take_all(scope) == 2
            break
        assert set(known(scope)) == {MEDICINE, TALK}
        assert CaptureJob.objects.filter(kind="tidy").exists()
    assert known(scope) == [TIDIED]
    assert number > 10


def test_edit_after_it_stays_when_the_rest_is_undone(keep, read, scope):
    keep(MEDICINE, TALK)
    read()
    take_all(scope)
    new = Memory.objects.get(content=TIDIED)
    prepared = service.prepare_facts([Candidate("I take Ramipril 7 mg")], NO_HOUSEHOLD)
    service.correct(scope, new.pk, prepared)
    service.settle_tidying(scope, undo=True)
    assert set(known(scope)) == {"I take Ramipril 7 mg", TALK}


def test_event_and_ended_job_keep_no_text(keep, read, scope):
    keep(MEDICINE, TALK)
    read()
    take_all(scope)
    told = MemoryEvent.objects.filter(data__contains=tidy.NEW).get()
    assert "Ramipril" not in json.dumps([told.data, told.texts])
    assert not CaptureJob.objects.filter(kind="tidy").exists()
