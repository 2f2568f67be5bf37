"""A question about the past is answered with what was true then, and said to be over."""

import re

import pytest

from meddie.ai.embeddings import current_embedder
from memory.facts import store
from memory.models import Memory
from people.scope import scope_for
from tests.conversations.turns import ask, prompt_text, write
from tests.factories import MembershipFactory, MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(transactional_db):
    """A user who moved from Bergen to Oslo."""
    member = MembershipFactory()
    owner = {"user": member.user, "space": member.space}
    old, new = (
        MemoryFactory(
            **owner, content=f"User lives in {town}", embedder=current_embedder()
        )
        for town in ("Bergen", "Oslo")
    )
    scope = scope_for(member.user, member.space_id, channel="web")
    store.supersede(scope, Memory.objects.get(pk=old.pk), new, "newer")
    return member


def test_prompt_marks_what_is_over(member, openai_server):
    write(ask(member, "Where did I live before Oslo?"))
    lines = prompt_text(openai_server).splitlines()
    (past,) = [line for line in lines if "Bergen" in line]
    assert past.startswith("- until 20")
    (now,) = [line for line in lines if "lives in Oslo" in line]
    assert now.startswith("- User lives in Oslo (stated")


def test_prompt_has_nothing_that_is_over_for_a_question_about_now(
    member, openai_server
):
    write(ask(member, "Where do I live?"))
    assert "Bergen" not in prompt_text(openai_server)


def test_answer_without_a_model_says_until_when(member):
    reply = write(ask(member, "Where did I live before Oslo?"))
    assert re.search(r"Until \d+ \w+ 20\d\d:", reply.content)
    assert "Lives in Bergen" in reply.content
