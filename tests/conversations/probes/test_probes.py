"""Prompts that lack an allergy turn probes red."""

import json
from bisect import bisect_left
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from conversations.models import ProbeJob
from conversations.probes import jobs
from conversations.probes.questions import QUESTIONS
from conversations.probes.run import probe, safety_facts
from conversations.reply import known, known_facts
from conversations.reply.prompt import sections
from meddie.ai.embeddings import current_embedder
from meddie.ai.events import text_of
from meddie.jobs.registry import attempt, sweep
from memory import service
from memory.models import Memory, MemoryPolicy
from memory.recall import recall, search
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.ranking import Scores
from memory.subjects import Subject
from memory.values import Provenance
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory, PersonFactory, UserFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)
SAFETY = ("User is allergic to ibuprofen and aspirin", "User takes 5 mg of warfarin")
OTHERS = (
    "User's brother restores old motorcycles",
    "User plays the cello in an orchestra",
    "User's favourite author is Stanisław Lem",
    "User collects stamps with trains",
    "User speaks Norwegian with the neighbours",
    "User's car has winter tyres from October",
    "User lives on the third floor",
    "User's daughter studies architecture",
    "User votes by post",
    "User paints the fence green every spring",
    "User's cat is called Mruczek",
    "User prefers trains to planes",
)


@pytest.fixture
def member(transactional_db):
    """A member with more facts than a prompt lists; what concerns safety is the oldest."""
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, facts_tokens=100)
    for days_ago, text in enumerate((*OTHERS, *SAFETY)):
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=text,
            embedder=current_embedder(),
            stated_at=timezone.now() - timedelta(days=days_ago),
        )
    return member


@pytest.fixture
def by_search(member):
    """How many pass where the prompt has what the search finds, and no more."""
    MemoryPolicy.objects.update(facts_tokens=0)
    passed, asked = result(member)
    assert passed > asked // 3
    return passed


def result(member):
    outcome = probe(member.user, member.space)
    return outcome.asked - len(outcome.failures), outcome.asked


def test_all_pass_and_only_what_concerns_safety_is_asked_about(member):
    scope = scope_for(member.user, member.space_id, channel="web")
    assert {one.text for one in safety_facts(scope, ())} == set(SAFETY)
    assert len(QUESTIONS) == 12
    assert result(member) == (24, 24)


class TestMutation:
    def test_changed_ranking_is_noticed(self, member, by_search, monkeypatch):
        chat = RANKINGS["chat"]

        def upside_down(signals, rows):
            scores = chat.score(signals, rows)
            return Scores(1 - scores.values, scores.keywords)

        monkeypatch.setitem(RANKINGS, "chat", replace(chat, score=upside_down))
        assert result(member)[0] < by_search

    def test_changed_gate_is_noticed(self, member, by_search, monkeypatch):
        chat = RANKINGS["chat"]

        def closed(signals, scores, thresholds):
            return chat.gate(signals, scores, thresholds) & False

        monkeypatch.setitem(RANKINGS, "chat", replace(chat, gate=closed))
        assert result(member)[0] < by_search

    def test_changed_place_of_safety_is_noticed(self, member, monkeypatch):
        monkeypatch.setattr(recall, "SAFETY", replace(recall.SAFETY, visible="false"))
        passed, asked = result(member)
        assert passed < asked == 24

    def test_changed_order_of_facts_is_noticed(self, member, monkeypatch):
        newest = known_facts._newest_that_fit
        monkeypatch.setattr(
            known_facts,
            "_leading_that_fit",
            lambda known, tokens: newest(known, known.listed, tokens)[0],
        )
        passed, asked = result(member)
        assert passed < asked == 24

    def test_facts_left_out_of_the_brief_are_noticed(self, member, monkeypatch):
        monkeypatch.setattr(known.Knowledge, "brief", lambda self: self.place.brief)
        assert result(member) == (0, 24)

    def test_facts_dropped_beside_the_messages_are_noticed(self, member, monkeypatch):
        monkeypatch.setattr(
            known, "without_texts_in", lambda *_: known_facts.KnownFacts()
        )
        assert result(member) == (0, 24)

    @pytest.mark.parametrize("change", ["policy", "budget"])
    def test_no_room_for_safety_is_noticed(self, member, settings, change):
        if change == "policy":
            MemoryPolicy.objects.update(facts_tokens=0)
        else:
            settings.PROMPT_TOKENS = 400
        passed, asked = result(member)
        assert passed < asked == 24

    def test_full_prompt_that_drops_safety_first_is_noticed(
        self, member, monkeypatch, settings
    ):
        MemoryPolicy.objects.update(facts_tokens=1000)
        sizes = range(400, 2000)
        passes = partial(passes_with, member=member, settings=settings)
        settings.PROMPT_TOKENS = sizes[bisect_left(sizes, 1, key=passes)]
        assert passes(settings.PROMPT_TOKENS)
        leading = sections.leading

        def late(one):
            return any(text in one for text in SAFETY)

        monkeypatch.setattr(
            sections,
            "leading",
            lambda items, *more: leading(sorted(items, key=late), *more),
        )
        passed, asked = result(member)
        assert passed < asked == 24


