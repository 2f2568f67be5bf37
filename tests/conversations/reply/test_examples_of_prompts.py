"""A reply that notes down an example of its prompt teaches nothing."""

import pytest

from conversations.models import Message
from memory.models import Memory, MemoryEvent, MemoryPolicy, ProfileFact
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(db):
    return MembershipFactory()


def reasons():
    runs = MemoryEvent.objects.filter(kind="memory_decision").order_by("created_at")
    return [one["reason"] for run in runs for one in run.data["decisions"]]


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("I live in Oslo.", {"memory_saves": ["User lives in Lumoria"]}),
        ("Mieszkam w Łodzi.", {"memory_saves": ["Użytkownik mieszka w Lumorii"]}),
        ("Ich habe eine Katze.", {"memory_saves": ["User hat eine Katze Quibbo"]}),
        ("Estoy embarazada.", {"memory_saves": ["User está en Lumoria"]}),
        (
            "Call me Kim.",
            {
                "profile_facts": [
                    {"category": "identity", "key": "name", "value": "Quibbo"}
                ]
            },
        ),
        ("We all live in Oslo.", {"memory_line": "Kim and Ann live in Lumoria"}),
    ],
)
def test_example_is_refused_by_its_own_reason_and_not_told(
    member, openai_server, said, noted
):
    MemoryPolicy.objects.create(space=member.space, lore=True)
    openai_server.chat.queue(noting(**noted))
    write(ask(member, said))
    assert not Memory.objects.exists()
    assert not ProfileFact.objects.exists()
    assert reasons() == ["of_prompt"]
    assert not Message.objects.filter(line_kind=Message.LineKind.NOT_KEPT).exists()


def test_name_of_an_example_is_kept_where_the_user_says_it(member, openai_server):
    fact = "User has a parrot called Quibbo"
    openai_server.chat.queue(noting(memory_saves=[fact]))
    write(ask(member, "My parrot is called Quibbo."))
    assert Memory.objects.get().content == fact
