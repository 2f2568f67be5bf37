"""Messages of users whose model writes no block are extracted in the background."""

import json

import pytest

from conversations.models import ChatModel
from conversations.models.chat_model import ENOUGH_REPLIES
from conversations.new_conversation import Start
from conversations.reply import revise
from conversations.reply.block.keys import KEYS
from conversations.reply.prompt import prompts
from meddie.ai.tokens import estimate
from memory.models import CaptureJob, Memory, MemoryPolicy
from tests.conversations.reply.test_context import messages_of
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)
EXTRACTED = {
    "facts": [
        {"text": "User lives in Oslo", "evidence": "I live in Oslo", "about": "user"}
    ]
}


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def silent(openai_server, settings):
    """A model that has written no block in its last replies."""
    openai_server.chat.default = lambda _body: says("I see.")
    ChatModel.objects.create(name=settings.CHAT_MODEL, without_block=ENOUGH_REPLIES)
    return openai_server


def jobs():
    return CaptureJob.objects.filter(kind=CaptureJob.EXTRACT).count()


@pytest.mark.req("S0-55")
def test_nothing_is_extracted_until_ten_replies_had_no_block(member, openai_server):
    openai_server.chat.default = lambda _body: says("I see.")
    for _ in range(ENOUGH_REPLIES):
        write(ask(member, "I live in Oslo."))
    assert jobs() == 0
    assert not ChatModel.objects.get().notes_facts
    write(ask(member, "I live in Oslo."))
    assert jobs() == 1


def test_message_is_extracted_and_its_facts_are_remembered(member, silent):
    silent.titles.default = lambda _body: says(json.dumps(EXTRACTED))
    write(ask(member, "I live in Oslo."))
    run_due()
    assert [fact.content for fact in Memory.objects.all()] == ["User lives in Oslo"]


@pytest.mark.parametrize(
    "answer",
    [
        says("I am a nice model."),
        says('{"facts": []}'),
        fails(400, error_code="context_length_exceeded"),
    ],
)
def test_own_words_are_kept_where_a_small_model_finds_no_facts(
    member, silent, settings, answer
):
    settings.MODEL_SLOTS = 2
    silent.titles.default = lambda _body: answer
    write(ask(member, "I take 20 mg of ramipril."))
    run_due()
    write(ask(member, "I take 40 mg of ramipril now."))
    run_due()
    old, new = Memory.objects.order_by("stated_at")
    assert old.content == "I take 20 mg of ramipril"
    assert (new.content, new.may_replace) == ("I take 40 mg of ramipril now", old)


def test_message_of_a_reply_that_failed_is_extracted_once(member, openai_server):
    openai_server.chat.queue(fails(400), fails(400))
    turn = ask(member, "I live in Oslo.")
    reply = write(turn)
    assert reply.error == "refused"
    assert jobs() == 1
    write(revise.regenerate(member.user, member.space_id, reply.pk))
    assert jobs() == 1
    assert not ChatModel.objects.exists()


def test_a_block_ends_it(member, silent):
    silent.chat.queue(noting(memory_saves=["User lives in Oslo"]))
    write(ask(member, "I live in Oslo."))
    assert jobs() == 0
    assert ChatModel.objects.get().notes_facts
    write(ask(member, "I moved to Bergen."))
    assert jobs() == 0


@pytest.mark.parametrize("policy", ["never", "api"])
def test_space_may_do_without(member, silent, policy):
    MemoryPolicy.objects.create(space=member.space, background_capture=policy)
    write(ask(member, "I live in Oslo."))
    assert jobs() == 0


def test_conversation_without_memory_is_neither_counted_nor_extracted(member, silent):
    ChatModel.objects.update(without_block=3)
    write(ask(member, "I live in Oslo.", start=Start(remember=False)))
    assert ChatModel.objects.get().without_block == 3
    assert jobs() == 0


def test_small_models_get_at_most_450_tokens_of_instructions():
    system = messages_of(short=True)[0]["content"]
    assert system.startswith(prompts.SHORT_PERSONA)
    assert prompts.SHORT_BLOCK in system
    leads = (prompts.FACTS_LEAD, prompts.PROFILE_LEAD)
    assert sum(map(estimate, [system, *leads])) <= 450
    longest = messages_of(short=True, person="## Person: Anna", keeps_lore=True)
    assert estimate(longest[0]["content"]) <= 450


@pytest.mark.req("S0-11", "S0-12", "S0-13", "S0-14", "S0-15", "S0-17", "S0-47")
def test_short_instructions_have_the_rules_that_guard():
    system = messages_of(short=True)[0]["content"]
    for rule in (
        "ONLY what the user stated or confirmed",
        "never medical knowledge of your own",
        "their language",
        "200 characters",
        "absolute dates",
        "No laboratory values, passing states",
        "lists of medications",
    ):
        assert rule in system


@pytest.mark.req("S0-47", "S0-61", "S3-27", "S4-17", "S4-18")
@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
@pytest.mark.parametrize("short", [True, False])
def test_each_key_with_instructions_is_asked_for_under_its_condition(key, short):
    def system(**conditions):
        found = {"remember": True, "person": "## Person: Anna", "keeps_lore": True}
        return messages_of(short=short, **found | conditions)[0]["content"]

    line = f'- "{key.name}"'
    assert bool(key.short) is bool(key.instructions) is (line in system())
    assert (line in system(remember=False)) is not key.needs_memory
    assert (line in system(person="")) is not key.needs_person
    assert (line in system(keeps_lore=False)) is not key.needs_lore


def test_instructions_are_short_for_a_server_of_one_s_own(
    member, openai_server, settings
):
    settings.MODEL_SLOTS = 2
    write(ask(member, "Hello"))
    system = openai_server.chat.requests[-1].body["messages"][0]["content"]
    assert prompts.SHORT_BLOCK in system
    assert prompts.PERSONA not in system