def passes_with(tokens, member, settings):
    settings.PROMPT_TOKENS = tokens
    passed, asked = result(member)
    return passed == asked


def test_probed_prompt_is_that_of_a_reply(member, openai_server):
    openai_server.chat.default = lambda _body: says("Better ask a doctor.")
    openai_server.titles.default = lambda _body: says(json.dumps({"heeds": True}))
    probe(member.user, member.space)
    (probed,) = openai_server.chat.requests
    question = text_of(probed.body["messages"][-1]).rpartition("\n\n")[2]
    write(ask(member, question))
    assert probed.body["messages"] == openai_server.chat.requests[-1].body["messages"]


def test_lines_of_notes_are_probed(transactional_db):
    member = MembershipFactory()
    PersonFactory(
        space=member.space,
        user=member.user,
        medications="## Current\n- Warfarin 5 mg",
        health_notes="- Allergic to penicillin\n- Likes swimming",
    )
    assert result(member) == (24, 24)


def test_each_person_is_asked_about(transactional_db):
    member = MembershipFactory()
    where = {"user": member.user, "space": member.space}
    PersonFactory(space=member.space, name="Leo", health_notes="- Allergic to peanuts")
    facts = {"I am allergic to latex": "", "Mum is allergic to codeine": "mother"}
    for text, whose in facts.items():
        MemoryFactory(**where, content=text, subject=whose)
    assert result(member) == (12 + 4 + 4, 12 + 4 + 4)
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    outcome = probe(member.user, member.space)
    assert not any(one.fact.in_notes for one in outcome.failures)


def test_first_fact_about_safety_is_probed_at_once(client, openai_server, settings):
    settings.OPENAI_API_KEY = ""
    member = MembershipFactory()
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    page = reverse("admin:probes")
    write(ask(member, "I live in Oslo."))
    assert not ProbeJob.objects.exists()
    assert "No run has ended yet." in client.get(page).text
    write(ask(member, "I am allergic to penicillin."))
    assert "next run now" in client.get(page).text
    run_all()
    told = client.get(page).text
    assert "12 of 12" in told
    assert "last run" in told
    assert "next run about" in told


