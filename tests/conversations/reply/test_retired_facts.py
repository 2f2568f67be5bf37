"""What was forgotten or replaced is nowhere in a later prompt."""

import json
from datetime import timedelta
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from conversations.episodes.summaries import erase_summaries
from conversations.forgetting.withheld import Withheld
from conversations.models import (
    Conversation,
    Episode,
    Message,
    MessageIndex,
    Summary,
)
from conversations.reply import change_lines
from conversations.reply.known_facts import KnownFacts, without_repetition
from conversations.reply.revise import edit
from meddie.jobs.tasks import daily
from memory import service
from memory.facts.retraction import forget, owner_scope
from memory.models import Memory, MemoryUpdate, ProfileFact
from memory.operators import repairs
from memory.reembedding import reembed_all
from memory.values import Recall, Recalled
from memory.wording.retelling import StatementIndex
from people.scope import scope_for
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, UserFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)


class Talk(NamedTuple):
    told: str
    fact: str
    reply: str
    wish: str
    correction: str
    new: str
    question: str


TALKS = [
    Talk(
        "I live in Kielce.",
        "User lives in Kielce",
        "Kielce has hills.",
        "Forget that I live in Kielce.",
        "I live in Sopot.",
        "User lives in Sopot",
        "Where do I live?",
    ),
    Talk(
        "Mieszkam w Kielcach.",
        "Użytkownik mieszka w Kielcach",
        "Kielce leżą w górach.",
        "Zapomnij, że mieszkam w Kielcach.",
        "Mieszkam w Sopocie.",
        "Użytkownik mieszka w Sopocie",
        "Gdzie mieszkam?",
    ),
]
NAME = "kielc"


@pytest.fixture
def talk(openai_server):
    """Exchange messages in one conversation; return the whole of the last request."""
    member = MembershipFactory()
    conversation = {}

    def talk(text, answer):
        openai_server.chat.queue(answer)
        turn = ask(member, text, **conversation)
        conversation["conversation_id"] = turn.conversation_id
        write(turn)
        reembed_all()
        body = openai_server.chat.requests[-1].body
        return json.dumps(body["messages"], ensure_ascii=False).lower()

    return talk


def chat(talk, turns):
    for number in range(turns):
        talk(f"Is soup number {number} good?", says(f"Soup {number} is good."))


@pytest.mark.req("S2-45")
@pytest.mark.parametrize("turns_between", [0, 15])
@pytest.mark.parametrize("one", TALKS)
def test_a_forgotten_fact_is_nowhere(talk, one, turns_between):
    talk(one.told, noting(one.reply, memory_saves=[one.fact]))
    chat(talk, turns_between)
    if turns_between:
        assert NAME in talk(one.question, says("There."))
    talk(one.wish, noting("Done.", memory_forgets=[one.fact]))
    assert Memory.objects.get().retired_reason == "retracted"
    sent = talk(one.question, says("I do not know."))
    assert NAME not in sent
    assert one.question.lower() in sent


@pytest.mark.req("S2-45")
@pytest.mark.parametrize("turns_between", [0, 15])
@pytest.mark.parametrize("one", TALKS)
def test_a_replaced_fact_is_nowhere(talk, one, turns_between):
    talk(one.told, noting(one.reply, memory_saves=[one.fact]))
    chat(talk, turns_between)
    talk(one.correction, noting("Noted.", memory_saves=[one.new]))
    Memory.objects.filter(content=one.fact).update(
        active=False,
        retired_reason="superseded",
        retired_at=Memory.objects.get(content=one.new).stated_at,
    )
    sent = talk(one.question, says("In Sopot."))
    assert one.new.lower() in sent
    assert NAME not in sent


def test_a_sentence_elsewhere_that_states_it_is_left_out(talk):
    talk("I live in Kielce.", noting("I see.", memory_saves=["User lives in Kielce"]))
    talk("Which soup?", says("You live in Kielce. Try beet soup."))
    talk("Forget my town.", noting("Done.", memory_forgets=["User lives in Kielce"]))
    sent = talk("And today?", says("Beet soup."))
    assert "kielce" not in sent
    assert "try beet soup." in sent


def test_a_fact_that_is_stated_again_is_told_again(talk):
    fact = "User lives in Kielce"
    talk("I live in Kielce.", noting("I see.", memory_saves=[fact]))
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[fact]))
    talk("I live in Kielce after all.", noting("I see.", memory_saves=[fact]))
    assert "i live in kielce after all." in talk("Where do I live?", says("Kielce."))


