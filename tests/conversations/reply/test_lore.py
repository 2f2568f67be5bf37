"""Lines that a reply keeps for the whole household: stored, told, recalled for members."""

import pytest

from conversations.models import Message
from conversations.new_conversation import Start
from conversations.reply import change_lines
from conversations.reply.revise import edit, regenerate
from memory.models import Memory, MemoryPolicy
from people.models import Membership
from tests.conversations.receipts import retrieved
from tests.conversations.reply.test_followups import queued
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import MembershipFactory, UserFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

FRIDAY = "Movie night is on Friday"
STORED = f"Memory line: {FRIDAY}."
HEADING = "## Shared In This Space"
KEY = '- "memory_line"'


@pytest.fixture
def ann():
    member = MembershipFactory(user=UserFactory(name="Ann"))
    MemoryPolicy.objects.create(space=member.space, lore=True)
    return member


@pytest.fixture
def bob(ann):
    return MembershipFactory(space=ann.space, role=Membership.Role.MEMBER)


@pytest.fixture
def talk(openai_server):
    """Send a message whose reply has these keys; the turn."""

    def talk(member, text, **keys):
        openai_server.chat.queue(noting("All right.", **keys) if keys else says("Oh."))
        turn = ask(member, text)
        write(turn)
        return turn

    return talk


@pytest.fixture
def prompt(openai_server):
    return lambda: prompt_text(openai_server)


def lines(turn):
    rows = Message.objects.current().filter(answers=turn.message, role="system")
    return [change_lines.sentence(one) for one in rows.with_changes().in_order()]


def lore():
    return list(Memory.objects.filter(audience="space").active().order_by("content"))


@pytest.mark.req("S3-27", "S3-29", "S3-33")
def test_a_line_of_a_reply_is_kept_and_told(ann, talk):
    turn = talk(ann, f"Note for all of us: {FRIDAY}.", memory_line=f"{FRIDAY}.")
    (row,) = lore()
    assert row.content == STORED
    assert row.source_message == turn.message
    assert lines(turn) == [f"Kept for the whole household: {FRIDAY}"]


@pytest.mark.req("S3-32")
def test_a_task_embeds_it(ann, talk):
    queued()
    talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    assert "memory.embed" in queued("memory")


def test_lines_and_facts_are_told_together(ann, talk):
    turn = talk(
        ann,
        "For all: Ann cooks on Sunday. I like tea.",
        memory_line=["Ann cooks on Sunday", 7],
        memory_saves=["User likes tea"],
    )
    assert lines(turn) == [
        "Remembered: Likes tea · Kept for the whole household: Ann cooks on Sunday"
    ]


@pytest.mark.req("S3-27")
def test_a_line_in_a_broken_block_is_kept(ann, openai_server):
    block = f'{{"memory_line": "{FRIDAY}", "memory_saves": ["User lik'
    openai_server.chat.queue(says(f"Good.\n\n```json\n{block}\n```"))
    reply = write(ask(ann, f"{FRIDAY}, everyone!"))
    assert reply.content == "Good."
    assert [row.content for row in lore()] == [STORED]


@pytest.mark.req("S3-28", "S3-47")
def test_members_read_it_and_others_do_not(ann, bob, talk, prompt):
    talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    turn = talk(bob, "What shall we do on Friday?")
    section = prompt().partition(HEADING)[2]
    assert f"- {FRIDAY} (" in section
    [row] = retrieved("lore", message=turn.reply_id)
    assert (row.section, row.injected) == ("lore", True)
    assert row.key == lore()[0].pk
    stranger = MembershipFactory()
    MemoryPolicy.objects.create(space=stranger.space, lore=True)
    talk(stranger, "What shall we do on Friday?")
    assert FRIDAY not in prompt()


def test_a_member_without_memory_reads_none(ann, bob, talk, prompt):
    talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    bob.user.memory_on = False
    bob.user.save()
    talk(bob, "What shall we do on Friday?")
    assert FRIDAY not in prompt()


def test_without_lore_the_key_is_not_offered_and_is_ignored(ann, talk, prompt):
    talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    assert KEY in prompt()
    MemoryPolicy.objects.update(lore=False)
    turn = talk(ann, "Ann cooks on Sunday", memory_line="Ann cooks on Sunday")
    assert KEY not in prompt()
    assert HEADING not in prompt()
    assert lines(turn) == []
    assert len(lore()) == 1


def test_in_an_unremembered_conversation_nothing_is_kept(ann, openai_server, prompt):
    openai_server.chat.queue(noting(memory_line=FRIDAY))
    write(ask(ann, f"For all: {FRIDAY}", start=Start(remember=False)))
    assert lore() == []
    assert KEY not in prompt()


def test_nothing_of_an_emergency_is_kept(ann, talk):
    turn = talk(
        ann,
        f"I have crushing chest pain right now. {FRIDAY} for all.",
        memory_line=["Ann has crushing chest pain", FRIDAY],
    )
    assert turn.reply.emergency_note
    assert [row.content for row in lore()] == [STORED]


def test_the_line_can_be_undone(ann, bob, talk):
    turn = talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    line = Message.objects.with_changes().get(answers=turn.message, role="system")
    assert change_lines.can_undo(line)
    assert not change_lines.undo_line(line, bob.user)
    assert change_lines.undo_line(line, ann.user)
    assert lore() == []
    assert lines(turn) == ["Forgotten: 1 memory"]


def test_only_the_teller_and_admins_forget_it(ann, bob, talk):
    talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    wish = {"memory_forgets": [FRIDAY]}
    turn = talk(bob, "Forget the movie night", **wish)
    assert lines(turn) == [
        "Kept for the whole household, so only an admin of it can forget this: "
        + FRIDAY
    ]
    assert len(lore()) == 1
    turn = talk(ann, "Forget the movie night", **wish)
    assert lines(turn) == [f"Forgotten: {FRIDAY}"]
    assert lore() == []


def test_a_forgotten_line_leaves_the_history_of_its_teller(
    ann, bob, talk, openai_server
):
    first = talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    conversation = first.reply.conversation
    Membership.objects.filter(pk=bob.pk).update(role="admin")
    talk(bob, "Forget the movie night", memory_forgets=[FRIDAY])
    write(ask(ann, "Hello again", conversation_id=conversation.pk))
    sent = str(openai_server.chat.requests[-1].body)
    assert "Hello again" in sent
    assert "Movie night" not in sent


def test_regenerating_and_editing(ann, openai_server, talk):
    turn = talk(ann, f"For all: {FRIDAY}", memory_line=FRIDAY)
    openai_server.chat.queue(noting(memory_line=FRIDAY))
    write(regenerate(ann.user, ann.space_id, turn.reply_id))
    assert lines(turn) == [f"Kept for the whole household: {FRIDAY}"]
    openai_server.chat.queue(says("Hello."))
    write(edit(ann.user, ann.space_id, turn.message.pk, "Hello"))
    assert lore() == []