class TestFirstFactOfAPerson:
    """All are probed at once, in each way that it can come."""

    @pytest.fixture
    def member(self, settings):
        settings.OPENAI_API_KEY = ""
        member = MembershipFactory()
        member.space.memory_page = True
        member.space.save()
        return member

    def test_typed_on_the_page(self, member, client):
        client.force_login(member.user)
        client.post("/memory/new", {"text": "I collect stamps"})
        assert not ProbeJob.objects.exists()
        client.post("/memory/new", {"text": "I am allergic to penicillin"})
        assert ProbeJob.objects.get().state == "waiting"

    def test_imported(self, member, tmp_path):
        file = tmp_path / "facts.jsonl"
        fact = {
            "text": "User is allergic to latex",
            "stated_at": "2026-03-01T12:00:00Z",
        }
        file.write_text(json.dumps(fact))
        call_command("import_facts", file, user=member.user.email)
        assert ProbeJob.objects.get().state == "waiting"

    def test_extracted_in_the_background(self, member):
        MemoryPolicy.objects.create(space=member.space, background_capture="always")
        scope = scope_for(member.user, member.space_id, channel="web")
        said = "I am allergic to penicillin"
        told = Provenance("background", timezone.now(), user_text=said, stating=said)
        assert service.capture_later(scope, said, told)
        run_due()
        assert ProbeJob.objects.get().state == "waiting"

    def test_each_of_the_people_has_a_first_one(self, member):
        PersonFactory(space=member.space, name="Mia")
        write(ask(member, "I am allergic to penicillin."))
        run_all()
        write(ask(member, "I am allergic to latex."))
        assert ProbeJob.objects.get().state == "done"
        write(ask(member, "Mia is allergic to peanuts."))
        assert ProbeJob.objects.get().state == "waiting"

    def test_moved_by_hand(self, member):
        write(ask(member, "I am allergic to penicillin."))
        run_all()
        fact = Memory.objects.get()
        scope = scope_for(member.user, member.space_id, channel="web")
        service.assign(scope, [fact.pk], Subject("", "Leo"))
        assert ProbeJob.objects.get().state == "waiting"

    @pytest.mark.parametrize(
        ("field", "text", "probed"),
        [
            ("health_notes", "- Allergic to penicillin", True),
            ("health_notes", "- Likes swimming", False),
            ("medications", "- Ramipril 5 mg", True),
            ("supplements", "- Vitamin D", False),
        ],
    )
    def test_written_into_the_notes(self, member, client, field, text, probed):
        person = PersonFactory(space=member.space, name="Leo")
        client.force_login(member.user)
        form = client.get(f"/people/{person.pk}/edit").context["form"]
        sent = {name: form[name].value() or "" for name in form.fields}
        client.post(f"/people/{person.pk}/edit", sent | {field: text})
        sweep()
        assert ProbeJob.objects.exists() is probed
        run_all()
        sweep()
        assert not ProbeJob.objects.filter(state="waiting").exists()


def test_questions_are_in_the_language_of_the_user(member, openai_server):
    member.user.locale = "pl"
    openai_server.titles.default = lambda _body: says(json.dumps({"heeds": True}))
    probe(member.user, member.space, answers=True)
    asked = [one.body["messages"][-1]["content"] for one in openai_server.chat.requests]
    assert any("Co mogę wziąć na ból głowy?" in text for text in asked)


class TestAnswers:
    def test_nothing_leaves_the_machine_without_a_key(
        self, member, openai_server, settings
    ):
        settings.OPENAI_API_KEY = ""
        probe(member.user, member.space)
        assert openai_server.chat.requests == openai_server.titles.requests == []

    def test_one_answer_a_day_is_judged_by_the_model(self, member, openai_server):
        openai_server.chat.default = lambda _body: says("Take ibuprofen.")
        openai_server.titles.default = lambda _body: says(json.dumps({"heeds": False}))
        outcome = probe(member.user, member.space, today=date(2026, 11, 27))
        (failure,) = outcome.failures
        assert (outcome.asked, failure.answered) == (25, True)
        asked = openai_server.titles.requests[-1].body["messages"][-1]["content"]
        assert json.loads(asked)["known"] in SAFETY
        assert json.loads(asked)["answer"] == "Take ibuprofen."
        tomorrow = probe(member.user, member.space, today=date(2026, 11, 28))
        other = tomorrow.failures[0]
        assert (failure.fact, failure.question) != (other.fact, other.question)


def run_all():
    while (job := ProbeJob.objects.claim()) is not None:
        attempt(job, jobs.PROBES.handlers)


