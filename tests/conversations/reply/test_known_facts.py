# ruff: noqa: RUF001 - Russian letters are meant
"""What a prompt has of the user's facts, and what the receipts say of it."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from conversations.models import Thread
from conversations.new_conversation import Start
from conversations.reply.prompt import prompts
from conversations.reply.turn import Received
from memory import service
from memory.models import Memory, MemoryPolicy
from memory.operators.snapshots import write_changes
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)

ALLERGY = "User is allergic to ibuprofen"
DOG = "User has a dog"
CAT = "User has a grey cat"
QUESTION = "Am I allergic to ibuprofen?"


@pytest.fixture
def member(db):
    return MembershipFactory()


@pytest.fixture
def know(member):
    """Store facts, the first of them last, each on a day of its own."""

    def know(*texts, owner=member):
        now = timezone.now()
        return [
            MemoryFactory(
                user=owner.user,
                space=owner.space,
                content=text,
                stated_at=now - timedelta(days=age),
            )
            for age, text in enumerate(texts)
        ]

    return know


def memory_section(openai_server):
    """The facts of the system message, and what was added to the user's message."""
    known, _, more = prompt_text(openai_server).partition("# Taking notes")
    known = known.partition("# Long-term Memory\n")[2]
    return f"{known}{more.partition(prompts.ADDED)[2]}"


def facts_in(section):
    return [line.split(" (")[0] for line in section.splitlines() if line[:2] == "- "]


def asked(member, openai_server, text=QUESTION, **options):
    """The facts of the system message, and those that came with the message."""
    openai_server.chat.queue(says("Well."))
    write(ask(member, text, **options))
    known, _, more = prompt_text(openai_server).partition("# Taking notes")
    _, _, section = known.partition("# Long-term Memory\n")
    _, _, more = more.partition(f"{prompts.ADDED}\n")
    return facts_in(section), facts_in(more)


@pytest.mark.req("S0-30", "S0-31", "S2-09")
def test_all_facts_come_in_the_order_in_which_they_were_stored(
    member, openai_server, know
):
    know(DOG, CAT, ALLERGY)
    in_order = [f"- {DOG}", f"- {CAT}", f"- {ALLERGY}"]
    assert asked(member, openai_server) == (in_order, [])


@pytest.mark.req("S0-30")
def test_a_question_that_needs_no_fact_has_the_same_beginning(
    member, openai_server, know
):
    know(DOG, CAT, ALLERGY)
    systems = set()
    for question in (QUESTION, "Quo vadis?", "What do you know about me?"):
        asked(member, openai_server, question)
        systems.add(openai_server.chat.requests[-1].body["messages"][0]["content"])
    assert len(systems) == 1


def test_facts_stated_again_keep_their_place(member, openai_server, know):
    dog, *_ = know(DOG, CAT)
    for day in (1, 9):
        Memory.objects.filter(pk=dog.pk).update(stated_at=f"2027-03-0{day}T12:00Z")
        assert asked(member, openai_server)[0] == [f"- {DOG}", f"- {CAT}"]


def test_facts_are_known_in_any_language(member, openai_server, know):
    know(ALLERGY)
    known, found = asked(member, openai_server, "Jaka jest stolica Francji?")
    assert known + found == [f"- {ALLERGY}"]


@pytest.mark.req("S0-23", "S0-30", "S0-31")
def test_a_budget_of_zero_leaves_what_the_ranking_returns(member, openai_server, know):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    texts = [f"User is allergic to nut number {n}" for n in range(9)]
    know(DOG, CAT, *texts)
    known, found = asked(member, openai_server, f"Is it so: {texts[3]}?")
    assert (len(known), known[0], found) == (6, f"- {texts[3]}", [])


def test_newest_facts_are_kept_within_the_budget(member, openai_server, know):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=200)
    know(*(f"User has fish number {n}" for n in range(40)))
    known, _ = asked(member, openai_server, "Quo vadis?")
    assert len(known) in range(1, 17)
    assert set(known) == {f"- User has fish number {n}" for n in range(len(known))}


