"""System checks of the embedding model and of the encoder that judges."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from meddie.ai import embeddings, local_embedder
from memory.models.embedded import DIMENSIONS

# Models that cannot shorten their vectors to 1,536 dimensions.
TOO_WIDE = {
    "e5-mistral-7b-instruct": 4096,
    "nv-embed-v2": 4096,
    "qwen3-embedding-8b": 4096,
    "bge-multilingual-gemma2": 3584,
}


@checks.register(checks.Tags.models)
def check_embedding_model(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    model = embeddings.current_model()
    name = settings.EMBEDDING_MODEL.rpartition("/")[2].lower()
    dimensions = max(model.dimensions, TOO_WIDE.get(name, 0))
    if dimensions > DIMENSIONS:
        return [
            checks.Error(
                f"{model.name} makes vectors of {dimensions} dimensions;"
                f" at most {DIMENSIONS} can be stored.",
                hint="Choose another EMBEDDING_MODEL.",
                id="memory.E001",
            )
        ]
    return []


@checks.register(checks.Tags.security)
def check_judgement(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    if local_embedder.installed():
        return []
    return [
        checks.Warning(
            "The bundled encoder is missing: no emergency is noticed, and no order to"
            " a model is refused by its meaning.",
            hint="Install requirements-embedder.txt.",
            id="memory.W002",
        )
    ]
