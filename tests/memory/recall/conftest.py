import pytest

from memory.recall.recall import prepare_query, recall


@pytest.fixture
def ask(scope, embedder):
    def ask(text, scope=scope, embedder=embedder, **how):
        return recall(scope, prepare_query(text, embedder=embedder), **how)

    return ask
