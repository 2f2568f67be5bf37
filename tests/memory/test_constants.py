"""Every statement of memory says whose rows it means, so that they could lie apart."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import large_scopes
from memory.capture.forgetting import forget, prepare_forgetting
from memory.capture.imports import import_facts
from memory.capture.remember import remember
from memory.recall.recall import prepare_query, recall
from memory.values import Candidate
from tests.memory.conftest import said
from tests.memory.test_large_scopes import fill

pytestmark = pytest.mark.django_db
TABLES = re.compile(
    r'(?:FROM|JOIN|INTO|UPDATE)\s+"?(memories|memory_memorylink|memory_memoryupdate'
    r"|memory_memoryevent|memory_capturejob)\b"
)

BY_ITS_KEY = re.compile(
    r"""^UPDATE "memories" SET .+ WHERE "memories"."id" = '\w+'::uuid$"""
    r"""|^DELETE FROM "memory_memorylink" WHERE "memory_memorylink"."memory_id" = """
)
"""One row that was read as the user's own a moment before, under the scope's lock, is
refreshed or retired; and the links of one that is retired go."""


@pytest.fixture
def statements(tell, scope, embedder):
    """All that a life of memories asks of the database."""
    tell("User lives in Gdynia", "User's sister plays the violin")
    with CaptureQueriesContext(connection) as captured:
        tell("User lives in Sopot", "User's sister plays the violin", "User is vegan")
        tell("User is vegan and eats fish")
        for profile in ("chat", "chat_literal", "fused"):
            for text in ("Where do I live?", "What do you know about me?"):
                recall(scope, prepare_query(text, embedder=embedder), profile=profile)
        forget(scope, prepare_forgetting(["User is vegan"], embedder=embedder), said())
        remember(scope, [Candidate("User is vegan")], said(), embedder=embedder)
    return [query["sql"] for query in captured.captured_queries]


@pytest.fixture
def imported(tell, scope, embedder):
    """The statements of an import, of known, outdated and new facts."""
    tell("User lives in Gdynia", "User plays chess")
    texts = ["User lives in Sopot", "User plays chess", "User likes tea", "User is 40"]
    with CaptureQueriesContext(connection) as captured:
        told = [(Candidate(text), said().stated_at) for text in texts]
        list(import_facts(scope, told, embedder=embedder))
    return [query["sql"] for query in captured.captured_queries]


@pytest.fixture
def large(ann, home, scope, embedder, monkeypatch):
    """All that is asked in a scope that is past the exact limit."""
    monkeypatch.setattr(large_scopes, "EXACT_LIMIT", 50)
    fill(ann, home, 60)
    assert large_scopes.mark_large_scopes() == 60
    with CaptureQueriesContext(connection) as captured:
        for profile in ("chat", "fused"):
            recall(
                scope,
                prepare_query("mother plays chess", embedder=embedder),
                profile=profile,
            )
        remember(scope, [Candidate("User is vegan")], said(), embedder=embedder)
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.parametrize(
    ("asked", "least"), [("statements", 20), ("imported", 10), ("large", 5)]
)
def test_the_user_is_a_constant_of_each(asked, least, request, scope):
    touching = [sql for sql in request.getfixturevalue(asked) if TABLES.search(sql)]
    assert len(touching) > least
    bare = [sql for sql in touching if scope.user_id.hex not in sql.replace("-", "")]
    assert [sql for sql in bare if not BY_ITS_KEY.search(sql)] == []
