import json
import uuid

import pytest

from memory import service
from memory.models import MemoryPolicy
from people.scope import scope_for
from tests.memory.background.heard import heard
from tests.memory.jobs import run_due
from tests.openai_answers import says


@pytest.fixture
def api(ann, home):
    """Ann's scope of the endpoint."""
    return scope_for(ann, home.pk, channel="api")


@pytest.fixture
def hear(api, openai_server, embedder):
    """Let a message be captured; the answers are the extractor's and the resolver's."""

    def hear(message, *answers, at=None, context=(), scope=api, **how):
        openai_server.titles.queue(
            *(says(a if isinstance(a, str) else json.dumps(a)) for a in answers)
        )
        how.setdefault("message_id", uuid.uuid4())
        service.capture_later(scope, message, heard(at, **how), context)
        run_due(embedder)
        assert openai_server.titles.unused == 0

    return hear


@pytest.fixture
def web(ann, home):
    """Ann's scope on the web, where messages are extracted, too."""
    MemoryPolicy.objects.create(space=home, background_capture="always")
    return scope_for(ann, home.pk, channel="web")
