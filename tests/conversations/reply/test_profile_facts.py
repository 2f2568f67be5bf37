"""Profile facts of the reply block: stored, shown below the reply, recalled, forgotten."""

import pytest

from conversations.models import Message
from conversations.new_conversation import Start
from conversations.reply import change_lines
from conversations.reply.revise import edit, regenerate
from memory.models import Memory, MemoryPolicy, ProfileFact
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory, ProfileFactFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)

NAME = {"category": "identity", "key": "name", "value": "Alex", "confidence": 1.0}
STYLE = {
    "category": "instruction",
    "key": "answer_style",
    "value": "keep answers short",
}


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def talk(member, openai_server):
    """Send a message whose reply has these keys; the turn."""

    def talk(text, **keys):
        openai_server.chat.queue(noting("All right.", **keys) if keys else says("Oh."))
        turn = ask(member, text)
        write(turn)
        return turn

    return talk


def lines(turn):
    rows = Message.objects.current().filter(answers=turn.message, role="system")
    return [change_lines.sentence(one) for one in rows.with_changes().in_order()]


def undo(turn, member):
    rows = Message.objects.with_changes()
    line = rows.get(answers=turn.message, role="system")
    assert change_lines.can_undo(line)
    return change_lines.undo_line(line, member.user)


def profile():
    return sorted(fact.content for fact in ProfileFact.objects.active())


def prompt_of(openai_server):
    return prompt_text(openai_server)


@pytest.mark.req("S4-17")
def test_facts_are_stored_and_told_in_one_line(talk):
    facts = [NAME, STYLE | {"confidence": 0.9, "importance": 0.9}, {"key": "x"}, 7]
    turn = talk(
        "I'm Alex, I have a dog. Please keep answers short.",
        profile_facts=facts,
        memory_saves=["User has a dog"],
    )
    assert profile() == ["answer_style: keep answers short", "name: Alex"]
    told = "Remembered: Has a dog; Name: Alex; Answer style: keep answers short"
    assert lines(turn) == [told]
    fact = ProfileFact.objects.get(key="name")
    assert (fact.message_id, fact.stated_at) == (
        turn.message.pk,
        turn.message.created_at,
    )


def test_numbers_are_values_and_no_shares_are_odd(talk):
    age = {"category": "identity", "key": "age", "value": 34}
    talk("I'm Alex, 34.", profile_facts=[age, NAME | {"confidence": "high"}])
    assert profile() == ["age: 34"]


def test_a_correction_in_the_block_replaces(talk):
    talk("I'm Alex.", profile_facts=[NAME])
    changed = NAME | {"value": "Sasha", "confidence": 0.7}
    talk("People call me Sasha.", profile_facts=[changed])
    assert profile() == ["name: Alex"]
    turn = talk("No, my name is Sasha!", profile_facts=[changed | {"correction": True}])
    assert profile() == ["name: Sasha"]
    assert lines(turn) == ["Updated: Name: Sasha (before: Alex)"]


def test_facts_are_stored_while_no_vectors_can_be_made(talk, openai_server):
    openai_server.embeddings.default = lambda _body: fails(500)
    talk("I'm Alex.", profile_facts=[NAME])
    assert profile() == ["name: Alex"]


def test_regenerating_and_editing(talk, member, openai_server):
    turn = talk("I'm Alex.", profile_facts=[NAME])
    openai_server.chat.queue(noting(profile_facts=[NAME]))
    write(regenerate(member.user, member.space_id, turn.reply_id))
    assert lines(turn) == ["Remembered: Name: Alex"]
    openai_server.chat.queue(says("Hello."))
    write(edit(member.user, member.space_id, turn.message.pk, "Hello"))
    assert profile() == []


def test_storing_and_forgetting_are_undone(talk, member):
    turn = talk("I'm Alex.", profile_facts=[NAME])
    assert undo(turn, member)
    assert (profile(), lines(turn)) == ([], ["Forgotten: 1 memory"])
    talk("I am Alex.", profile_facts=[NAME])
    gone = talk("Forget my name.", memory_forgets=["name: Alex"])
    assert (profile(), lines(gone)) == ([], ["Forgotten: Name: Alex"])
    assert undo(gone, member)
    assert profile() == ["name: Alex"]


def test_regenerating_a_wish_to_forget_tells_nothing_new(talk, member, openai_server):
    talk("I'm Alex.", profile_facts=[NAME])
    turn = talk("Forget my name.", memory_forgets=["name: Alex"])
    openai_server.chat.queue(noting(memory_forgets=["name: Alex"]))
    write(regenerate(member.user, member.space_id, turn.reply_id))
    assert lines(turn) == ["Forgotten: Name: Alex"]


