"""A model that proposes inventions, instructions and secrets stores none of them."""

import pytest

from conversations.reply.revise import edit, regenerate
from memory.models import Memory, MemoryEvent
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory
from tests.memory.guarded import REFUSED, lines
from tests.memory.stated import INVENTED, rows
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(db):
    return MembershipFactory()


def known():
    memories = Memory.objects.active().order_by("content")
    return list(memories.values_list("content", flat=True))


def reasons():
    event = MemoryEvent.objects.filter(kind="memory_decision").latest("created_at")
    return [decision["reason"] for decision in event.data["decisions"]]


@pytest.mark.req("B-18", "S0-34")
def test_inventions_are_not_stored(member, openai_server):
    inventions = [fact for _, fact in rows(INVENTED)][:20]
    openai_server.chat.queue(noting(memory_saves=inventions))
    write(ask(member, "I ride a bike. Is that enough?"))
    assert set(reasons()) <= {"ungrounded", "instruction"}
    assert known() == []


@pytest.mark.req("B-18")
@pytest.mark.parametrize("reason", REFUSED)
def test_refused_texts_are_refused_even_if_the_user_says_them(
    member, openai_server, reason
):
    texts = lines(REFUSED[reason])
    for start in range(0, len(texts), 20):
        proposed = texts[start : start + 20]
        openai_server.chat.queue(noting(memory_saves=proposed))
        write(ask(member, "\n".join(proposed)))
        assert set(reasons()) == {reason}
    assert known() == []


def test_confirmed_question_is_stored_and_nothing_else(member, openai_server):
    openai_server.chat.queue(
        says("That sounds like hay fever. Shall I note that you have hay fever?"),
        noting(memory_saves=["User has hay fever", "User lives in Gdynia"]),
    )
    first = ask(member, "My eyes itch in May.")
    write(first)
    write(ask(member, "Yes, please", conversation_id=first.conversation_id))
    assert known() == ["User has hay fever"]


@pytest.mark.parametrize("answer", ["No", "Nie", "Нет", "Thanks, bye", "stop it"])
def test_question_that_is_not_confirmed_stores_nothing(member, openai_server, answer):
    openai_server.chat.queue(
        says("Are you allergic to penicillin?"),
        noting(memory_saves=["User is allergic to penicillin"]),
    )
    first = ask(member, "Which antibiotic is usual?")
    write(first)
    write(ask(member, answer, conversation_id=first.conversation_id))
    assert reasons() == ["ungrounded"]
    assert known() == []


def test_regenerated_reply_is_held_against_the_same_message(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User rides a bike"]),
        noting(
            "Again.", memory_saves=["User has a bicycle", "User rides a bike daily"]
        ),
    )
    first = write(ask(member, "I ride a bike every day."))
    write(regenerate(member.user, member.space_id, first.pk))
    assert known() == ["User rides a bike", "User rides a bike daily"]


def test_edited_message_is_what_counts(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User rides a bike"]),
        noting(memory_saves=["User rides a bike", "User rows a boat"]),
    )
    turn = ask(member, "I ride a bike.")
    write(turn)
    write(edit(member.user, member.space_id, turn.message.pk, "I row a boat."))
    assert known() == ["User rows a boat"]


def test_forgotten_fact_does_not_return_with_a_regenerated_reply(member, openai_server):
    openai_server.chat.queue(
        noting(memory_saves=["User is left-handed"]),
        noting(memory_forgets=["User is left-handed"]),
        noting(
            "Again.", memory_saves=["User is left-handed", "User is a left-handed one"]
        ),
    )
    first = write(ask(member, "I am left-handed."))
    write(ask(member, "Forget that I am left-handed."))
    write(regenerate(member.user, member.space_id, first.pk))
    assert known() == []
