"""Facts of messages replace, refine and repeat what is known."""

import json
from datetime import timedelta

import pytest

from conversations.reply.turn import begin
from memory.facts import resolve
from memory.facts.resolve import Verdict
from memory.models import CaptureJob, Memory, MemoryLink, MemoryUpdate
from tests.memory.background.heard import EARLIER, NOW, facts, run_event
from tests.memory.conftest import known
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db


@pytest.mark.req("S1-05", "S1-28", "S1-29", "S1-44")
def test_contradiction_replaces_the_older_fact_in_one_run(hear, api):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    hear("I live in Bergen now", facts("User lives in Bergen"), verdicts("replace"))
    assert known(api) == ["User lives in Bergen"]
    assert MemoryUpdate.objects.get().reason == "newer"
    assert [d["action"] for d in run_event()["decisions"]] == ["replace"]
    assert not CaptureJob.objects.exclude(state="done").exists()


@pytest.mark.req("S1-40")
def test_older_statement_that_arrives_late_is_superseded_at_once(hear, api):
    hear("I live in Bergen", facts("User lives in Bergen"))
    hear(
        "I live in Oslo",
        facts("User lives in Oslo"),
        verdicts("replace"),
        at=EARLIER,
    )
    assert known(api) == ["User lives in Bergen"]
    old = Memory.objects.get(content="User lives in Oslo")
    assert old.retired_reason == "superseded"


@pytest.mark.req("S1-31")
def test_repeated_fact_writes_nothing_but_the_date(hear, api):
    hear("I take aspirin 100 mg", facts("User takes aspirin 100 mg"), at=EARLIER)
    hear("I take aspirin", facts("User takes aspirin"), verdicts("ignore"))
    memory = Memory.objects.get()
    assert (memory.content, memory.stated_at) == ("User takes aspirin 100 mg", NOW)
    assert not MemoryUpdate.objects.exists()


@pytest.mark.req("S1-32")
def test_fuller_fact_replaces_the_thinner_one(hear, api):
    hear("I take aspirin", facts("User takes aspirin"), at=EARLIER)
    fuller = facts("User takes aspirin 100 mg")
    hear("I take aspirin 100 mg", fuller, verdicts("refine"))
    assert known(api) == ["User takes aspirin 100 mg"]


@pytest.mark.req("S1-30", "S1-50")
def test_others_keep_a_shared_memory_that_one_contradicts(hear, api, bob, home):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    shared = Memory.objects.get()
    MemoryLink.objects.create(user=bob, space=home, memory=shared)
    hear("I live in Bergen now", facts("User lives in Bergen"), verdicts("replace"))
    assert known(api) == ["User lives in Bergen"]
    shared.refresh_from_db()
    assert shared.active
    assert [link.user for link in shared.links.all()] == [bob]


@pytest.mark.req("S1-27", "S1-38")
def test_same_fact_of_two_messages_is_one_row_and_not_resolved(hear):
    for at in (EARLIER, NOW):
        hear("I am vegan", facts("User is vegan"), at=at)
    assert Memory.objects.get().stated_at == NOW


def test_nonsense_of_the_resolver_changes_nothing(hear, api):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    nonsense = {"decisions": [{"new": 7, "action": "replace", "target": 9}]}
    hear("I live in Bergen", facts("User lives in Bergen"), nonsense)
    assert known(api) == ["User lives in Oslo"]
    assert CaptureJob.objects.filter(state="dead").count() == 1


def test_fact_that_is_stored_meanwhile_is_resolved_afterwards(
    hear, tell, api, monkeypatch
):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    asked = []

    def ask_slowly(comparison):
        if not asked:
            tell("User lives in Paris", at=EARLIER + timedelta(hours=1), scope=api)
        asked.append([row.content for row in comparison.known])
        everyone = range(1, len(comparison.known) + 1)
        return [Verdict(**ruling(target=n)) for n in everyone]

    monkeypatch.setattr(resolve, "ask_resolver", ask_slowly)
    hear("I live in Bergen now", facts("User lives in Bergen"))
    assert asked[0] == ["User lives in Oslo"]
    assert known(api) == ["User lives in Bergen"]


def verdicts(action):
    return {"decisions": [ruling(action)]}


@pytest.mark.parametrize("first", ["inline", "background"])
@pytest.mark.parametrize("words", ["User is vegan", "User is now a vegan person"])
def test_reply_and_extraction_of_one_message_store_a_fact_once(
    tell, openai_server, web, ann, first, words
):
    message = begin(ann, web.space_id, "I am vegan").message
    how = {"message_id": message.pk, "scope": web, "at": message.created_at}
    if first == "inline":
        tell("User is vegan", user_text="I am vegan", **how)
    extracted = words if first == "inline" else "User is vegan"
    openai_server.titles.queue(says(json.dumps(facts(extracted))))
    run_due(WordEmbedder())
    if first == "background":
        tell(words, user_text="I am vegan", **how)
    assert known(web) == ["User is vegan"]
