"""Questions about the members of a family, asked of the stand-in and of prompts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.new_conversation import Start
from meddie.ai import offline
from meddie.ai.embeddings import current_embedder
from memory import service
from people.scope import scope_for
from tests.conversations.reply.family import APART, FACTS, MIA, SEEN, USER
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)
HALVES = pytest.mark.parametrize("asked", [SEEN, APART], ids=["seen", "apart"])


@pytest.fixture
def home(monkeypatch):
    """By language a member who has told of their family, and the person Mia."""
    monkeypatch.setattr(offline, "PACE", 0)
    return {language: _household(told) for language, told in FACTS.items()}


def _household(told):
    member = MembershipFactory()
    mia = PersonFactory(space=member.space, name="Mia")
    for whose, text, _word in told:
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=text,
            subject=whose,
            person=mia if whose == MIA else None,
            embedder=current_embedder(),
        )
    return member, mia


def start(question, mia):
    return {"start": Start(person_id=mia.pk)} if question.about else {}


def answers(home, asked):
    for language, questions in asked.items():
        member, mia = home[language]
        for question in questions:
            turn = ask(member, question.question, **start(question, mia))
            yield language, question, write(turn).content


@HALVES
def test_right_fact_comes_first_and_never_one_about_another(home, asked):
    others, late = [], []
    for language, question, answer in answers(home, asked):
        quoted = [line for line in answer.splitlines() if line.startswith("- ")]
        wrong = [
            text
            for whose, text, word in FACTS[language]
            if whose != question.whose and word in answer.casefold()
        ]
        first = quoted[0].casefold() if quoted else ""
        right = question.right in first if question.right else not quoted
        others += [(question.question, wrong)] * bool(wrong)
        late += [(question.question, answer)] * (not right)
    assert not others
    assert len(late) <= 7, "\n".join(map(str, late))


@HALVES
def test_search_has_the_facts_of_the_one_asked_about_first(home, asked):
    late = []
    for language, questions in asked.items():
        member, _mia = home[language]
        scope = scope_for(member.user, member.space_id, channel="api")
        whose = {text: who for who, text, _word in FACTS[language]}
        for question in questions:
            if question.about or not question.right:
                continue
            found = service.search(scope, question.question, limit=3)
            if not found or whose[found[0].text] != question.whose:
                late.append((question.question, [item.text for item in found]))
    assert len(late) <= 2, late


def test_medicines_are_told_once_with_the_newest_first_and_what_is_ahead_by_day(
    monkeypatch,
):
    monkeypatch.setattr(offline, "PACE", 0)
    member = MembershipFactory()
    now = timezone.now()
    for days_ago, text in enumerate(
        (
            "I take metformin 850 mg",
            "I take ramipril 5 mg",
            "I take metformin",
            f"I see Dr. Hanssen for my eyes on {now + timedelta(days=40):%d %B %Y}",
            f"I see Dr. Hanssen for my knee on {now + timedelta(days=9):%d %B %Y}",
        )
    ):
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=text,
            subject=USER,
            embedder=current_embedder(),
            stated_at=now - timedelta(days=days_ago),
        )
    answer = write(ask(member, "Which medicines do I take?")).content
    assert answer.count("metformin") == 1
    assert answer.index("metformin 850 mg") < answer.index("ramipril")
    seen = write(ask(member, "When do I see Dr. Hanssen?")).content
    assert seen.index("knee") < seen.index("eyes")


def test_question_about_the_world_is_not_answered_with_whom_it_is_not_about(home):
    member, mia = home["en"]
    for question in ("What is ferritin?", "What is the capital of France?"):
        turn = ask(member, question, start=Start(person_id=mia.pk))
        answer = write(turn).content
        assert "I don't know that yet." in answer
        assert "Mia" not in answer


def test_pronoun_is_the_person_of_the_conversation(home):
    member, mia = home["de"]
    turn = ask(member, "Was nimmt sie abends?", start=Start(person_id=mia.pk))
    answer = write(turn).content
    assert "Montelukast" in answer
    assert "Ramipril" not in answer