def test_profile_is_counted_and_forgotten_with_everything(talk, member):
    ProfileFactFactory(user=member.user, space=member.space)
    turn = talk("Forget everything", memory_forgets=["*"])
    (line,) = lines(turn)
    assert line.startswith("Forget the only memory? Say yes to confirm. These are: ")


def test_facts_of_an_emergency_are_withheld(talk):
    facts = [
        NAME | {"key": "location", "value": "Gdynia"},
        NAME | {"key": "note", "value": "crushing chest pain"},
    ]
    turn = talk(
        "I have crushing chest pain right now. I live in Gdynia.", profile_facts=facts
    )
    assert turn.reply.emergency_note
    assert profile() == ["location: Gdynia"]


def test_nothing_is_stored_in_a_conversation_that_is_not_remembered(
    member, openai_server
):
    openai_server.chat.queue(noting(profile_facts=[NAME]))
    write(ask(member, "I'm Alex.", start=Start(remember=False)))
    assert not ProfileFact.objects.exists()
    assert '"profile_facts"' not in prompt_of(openai_server)


@pytest.mark.req("S4-30")
def test_profile_is_in_every_prompt_with_receipts(talk, member, openai_server):
    own = {"user": member.user, "space": member.space}
    name = ProfileFactFactory(**own, key="name", value="Alex", importance=0.9)
    ProfileFactFactory(**own, key="language", value="Python", importance=0.6)
    ProfileFactFactory(**own, key="editor", value="vim", importance=0.3)
    ProfileFactFactory(space=member.space, key="name", value="Eve")
    openai_server.embeddings.default = lambda _body: fails(500)
    turn = talk("What is a black hole?")
    section = prompt_of(openai_server).partition("## User Profile")[2]
    section, _, others = section.partition("## ")
    listed = [line for line in section.splitlines() if line.startswith("- ")]
    assert listed == ["- name: Alex", "- language: Python"]
    assert others.startswith("Remembered Facts")
    assert "- editor: vim (stated " in others
    assert "Eve" not in others
    rows = retrieved("profile_fact", message=turn.reply_id)
    sections = sorted(row.section for row in rows)
    assert sections == ["also_known", "profile", "profile"]
    first = next(row for row in rows if row.section == "profile")
    assert (first.key, first.rank) == (name.pk, 1)
    assert (first.score, first.injected) == (0.9, True)


@pytest.mark.req("S4-30")
def test_less_important_facts_are_found_by_their_words(talk, member, openai_server):
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    own = {"user": member.user, "space": member.space}
    colour = ProfileFactFactory(
        **own, key="favorite_color", value="teal", importance=0.3
    )
    ProfileFactFactory(**own, key="editor", value="vim", importance=0.3)
    openai_server.embeddings.default = lambda _body: fails(500)
    turn = talk("What is my favorite color?")
    prompt = prompt_of(openai_server)
    assert "- favorite_color: teal (stated " in prompt
    assert "vim" not in prompt
    [row] = retrieved(message=turn.reply_id)
    assert (row.key, row.kind) == (colour.pk, "profile_fact")


def test_a_fact_about_health_is_a_memory(talk):
    job = NAME | {"key": "occupation", "value": "cancer nurse"}
    allergy = NAME | {"category": "constraint", "key": "allergies", "value": "nuts"}
    turn = talk(
        "I'm a cancer nurse, with allergies to nuts.", profile_facts=[job, allergy]
    )
    assert profile() == ["occupation: cancer nurse"]
    assert Memory.objects.get().content == "allergies: nuts"
    assert lines(turn) == ["Remembered: allergies: nuts; Occupation: cancer nurse"]


def test_an_overview_lists_the_whole_profile_first(talk, member, openai_server):
    own = {"user": member.user, "space": member.space}
    ProfileFactFactory(**own, key="editor", value="vim", importance=0.3)
    MemoryFactory(**own, content="User has a dog")
    talk("What do you know about me?")
    prompt = prompt_of(openai_server)
    assert prompt.index("- editor: vim") < prompt.index("- User has a dog")


def test_no_profile_is_read_while_memory_is_off(talk, member, openai_server):
    ProfileFactFactory(user=member.user, space=member.space, key="name", value="Alex")
    member.user.memory_on = False
    member.user.save()
    talk("Who am I?", profile_facts=[NAME])
    assert "Alex" not in prompt_of(openai_server)
    assert ProfileFact.objects.count() == 1
    assert not Memory.objects.exists()
