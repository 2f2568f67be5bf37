"""The deployment's environment names the embedding model."""

import subprocess
import sys
from typing import Any

import pytest

from memory.models import Memory
from tests.factories import MemoryFactory
from tests.stack.processes import environment


@pytest.mark.req("S3-44")
@pytest.mark.django_db(transaction=True)
def test_model_of_the_environment_embeds_the_facts_of_all_spaces(
    openai_server: Any,
) -> None:
    openai_server.dimensions = 1024
    for _ in range(2):
        MemoryFactory(embedding_model="none")
    subprocess.run(
        [sys.executable, "manage.py", "reembed"],
        env=environment(EMBEDDING_MODEL="mistral-embed"),
        check=True,
    )
    asked = {request.body["model"] for request in openai_server.embeddings.requests}
    assert asked == {"mistral-embed"}
    used = Memory.objects.values_list("embedding_model", flat=True)
    assert list(used) == ["mistral-embed"] * 2
