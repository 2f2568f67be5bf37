"""Ann and Bob, who share a home; Ann also has an office."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from memory import service
from memory.facts.commit import commit
from memory.facts.prepare import prepare_facts
from memory.facts.retraction import owner_scope
from memory.models import Memory
from memory.subjects import NO_HOUSEHOLD
from memory.values import (
    Candidate,
    Decision,
    LoreCandidate,
    ProfileCandidate,
    Provenance,
)
from memory.wording.dialogue import stating
from people.models import Space, User
from people.scope import Scope, scope_for
from tests.factories import ExternalUserFactory, SpaceFactory, UserFactory
from tests.memory.embedders import WordEmbedder
from tests.openai_server import OpenAIServer
from tests.verdicts import replaces_other_numbers


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def ann(db) -> User:
    return UserFactory(email="ann@example.com", name="Ann")


@pytest.fixture
def bob(db) -> User:
    return UserFactory(email="bob@example.com", name="Bob")


@pytest.fixture
def home(ann: User, bob: User) -> Space:
    return SpaceFactory(name="Home", members=[ann, bob])


@pytest.fixture
def office(ann: User) -> Space:
    return SpaceFactory(name="Office", members=[ann])


@pytest.fixture
def scope(ann: User, home: Space) -> Scope:
    return scope_for(ann, home.pk, channel="web")


@pytest.fixture
def others(ann: User, bob: User, home: Space, office: Space) -> list[Scope]:
    """Everybody who must not see what `scope` stores."""
    external: Any = ExternalUserFactory(space=home)
    return [
        scope_for(bob, home.pk, channel="web"),
        scope_for(ann, office.pk, channel="web"),
        scope_for(external.user, home.pk, channel="api"),
        scope_for(None, home.pk, channel="telegram"),
    ]


def said(at: datetime | None = None, **how: Any) -> Provenance:
    """Provenance in a reply, now."""
    told = {"stating": stating(how.get("user_text") or ""), **how}
    return Provenance(**{"origin": "inline", "stated_at": at or timezone.now(), **told})


def remember(
    scope: Scope,
    candidates: Sequence[Candidate],
    provenance: Provenance,
    *,
    embedder: Embedder | None = None,
) -> list[Decision]:
    """Prepare and commit."""
    return commit(
        scope, prepare_facts(candidates, NO_HOUSEHOLD, embedder=embedder), provenance
    )


def remember_profile(
    scope: Scope, candidates: Sequence[ProfileCandidate], provenance: Provenance
) -> list[Decision]:
    return service.remember(
        scope, service.prepare_facts(candidates, NO_HOUSEHOLD), provenance
    )


def remember_lines(
    scope: Scope, lines: Sequence[object], provenance: Provenance
) -> list[Decision]:
    """As lore of the space."""
    candidates = [LoreCandidate(line) for line in lines]
    return service.remember(
        scope, service.prepare_facts(candidates, NO_HOUSEHOLD), provenance
    )


@pytest.fixture
def resolver(openai_server: OpenAIServer) -> None:
    """A model that lets a newer weight replace the older one."""
    openai_server.titles.default = replaces_other_numbers


Tell = Callable[..., list[Decision]]


@pytest.fixture
def tell(scope: Scope, embedder: WordEmbedder) -> Tell:
    """Let Ann's memory be told something, at home."""

    def tell(
        *texts: object, scope: Scope = scope, at: datetime | None = None, **how: Any
    ) -> list[Decision]:
        candidates = [t if isinstance(t, Candidate) else Candidate(t) for t in texts]
        return remember(scope, candidates, said(at, **how), embedder=embedder)

    return tell


def reasons(decisions: list[Decision]) -> list[tuple[str, str]]:
    """What became of each candidate, and why."""
    return [(d.action, d.reason) for d in decisions]


def known(scope: Scope) -> list[str]:
    """What is active in the scope, in the order of the alphabet."""
    rows = Memory.objects.visible_to(scope).active()
    return sorted(rows.values_list("content", flat=True))


def restored(scope, ids, at):
    """Whether any of what was forgotten at that time is known again."""
    decisions = service.restore(scope, ids, at=at)
    return any(decision.action == "restore" for decision in decisions)


def retract(fact, by):
    """As staff do; whether it was known."""
    return bool(service.forget(owner_scope(fact, by), [fact.pk], by=by))