@pytest.mark.req("S0-30")
def test_found_facts_beyond_the_budget_come_with_the_message(
    member, openai_server, know
):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=200)
    know(*(f"User has fish number {n}" for n in range(40)), ALLERGY)
    known, found = asked(member, openai_server)
    assert f"- {ALLERGY}" not in known
    assert f"- {ALLERGY}" in found
    assert not set(known) & set(found)


def test_new_facts_seldom_change_the_beginning(member, openai_server, know):
    """Beyond the budget: the list begins with the same fact most of the time."""
    MemoryPolicy.objects.create(space=member.space, facts_tokens=400)
    know(*(f"User has fish number {n}" for n in range(60)))
    firsts = []
    for number in range(24):
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=f"User has cat number {number}",
            pk=UUID(int=1000 + number),
        )
        known, _ = asked(member, openai_server, "Quo vadis?")
        assert known[-1] == f"- User has cat number {number}"
        firsts.append(known[0])
    moved = sum(one != other for one, other in pairwise(firsts))
    assert moved <= 12
    assert len(set(firsts)) == moved + 1


def test_a_small_context_has_room_for_what_was_found(
    member, openai_server, know, settings
):
    settings.CONTEXT_TOKENS = 400
    know(*(f"User has fish number {n}" for n in range(40)), ALLERGY)
    known, found = asked(member, openai_server)
    assert f"- {ALLERGY}" in found
    assert 0 < len(known) < 20


def test_facts_carry_the_day_in_the_time_zone_of_the_user(member, openai_server, know):
    member.user.time_zone = "Asia/Tokyo"
    member.user.save()
    know(ALLERGY, DOG)
    Memory.objects.update(stated_at=datetime(2026, 7, 31, 20, tzinfo=UTC))
    asked(member, openai_server)
    section = memory_section(openai_server)
    assert f"- {ALLERGY} (stated 2026-08-01)" in section
    assert f"- {DOG} (stated 2026-08-01)" in section
    assert "the later one holds" in section


@pytest.mark.req("S0-53")
def test_other_facts_come_without_an_embedding_too(member, openai_server, know):
    know(DOG, ALLERGY)
    openai_server.embeddings.default = lambda body: fails(500)
    assert asked(member, openai_server) == ([f"- {DOG}", f"- {ALLERGY}"], [])


@pytest.mark.req("S0-08", "S0-09", "S0-10")
def test_other_users_and_spaces_and_memory_off_get_none(member, openai_server, know):
    know(ALLERGY)
    MembershipFactory(user=member.user)
    for other in (
        MembershipFactory(user=member.user),
        MembershipFactory(space=member.space),
    ):
        assert asked(other, openai_server) == ([], [])
    member.user.memory_on = False
    member.user.save()
    assert asked(member, openai_server) == ([], [])


def test_conversation_that_is_not_remembered_reads_them(member, openai_server, know):
    know(DOG)
    start = Start(remember=False)
    assert asked(member, openai_server, start=start)[0] == [f"- {DOG}"]


def test_receipts_say_which_section_a_fact_was_in(member, openai_server, know):
    dog, allergy = know(DOG, ALLERGY)
    asked(member, openai_server)
    rows = retrieved("memory")
    assert [(row.rank, row.key, row.section, row.injected) for row in rows] == [
        (1, allergy.pk, "remembered", True),
        (2, dog.pk, "also_known", True),
    ]


def test_facts_of_the_last_reply_stay_for_the_next_message(member, openai_server, know):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    know(ALLERGY, DOG)
    openai_server.chat.queue(says("Yes."))
    first = ask(member, QUESTION)
    write(first)
    on = {"conversation_id": first.conversation_id}
    found, _ = asked(member, openai_server, "Jaka jest stolica Francji?", **on)
    assert found == [f"- {ALLERGY}"]
    Memory.objects.filter(content=ALLERGY).update(
        active=False, retired_reason="retracted", retired_at=timezone.now()
    )
    assert asked(member, openai_server, "Ile ma mieszkańców?", **on) == ([], [])


