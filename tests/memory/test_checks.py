import pytest

from meddie.ai import local_embedder
from memory.checks import check_embedding_model, check_judgement


@pytest.fixture
def chosen(settings):
    def chosen(model, key="a key"):
        settings.EMBEDDING_MODEL = model
        settings.EMBEDDING_API_KEY = key
        return [message.id for message in check_embedding_model(None)]

    return chosen


@pytest.mark.req("S0-24", "S0-62")
def test_known_models_are_fine(chosen):
    assert chosen("text-embedding-3-small") == []
    assert chosen("mistral-embed") == []
    assert chosen("somebodys-model") == []
    assert chosen("text-embedding-3-small", key="") == []


@pytest.mark.parametrize(
    "model", ["e5-mistral-7b-instruct", "intfloat/E5-Mistral-7B-instruct"]
)
def test_a_model_too_wide_is_refused(chosen, model):
    assert chosen(model) == ["memory.E001"]


def test_a_missing_encoder_is_warned_of(monkeypatch):
    assert check_judgement(None) == []
    monkeypatch.setattr(local_embedder, "installed", lambda: False)
    assert [message.id for message in check_judgement(None)] == ["memory.W002"]
