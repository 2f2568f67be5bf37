"""What a prompt has of the facts in a space with the ranking `ranked`."""

import pytest

from conversations.models import Receipt
from memory.models import MemoryPolicy
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Am I allergic to ibuprofen?"


@pytest.fixture
def member(db):
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, ranking="ranked", facts_tokens=0)
    return member


@pytest.fixture
def know(member):
    def know(*texts, **how):
        for text in texts:
            MemoryFactory(
                user=member.user,
                space=member.space,
                content=text,
                **{"stated_at": "2026-03-01T12:00Z", **how},
            )

    return know


@pytest.fixture
def system(member, openai_server):
    """The system message of an answer."""

    def system(text=QUESTION):
        openai_server.chat.queue(says("Well."))
        write(ask(member, text))
        return prompt_text(openai_server)

    return system


def facts_in(system):
    """The lines below the heading, but for those that say whom they are about."""
    facts = system.partition("## Remembered Facts\n")[2].partition("\n\n")[0]
    return [line for line in facts.splitlines() if not line.startswith("### ")]


@pytest.fixture
def prompted(system):
    return lambda *text: facts_in(system(*text))


@pytest.mark.req("S3-46", "S3-59")
def test_eight_facts_about_the_user_come_with_any_message(know, prompted):
    know(*(f"User planted fern {number}" for number in range(12)))
    _, *facts = prompted("Quo vadis?")
    assert len(facts) == 8


@pytest.mark.req("S3-47")
def test_ten_facts_that_fit_come_at_most_and_none_twice(know, prompted):
    know(*(f"User planted fern {number}" for number in range(12)), "User plays chess")
    _, *facts = prompted("My ferns, each fern?")
    assert len(set(facts)) == len(facts) == 10
    assert all("fern" in fact for fact in facts)


@pytest.mark.req("S3-47")
def test_own_facts_among_community_memories_come_once(know, prompted):
    know("User planted fern 1")
    for number in range(12):
        MemoryFactory(
            user=None,
            space=None,
            audience="everyone",
            content=f"Fern {number} grows in shade",
            stated_at="2026-03-01T12:00Z",
            linked=False,
        )
    _, *facts = prompted("My fern?")
    assert len(set(facts)) == len(facts) <= 11
    assert sum("User planted" in fact for fact in facts) == 1


@pytest.mark.req("S3-47")
def test_facts_and_lore_that_fit_share_ten_places(member, know, system):
    MemoryPolicy.objects.update(lore=True)
    know(*(f"User planted fern {number}" for number in range(9)))
    for line in ("Fern day is in May", "The car is red"):
        MemoryFactory(
            user=None, space=member.space, audience="space", content=line, linked=False
        )
    know(*(f"User planted fern {number}" for number in range(9, 12)), confidence=0.1)
    prompt = system("My ferns, each fern?")
    assert "Fern day is in May" in prompt
    assert "The car is red" not in prompt
    _, *facts = facts_in(prompt)
    assert len(facts) == 9


@pytest.mark.req("S3-46")
def test_lore_that_fits_better_displaces_no_fact_about_the_user(member, know, prompted):
    MemoryPolicy.objects.update(lore=True)
    know("User saw a fern", "User has a fern", confidence=0.1)
    for number in range(12):
        line = f"Fern festival {number}"
        MemoryFactory(
            user=None, space=member.space, audience="space", content=line, linked=False
        )
    _, *facts = prompted("When is the fern festival?")
    assert len(facts) == 2


@pytest.mark.req("S3-59")
def test_facts_that_do_not_fit_stay_away_while_another_fits(know, prompted):
    know("User is allergic to ibuprofen", "Snow fell twice")
    _, fact = prompted()
    assert "ibuprofen" in fact


@pytest.mark.req("B-34")
def test_a_fact_comes_with_its_day_confidence_and_evidence(know, prompted):
    know("User is allergic to ibuprofen", confidence=0.72, evidence='# I said "never"')
    _, fact = prompted()
    assert fact == (
        "- User is allergic to ibuprofen (stated 2026-03-01, confidence 0.72,"
        ' evidence "I said \\"never\\"")'
    )


@pytest.mark.req("B-34")
def test_an_empty_search_is_said_to_be_empty(prompted, know):
    assert prompted() == [
        "No fact is remembered. If the user asks for one, say so instead of guessing."
    ]
    assert not Receipt.objects.exists()
    know("User is allergic to ibuprofen")
    assert "No fact" not in "".join(prompted())


@pytest.mark.req("S3-49")
def test_each_fact_in_the_prompt_has_a_receipt(know, prompted):
    know("User is allergic to ibuprofen", "User plays chess")
    _, fact = prompted()
    assert "ibuprofen" in fact
    [row] = retrieved("memory")
    assert row.injected


def test_words_find_facts_while_the_embedding_model_fails(
    know, prompted, openai_server
):
    know("User is allergic to ibuprofen", "User plays chess")
    openai_server.embeddings.default = lambda body: fails(500)
    _, fact = prompted()
    assert "ibuprofen" in fact


def test_evidence_does_not_tell_what_was_forgotten(know, prompted):
    told = "I am allergic to cashews. I fear wasps."
    know("User fears wasps", evidence=told)
    gone = {"active": False, "retired_reason": "retracted"}
    know("User is allergic to cashews", retired_at="2026-03-02T12:00Z", **gone)
    _, fact = prompted("Wasps?")
    assert "I fear wasps" in fact
    assert "cashews" not in fact
