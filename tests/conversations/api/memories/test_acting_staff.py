"""What staff do to another member, and see of one, over every route."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db.models import QuerySet

from conversations.api.memories.routes import api
from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db(transaction=True)
FORMER, CURRENT, HOME = "I play the violin", "I play the cello", "I live in Gdynia"
SAYS = {"messages": [{"role": "user", "content": "I moved to Oslo last May"}]}
FACTS = {
    "memories": [
        {"text": "I like tea"},
        {"kind": "profile", "key": "city", "value": "Oslo"},
        {"kind": "lore", "text": "We eat at seven"},
    ]
}
CALLS: dict[str, list[dict[str, Any]]] = {
    "GET /api/memories": [{}],
    "POST /api/memories": [FACTS, SAYS],
    "GET /api/memories/search": [{"q": "violin", "former": "true"}],
    "POST /api/memories/search": [{"q": "violin"}],
    "POST /api/memories/forget": [
        {"text": text} for text in ("that I play the trumpet", HOME, "Nothing like it")
    ],
    "GET /api/memories/export": [{}],
    "GET /api/memories/jobs/{job}": [{}],
    "GET /api/memories/{memory}": [{}],
    "PATCH /api/memories/{memory}": [
        {"text": "I play the viola"},
        {"subject": "my mother"},
    ],
    "DELETE /api/memories/{memory}": [{}, {"erase": "true"}],
    "GET /api/memories/{memory}/history": [{}],
    "GET /api/memories/{memory}/answers": [{}],
    "GET /api/files": [{}],
    "POST /api/ingest": [{"channel": "a", "thread": "b", "text": "Hello", **SAYS}],
    "GET /api/memory": [{}],
    "POST /api/memory/refresh": [{}],
    "GET /api/memory/search": [{"q": "violin"}],
}
EACH = [(route, sent, False) for route, each in CALLS.items() for sent in each]
EACH += [(route, sent, True) for route, sent, _ in EACH if route.startswith("P")]


@pytest.fixture
def embedder(monkeypatch):
    embedder = WordEmbedder()
    monkeypatch.setattr(embeddings, "current_embedder", lambda: embedder)
    return embedder


@pytest.fixture
def sue(staff):
    """Staff with every right, and their key."""
    names = [f"{right}_memory" for right in ("add", "delete")]
    granted = Permission.objects.filter(codename__in=names)
    staff.api.key.user.user_permissions.add(*granted)
    return staff.api


@pytest.fixture
def known(embedder, ann, member):
    """The texts of what Ann told and corrected, by their keys."""
    MemoryPolicy.objects.create(space=member.space, lore=True)
    ann.send("PATCH", f"/{ann.tell(FORMER)}", json={"text": CURRENT})
    ann.tell(HOME)
    ann.send("POST", "", 202, json=SAYS)
    run_due(embedder)
    MemoryEvent.objects.all().delete()
    return {str(row.pk): row.content for row in Memory.objects.all()}


def call(sue, member, known, route, sent):
    """The answer, and what was sent for it."""
    method, path = route.split()
    key = next(key for key, text in known.items() if text == CURRENT)
    job = str(CaptureJob.objects.filter(kind="extract").latest("stated_at").pk)
    place, named = path.format(memory=key, job=job), {"user": member.user.email}
    if path in {"/api/ingest", "/api/memory", "/api/memory/refresh"}:
        named = {}  # they are about the key's own user, or all
    if method in {"POST", "PATCH"}:
        return sue.send(method, place, params=named, json=sent)
    return sue.send(method, place, params=named | sent)


def test_calls_cover_all_routes():
    paths = api.get_openapi_schema(path_prefix="/api/")["paths"]
    routes = {f"{m.upper()} {path}" for path, ways in paths.items() for m in ways}
    assert set(CALLS) == routes


@pytest.mark.req("S0-08")
@pytest.mark.parametrize("each", EACH, ids=str)
def test_staff_are_recorded_for_all_they_do_to_a_member_and_see_of_one(
    sue, member, known, embedder, each
):
    route, sent, outage = each
    embedder.failure = ProviderDown() if outage else None
    answer = call(sue, member, known, route, sent)
    assert answer.status_code in (
        {200, 201, 202, 422, 503} if outage else {200, 201, 202}
    )
    embedder.failure = None
    QuerySet(CaptureJob).filter(state="waiting").update(
        available_at="2026-01-01T00:00Z"
    )
    run_due(embedder)
    events = MemoryEvent.objects.exclude(kind=MemoryEvent.Kind.INSPECTION)
    assert {event.by for event in events.filter(user=member.user)} <= {sue.key.user}
    looks = MemoryEvent.objects.filter(
        kind=MemoryEvent.Kind.INSPECTION, user=member.user, by=sue.key.user
    )
    seen = {key for look in looks for keys in look.data.values() for key in keys}
    shown = {key for key, text in known.items() if text in answer.text}
    assert shown - {key for key in known if known[key] in str(sent)} <= seen