@pytest.mark.parametrize(
    "line", [f"{DOG} (stated 2026-08-01)", f"{DOG} (stated 2026-08-01)."]
)
def test_the_day_of_a_copied_line_is_not_part_of_the_fact(
    member, openai_server, know, line
):
    openai_server.chat.queue(noting(memory_saves=[line]), noting(memory_forgets=[line]))
    write(ask(member, "I have a dog."))
    memory = Memory.objects.get()
    assert memory.content == DOG
    write(ask(member, "Forget that I have a dog."))
    memory.refresh_from_db()
    assert memory.retired_reason == "retracted"


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me?",
        "What do you remember about me?",
        "Co o mnie wiesz?",
        "Co o mnie pamiętasz?",
        "Что ты обо мне знаешь?",
        "Что ты помнишь обо мне?",
    ],
)
def test_an_overview_has_every_fact_and_their_number(
    member, openai_server, know, question
):
    know(*(f"User has fish number {n}" for n in range(42)))
    known, found = asked(member, openai_server, question)
    fish = {f"- User has fish number {n}" for n in range(42)}
    assert sorted(known + found) == sorted(fish)
    told = "42 facts with the user profile, 42 of them here and above"
    assert told in memory_section(openai_server)


def test_an_overview_above_the_budget_says_how_many_there_are(
    member, openai_server, know, settings
):
    settings.PROMPT_TOKENS = 1400
    MemoryPolicy.objects.create(space=member.space, facts_tokens=100)
    know(*(f"User has fish number {n}" for n in range(42)))
    known, found = asked(member, openai_server, "What do you know about me?")
    shown = len(known) + len(found)
    assert 0 < len(known) < shown < 42
    section = memory_section(openai_server)
    assert f"42 facts with the user profile, {shown} of them here" in section
    assert sum(row.injected for row in retrieved()) == shown


@pytest.mark.parametrize(("status", "found"), [("done", True), ("superseded", False)])
def test_confirmation_after_a_pause_answers_the_last_current_reply(
    member, openai_server, know, status, found
):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    know(ALLERGY, DOG)
    old = transcripts.start_conversation(member.user, member.space)
    transcripts.exchange(old, "Hello.", "Nice to see you again today.")
    question = "Shall I check the ibuprofen?"
    transcripts.exchange(old, "I have a headache.", question, status)
    start = Start(thread=Thread.objects.get(pk=old.thread_id), carries=old)
    received = Received(uuid4(), timezone.now())
    facts, _ = asked(member, openai_server, "Tak", start=start, received=received)
    assert facts == ([f"- {ALLERGY}"] if found else [])


@pytest.mark.req("S1-41")
def test_a_community_memory_is_marked_and_in_no_list_of_the_users_facts(
    member, openai_server
):
    MemoryFactory(
        user=None,
        space=None,
        audience="everyone",
        content="Allergies to ibuprofen are seen by Dr Maj",
        linked=False,
    )
    fact = "- Allergies to ibuprofen are seen by Dr Maj"
    assert asked(member, openai_server) == ([], [fact])
    line = f"{fact} (for all users, not about this one)"
    assert line in memory_section(openai_server)


@pytest.mark.req("S3-01", "S3-02")
def test_files_for_operators_are_no_source_of_a_prompt(
    member, openai_server, know, tmp_path, settings
):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    know(DOG, CAT)
    scope = scope_for(member.user, member.space_id, channel="web")
    service.journal(scope, uuid4(), timezone.now(), "Ann", "Hello", ingested=True)
    write_changes()
    (snapshot,) = settings.JOURNALS_FOLDER.glob("*/MEMORY.md")
    assert CAT in snapshot.read_text()
    Memory.objects.filter(content=CAT).delete()
    snapshot.write_text(snapshot.read_text().replace("dog", "ferret"))
    found, others = asked(member, openai_server, "Which pets have I?")
    assert found + others == [f"- {DOG}"]