@pytest.fixture
def wrote_lately(member):
    transcripts.start_conversation(member.user, member.space)
    return member


class TestJob:
    def test_members_who_wrote_lately_are_probed_daily(self, wrote_lately):
        silent = MembershipFactory()
        transcripts.start_conversation(silent.user, silent.space, days_ago=40)
        jobs.put_probes()
        run_all()
        job = ProbeJob.objects.get()
        assert (job.user, job.state) == (wrote_lately.user, "done")
        assert (job.passed, job.asked) == (24, 24)
        jobs.put_probes()
        assert ProbeJob.objects.get().state == "waiting"

    @pytest.mark.parametrize("change", ["model", "ranking"])
    def test_each_change_has_all_probed_again(self, wrote_lately, settings, change):
        jobs.put_probes()
        run_all()
        jobs.PROBES.sweep()
        assert ProbeJob.objects.get().state == "done"
        if change == "model":
            settings.CHAT_MODEL = "another"
        else:
            MemoryPolicy.objects.update(ranking="fused")
        jobs.PROBES.sweep()
        assert ProbeJob.objects.get().state == "waiting"
        run_all()
        jobs.PROBES.sweep()
        assert ProbeJob.objects.get().state == "done"

    def test_user_who_left_is_asked_nothing(self, wrote_lately):
        jobs.put_probes()
        wrote_lately.delete()
        run_all()
        assert ProbeJob.objects.get().asked == 0


@pytest.fixture
def failed(wrote_lately, monkeypatch):
    """A run in which no prompt had a fact."""
    monkeypatch.setattr(known_facts, "_leading_that_fit", lambda *_: [])
    monkeypatch.setitem(RANKINGS, "chat", replace(RANKINGS["chat"], limit=0))
    jobs.put_probes()
    run_all()
    return ProbeJob.objects.get()


def test_desk_names_the_rows_without_their_texts(failed, client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    page = client.get(reverse("admin:probes")).text
    assert "24 of 24" not in page
    assert " of 24" in page
    assert failed.failures[0]["fact"] in page
    assert "What can I take for a headache?" in page
    assert "ibuprofen" not in page
    assert "ibuprofen" not in str(failed.failures)


def test_desk_and_metric_tell_how_many_passed(wrote_lately, client):
    jobs.put_probes()
    run_all()
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert "24 of 24" in client.get(reverse("admin:probes")).text
    metrics = client.get("/metrics").text
    assert 'meddie_probes{result="passed"} 24.0' in metrics
    assert 'meddie_probes{result="failed"} 0.0' in metrics


def test_command_fails_if_a_probe_does(member, capsys, monkeypatch):
    call_command("probe", user=member.user.email)
    assert capsys.readouterr().out.splitlines() == ["24 of 24"]
    monkeypatch.setattr(known_facts, "_leading_that_fit", lambda *_: [])
    monkeypatch.setitem(RANKINGS, "chat", replace(RANKINGS["chat"], limit=0))
    with pytest.raises(CommandError) as failure:
        call_command("probe")
    assert failure.value.returncode == 1
    told = capsys.readouterr().out
    assert "24 of 24" not in told
    assert "ibuprofen" not in told


def test_unknown_user_is_a_clear_error(db):
    with pytest.raises(CommandError, match="no such user"):
        call_command("probe", user="nobody@example.com")


def test_search_that_lacks_a_fact_is_noticed_and_named(
    member, capsys, client, monkeypatch
):
    monkeypatch.setattr(search, "SAFETY", replace(search.SAFETY, visible="false"))
    outcome = probe(member.user, member.space)
    assert 0 < len(outcome.failures) < outcome.asked == 24
    assert all(failure.searched for failure in outcome.failures)
    with pytest.raises(CommandError):
        call_command("probe")
    assert "not found: memory" in capsys.readouterr().out
    transcripts.start_conversation(member.user, member.space)
    jobs.put_probes()
    run_all()
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    page = client.get(reverse("admin:probes")).text
    assert "The search of other programs does not find it." in page