def test_messages_of_a_forgotten_fact_leave_the_search_index(talk):
    fact = "User lives in Kielce"
    talk("I live in Kielce.", noting("Hills!", memory_saves=[fact]))
    talk("Which soup?", says("Beet soup."))
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[fact]))
    left = set(MessageIndex.objects.values_list("content", flat=True))
    assert left == {"Which soup?", "Beet soup."}


def test_a_summary_of_a_forgotten_fact_is_emptied(talk):
    fact = "User lives in Kielce"
    talk("I live in Kielce.", noting("Hills!", memory_saves=[fact]))
    message = MessageIndex.objects.get(content="I live in Kielce.").message
    summary = Summary.objects.create(
        kind=Summary.Kind.RUNNING,
        thread=message.thread,
        conversation=message.conversation,
        episode=message.episode,
        first_seq=1,
        last_seq=2,
        text="The user is from the town of Kielce.",
    )
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[fact]))
    summary.refresh_from_db()
    assert (summary.text, summary.stale) == ("", True)


def test_a_summary_written_after_the_wish_is_cleaned_as_well():
    now = timezone.now()
    wish = StatementIndex({"User lives in Kielce": now})
    text = "You live in Kielce. Try beet soup."
    later = Recalled(uuid4(), text, 1.0, 1.0, 1.0, now + timedelta(hours=1))
    found = Recall(further={"episode": (later,), "message": (later,)})
    kept = without_repetition(KnownFacts(found), Withheld(wish)).found.further
    assert [item.text for item in kept["episode"]] == ["Try beet soup."]
    # What the user said after the wish was said again.
    assert [item.text for item in kept["message"]] == [text]


def test_topics_of_a_forgotten_conversation_are_blanked(talk):
    talk("I live in Kielce.", says("I see."))
    Episode.objects.update(topic_label="Kielce")
    message = Message.objects.filter(role="user").get()
    user, space = message.conversation.user, message.conversation.space_id
    erase_summaries(scope_for(user, space, channel="web"))
    assert Episode.objects.get().topic_label == ""


FACT = "User lives in Kielce"
# Other words than the fact's, so that only its row tells what the message states.
ALSO_TOLD = "Kielce has been my home for years."


def tell_twice(talk):
    talk("I live in Kielce.", noting("Hills!", memory_saves=[FACT]))
    talk(ALSO_TOLD, noting("A long time.", memory_saves=[FACT]))


@pytest.mark.parametrize("blanked", [False, True])
@pytest.mark.parametrize("turns_after", [0, 15])
def test_a_message_that_states_it_in_other_words_is_nowhere(talk, turns_after, blanked):
    tell_twice(talk)
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[FACT]))
    if blanked:
        Memory.objects.update(content="", evidence="")
    chat(talk, turns_after)
    assert "kielc" not in talk("Where do I live?", says("I do not know."))


def test_a_message_that_states_the_old_and_the_new_fact_is_told(talk):
    talk("I live in Kielce.", noting("Hills!", memory_saves=[FACT]))
    talk("Kielce is home.", noting("Yes.", memory_saves=[FACT]))
    moved = "My home was Kielce, now it is Sopot."
    talk(moved, noting("Noted.", memory_saves=[FACT, "User lives in Sopot"]))
    old, new = Memory.objects.order_by("content")
    retired = {"retired_reason": "superseded", "retired_at": new.stated_at}
    Memory.objects.filter(pk=old.pk).update(active=False, **retired)
    MemoryUpdate.objects.create(user=old.user, old=old, new=new, reason="newer")
    sent = talk("Where do I live?", says("In Sopot."))
    assert moved.lower() in sent
    assert "kielce is home." not in sent


def test_a_profile_fact_that_is_stated_twice_is_told(talk):
    named = {"category": "identity", "key": "name", "value": "Nadia"}
    for text in ("My name is Nadia.", "As I said, my name is Nadia."):
        talk(text, noting("Hello.", profile_facts=[named]))
    sent = talk("What did I say?", says("Your name."))
    assert "my name is nadia." in sent
    assert "as i said, my name is nadia." in sent


def test_messages_of_a_fact_forgotten_by_mistake_are_found_again(talk):
    tell_twice(talk)
    talk("Which soup?", says("Beet soup."))
    before = set(MessageIndex.objects.values_list("content", flat=True))
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[FACT]))
    assert MessageIndex.objects.count() < len(before)
    line = Message.objects.get(line_kind=Message.LineKind.FORGOTTEN)
    assert change_lines.undo_line(line, line.conversation.user)
    indexed = set(MessageIndex.objects.values_list("content", flat=True))
    assert indexed == before | {"Forget that I live in Kielce.", "Done."}
    reembed_all()
    chat(talk, 15)
    assert ALSO_TOLD.lower() in talk("Where is my home?", says("In Kielce."))


