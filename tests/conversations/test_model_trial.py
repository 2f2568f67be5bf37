"""A model is tried, and it is kept what works."""

import asyncio
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from conversations.model_trial import last_trial, try_model
from conversations.models import ChatModel
from meddie.ai import offline, priority, structured
from meddie.ai.client import Endpoint
from tests.conversations.turns import noting
from tests.factories import MembershipFactory, UserFactory
from tests.openai_answers import fails, says
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.django_db(transaction=True)
NOTED = noting("Thank you.", memory_saves=["User is allergic to penicillin"])
FOUND = {
    "facts": [
        {
            "text": "User is allergic to penicillin",
            "evidence": "I am allergic to penicillin.",
            "about": "user",
        }
    ]
}
SEEN = {"short": "A red square.", "detail": "It is red.", "text": ""}


@pytest.fixture(autouse=True)
def no_formats_known():
    structured.accepted_formats.clear()


@pytest.fixture
def able(openai_server):
    """A provider that can do everything."""
    openai_server.chat.queue(says("Hello!"), NOTED)
    openai_server.titles.queue(says(json.dumps(FOUND)), says(json.dumps(SEEN)))
    return openai_server


def outcomes():
    return {step.name: step.outcome for step in try_model()}


def test_everything_works_with_a_good_model(able, settings):
    assert set(outcomes().values()) == {"works"}
    model, steps = last_trial()
    assert (model.name, model.notes_facts) == (settings.CHAT_MODEL, True)
    assert [step.name for step in steps][:2] == ["greeting", "block"]
    assert steps[0].first_word is not None
    assert steps[0].rate > 0


def test_model_without_a_block_is_known_at_once(openai_server, settings):
    openai_server.titles.default = lambda _body: says("I see.")
    found = outcomes()
    assert (found["block"], found["extraction"]) == ("no", "no")
    assert ChatModel.objects.silent().get().name == settings.CHAT_MODEL


def test_broken_block_and_refused_schema_work_by_repair(openai_server):
    broken = '```json\n{"memory_saves": ["User is allergic to penicillin"'
    openai_server.chat.queue(says("Hello!"), says(f"Noted.\n\n{broken}"))
    openai_server.titles.queue(fails(400), says(json.dumps(FOUND)))
    found = outcomes()
    assert (found["block"], found["extraction"]) == ("repaired", "repaired")


def test_facts_that_the_guards_refuse_are_counted_and_do_not_count_as_works(
    openai_server,
):
    asked = FOUND["facts"][0] | {"mode": "asked"}
    copied = {"text": "User has a parrot called Quibbo", "evidence": "my parrot Quibbo"}
    answer = says(json.dumps({"facts": [asked, copied]}))
    openai_server.chat.queue(says("Hello!"), NOTED)
    openai_server.titles.queue(answer, says(json.dumps(SEEN)))
    step = next(step for step in try_model() if step.name == "extraction")
    assert (step.outcome, step.error) == ("no", "not_stated, of_prompt")
    assert (step.accepted, step.proposed) == (0, 2)


def test_step_that_gave_way_to_a_reply_is_tried_again(able, settings, monkeypatch):
    settings.MODEL_SLOTS = 1
    monkeypatch.setattr(priority, "LONGEST_WAIT", 0.0)
    steps = try_model()
    assert [next(steps).name for _ in range(2)] == ["greeting", "block"]
    began, end = threading.Event(), threading.Event()

    async def reply():
        async with priority.replying(Endpoint.for_chat()):
            began.set()
            await eventually(end.is_set)

    def tried():
        try:
            return next(steps)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        replying = pool.submit(asyncio.run, reply())
        assert began.wait(PATIENCE)
        extraction = pool.submit(tried)
        with pytest.raises(TimeoutError):
            extraction.result(1.0)
        end.set()
        assert extraction.result().outcome == "works"
        replying.result()


def test_command_prints_each_step_and_its_consequence(able):
    out = io.StringIO()
    call_command("check_model", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("test-chat at ")
    assert lines[1].startswith("A greeting: works. First word after ")
    assert lines[2].endswith("Replies note facts down themselves.")
    assert lines[3].endswith("works. 1 of 1 facts accepted.")


def test_command_fails_where_there_is_no_answer(openai_server):
    openai_server.chat.default = lambda _body: fails(401)
    with pytest.raises(CommandError):
        call_command("check_model", stdout=io.StringIO())
    _, steps = last_trial()
    assert (steps[0].outcome, steps[0].error) == ("no", "wrong_key")


def test_stand_in_can_be_tried(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    assert outcomes() == {
        "greeting": "works",
        "block": "works",
        "extraction": "works",
        "embedding": "works",
        "picture": "no",
    }


def test_staff_try_it_on_the_page_and_others_may_not(client, able):
    staff = UserFactory(is_staff=True)
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    page = client.post("/model/try", headers={"HX-Request": "true"}).text
    assert "A statement, noted down in the reply: <strong>works</strong>" in page
    assert "works</strong>" in client.get("/model").text
    member = UserFactory()
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/model/try").status_code == 404


def test_page_says_that_messages_are_extracted(client, openai_server, settings):
    ChatModel.objects.create(name=settings.CHAT_MODEL, without_block=10)
    user = UserFactory()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert "facts are extracted from messages in the background" in (
        client.get("/model").text
    )


def test_settings_of_a_space_show_the_last_trial(client, able):
    list(try_model())
    admin = MembershipFactory(role="admin")
    client.force_login(admin.user, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("people:space_settings", args=[admin.space_id])).text
    assert "Replies note facts down themselves." in page
