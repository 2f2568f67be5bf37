"""Facts are extracted from a message in the background."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import service
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.values import Provenance
from people.scope import scope_for
from tests.memory.conftest import known
from tests.memory.jobs import run_due
from tests.openai_server import says

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EARLIER = NOW - timedelta(days=1)


@pytest.fixture
def api(ann, home):
    """Ann's scope of the endpoint."""
    return scope_for(ann, home.pk, channel="api")


def heard(at=None, **how):
    return Provenance(**{"origin": "background", "stated_at": at or NOW, **how})


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


def facts(*texts, **how):
    return {
        "facts": [{"text": text, "asserted": True} | how for text in texts],
        "profile_facts": [],
    }


def run_event():
    return MemoryEvent.objects.filter(kind="memory_decision").latest("created_at").data


@pytest.mark.req("S1-01", "S1-26", "S1-33", "S1-34", "S1-36")
def test_new_fact_of_a_message_is_stored_with_its_source(hear, api):
    answer = facts("User is vegan", kind="preference", confidence=0.9)
    hear("I am vegan", answer, at=EARLIER)
    memory = Memory.objects.get()
    assert (memory.content, memory.kind, memory.confidence) == (
        "User is vegan",
        "preference",
        0.9,
    )
    assert (memory.origin, memory.channel) == ("background", "api")
    assert memory.stated_at == EARLIER
    assert known(api) == ["User is vegan"]
    assert CaptureJob.objects.get().state == "done"