def test_messages_of_a_fact_that_an_edit_restores_are_found_again(talk):
    talk("I live in Kielce.", noting("Hills!", memory_saves=[FACT]))
    talk("I live in Sopot.", noting("Sea!", memory_saves=["User lives in Sopot"]))
    old, new = Memory.objects.order_by("content")
    retired = {"retired_reason": "superseded", "retired_at": new.stated_at}
    Memory.objects.filter(pk=old.pk).update(active=False, **retired)
    MemoryUpdate.objects.create(user=old.user, old=old, new=new, reason="newer")
    talk("Which soup?", says("Beet soup."))
    assert not MessageIndex.objects.filter(content="I live in Kielce.")
    message = Message.objects.get(content="I live in Sopot.")
    user, space_id = message.conversation.user, message.conversation.space_id
    edit(user, space_id, message.pk, "I love Sopot.")
    assert MessageIndex.objects.get(content="I live in Kielce.")


def test_a_conversation_that_is_not_remembered_stays_out_of_the_index(talk):
    tell_twice(talk)
    talk("Forget that I live in Kielce.", noting("Done.", memory_forgets=[FACT]))
    line = Message.objects.get(line_kind=Message.LineKind.FORGOTTEN)
    Conversation.objects.update(remember=False)
    assert change_lines.undo_line(line, line.conversation.user)
    assert not MessageIndex.objects.exists()


def erase_at_once():
    memory = Memory.objects.get()
    service.erase(owner_scope(memory), [memory.pk])


def erase_after_a_month():
    Message.objects.update(created_at=timezone.now() - timedelta(days=40))
    memory = Memory.objects.get()
    scope = scope_for(memory.user, memory.space_id, channel="web")
    service.forget(scope, [memory.pk])
    Memory.objects.update(retired_at=timezone.now() - timedelta(days=31))
    daily()


def erase_profile_fact():
    repairs.repair_fact(
        ProfileFact.objects.get(), repairs.ERASE, UserFactory(is_staff=True)
    )


NAME_FACT = {"category": "identity", "key": "name", "value": "Kielcia"}


@pytest.mark.parametrize(
    ("saved", "erase"),
    [
        ({"memory_saves": [FACT]}, erase_at_once),
        ({"memory_saves": [FACT]}, erase_after_a_month),
        ({"profile_facts": [NAME_FACT]}, erase_profile_fact),
    ],
)
def test_texts_that_state_an_erased_fact_stay_withheld(talk, saved, erase):
    told = "I live in Kielce." if "memory_saves" in saved else "My name is Kielcia."
    talk(told, noting("I see.", **saved))
    repeated = "You live in Kielce, Kielcia. Try beet soup."
    talk("Which soup?", says(repeated))
    message = MessageIndex.objects.get(content=repeated).message
    summary = Summary.objects.create(
        kind=Summary.Kind.CHUNK,
        thread=message.thread,
        conversation=message.conversation,
        episode=message.episode,
        first_seq=50,
        last_seq=60,
        text="The user lives in Kielce, and is called Kielcia.",
    )
    erase()
    assert "kielc" not in talk("And today?", says("Beet soup."))
    assert not MessageIndex.objects.filter(content__icontains="kielc")
    summary.refresh_from_db()
    assert (summary.text, summary.stale) == ("", True)


def repair(client, row, verb):
    name = f"admin:memory_{type(row)._meta.model_name}_{verb}"
    client.post(reverse(name, args=[row.pk]))
    row.refresh_from_db()


def test_messages_of_facts_that_staff_restore_are_found_again(talk, client):
    operator = UserFactory(is_staff=True, is_superuser=True)
    client.force_login(operator)
    talk("I live in Kielce.", noting("Hills!", memory_saves=[FACT]))
    talk("My name is Kielcia.", noting("Hello.", profile_facts=[NAME_FACT]))
    memory, name = Memory.objects.get(), ProfileFact.objects.get()
    fact = memory
    forget(owner_scope(fact, operator), [fact.pk], by=operator)
    repairs.repair_fact(name, repairs.RETIRE, operator)
    talk("And today?", says("Beet soup."))
    told = MessageIndex.objects.filter(content__contains="Kielc", speaker="user")
    assert not told.exists()
    repair(client, memory, "restore")
    assert told.get().content == "I live in Kielce."
    repair(client, name, "restore")
    assert told.count() == 2
