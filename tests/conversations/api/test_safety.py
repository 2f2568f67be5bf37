"""No door tells a program that nothing is known of an allergy."""

import pytest

from meddie.ai.embeddings import current_embedder
from memory.models import MemoryPolicy
from tests.conversations.api.mcp.test_http import call as call_tool
from tests.conversations.api.mem0.test_dialect import call as call_mem0
from tests.conversations.api.memories.client import Memories
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory, MemoryFactory
from tests.openai_answers import fails

pytestmark = pytest.mark.django_db(transaction=True)
SHELLFISH, QUESTION = "User is allergic to shellfish", "Which food is dangerous for me?"
OTHERS = (
    "User's brother restores old motorcycles",
    "User plays the cello in an orchestra",
    "User likes pasta for dinner",
    "User collects stamps with trains",
    "User lives on the third floor",
)


def rest(api, query, **more):
    params = {"q": query} | more
    return api.send("GET", "/api/memories/search", params=params).json()["memories"]


def mcp(api, query, **more):
    asked = {"query": query, "detail": True} | more
    found = call_tool(api, "recall", **asked)["memories"]
    return [{"relevant": True} | row for row in found]


def mem0(api, query, **more):
    body = {"query": query} | more
    found = call_mem0(api, "POST", "/v3/memories/search/", json=body)["results"]
    return [{"text": row["memory"]} | row for row in found]


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


@pytest.fixture
def ann(member):
    """Without a provider: with the bundled encoder."""
    return Memories(api_for(member))


@pytest.fixture(params=[rest, mcp, mem0])
def search(request, ann):
    return lambda query, **more: request.param(ann.api, query, **more)


@pytest.fixture
def known(member):
    where = {"user": member.user, "space": member.space}
    for text in (SHELLFISH, *OTHERS):
        MemoryFactory(
            **where,
            content=text,
            safety=text == SHELLFISH,
            embedder=current_embedder(),
        )


@pytest.mark.usefixtures("known")
class TestSearch:
    @pytest.mark.parametrize(
        "question",
        [
            QUESTION,
            "We eat out tonight. What should I know?",
            "dinner ideas",
            "zeppelin",
        ],
    )
    def test_allergy_is_told_for_every_question(self, search, question):
        found = search(question)
        assert SHELLFISH in [row["text"] for row in found]

    def test_allergy_that_was_not_found_follows_and_is_not_relevant(self, search):
        *before, last = search("Which stamps do I collect?")
        assert (last["text"], last["relevant"]) == (SHELLFISH, False)
        assert before[0]["text"] == "User collects stamps with trains"
        assert all(row["relevant"] for row in before)

    def test_short_answer_marks_a_row_that_is_not_relevant(self, ann):
        first, *_, last = mcp(ann.api, "Which stamps do I collect?", detail=False)
        assert (last["text"], last["relevant"]) == (SHELLFISH, False)
        assert first.keys() == {"id", "text", "day", "relevant"}

    def test_found_allergy_is_not_told_twice(self, search):
        first, *others = search("What am I allergic to?")
        assert (first["text"], first["relevant"]) == (SHELLFISH, True)
        assert SHELLFISH not in [row["text"] for row in others]

    def test_question_about_everything_brings_the_newest(self, search):
        assert len(search("What do you know about me?")) == 6

    def test_space_chooses_the_ranking(self, search, member):
        by_chat = search("Do I like pasta?")[0]["score"]
        MemoryPolicy.objects.create(space=member.space, ranking="fused")
        by_fused = search("Do I like pasta?")[0]["score"]
        assert by_fused != by_chat


@pytest.mark.usefixtures("known")
def test_threshold_of_mem0_hides_no_allergy(ann):
    found = mem0(ann.api, "I eat out for dinner", threshold=0.9)
    assert [row["text"] for row in found] == [SHELLFISH]


def test_allergy_is_told_while_the_embedding_model_is_down(ann, openai_server):
    for text in ("I am allergic to shellfish", "I like pasta for dinner"):
        ann.tell(text)
    openai_server.embeddings.default = lambda _body: fails(503)
    found = rest(ann.api, "dinner")
    assert [(row["text"], row["relevant"]) for row in found] == [
        ("I like pasta for dinner", True),
        ("I am allergic to shellfish", False),
    ]


@pytest.mark.usefixtures("known")
def test_allergy_of_another_person_or_time_stays_out(ann, member):
    where = {"user": member.user, "space": member.space, "safety": True}
    MemoryFactory(**where, content="Mia is allergic to nuts", subject="daughter Mia")
    found = rest(ann.api, QUESTION, subject="Mia")
    assert [row["text"] for row in found] == ["Mia is allergic to nuts"]
    assert rest(ann.api, QUESTION, as_of="2001-01-01T00:00:00Z") == []
