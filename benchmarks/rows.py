"""Users and their memories in bulk, written the quickest way there is."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt
from django.db import connection

from benchmarks.sentences import facts
from meddie.ai import embeddings, local_embedder
from memory.models.embedded import NEAR_DIMENSIONS
from memory.vectors import vector_text
from memory.wording.same_fact import content_hash
from people.models import Membership, Space, User
from people.scope import Scope

Matrix = npt.NDArray[np.float32]
BASE = 1_500
"""So many sentences are embedded; more vectors are mixtures of two of them."""
START = datetime(2026, 1, 1, tzinfo=UTC)
MEMORIES = """COPY memories (id, user_id, space_id, audience, content, content_hash,
    kind, source, origin, channel, confidence, evidence, stated_at, active,
    retired_reason, ann, inserted_at, updated_at, near, embedding_model) FROM STDIN"""
LINKS = (
    "COPY memory_memorylink (id, user_id, space_id, memory_id, created_at) FROM STDIN"
)


def mixed(base: Matrix, count: int, seed: int) -> Matrix:
    """Vectors between real ones: normalise(.8 a + .2 b)."""
    pick = np.random.default_rng(seed)
    one, two = pick.integers(0, len(base), (2, count))
    vectors = 0.8 * base[one] + 0.2 * base[two]
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / norms, np.float32)


def base(count: int = BASE) -> Matrix:
    """Vectors of real sentences."""
    return np.array(embeddings.local().embed(facts(count)))


def scopes(count: int) -> list[Scope]:
    """New users with a space each."""
    made = []
    for _ in range(count):
        name = uuid.uuid4().hex
        user = User(email=f"{name}@benchmark.invalid", password="!")  # noqa: S106 - never used
        made.append((user, Space(name=name)))
    User.objects.bulk_create([user for user, _ in made])
    Space.objects.bulk_create([space for _, space in made])
    Membership.objects.bulk_create([Membership(user=u, space=s) for u, s in made])
    return [Scope(user.pk, space.pk, "benchmark") for user, space in made]


def fill(
    owners: Sequence[Scope], texts: Sequence[str], vectors: Matrix
) -> list[uuid.UUID]:
    """Copy memories in with their links, dealt out to the owners in turn."""
    ids = [uuid.uuid4() for _ in texts]
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        with cursor.copy(MEMORIES) as copy:
            for number, text in enumerate(texts):
                owner = owners[number % len(owners)]
                copy.write_row(_row(ids[number], owner, text, vectors[number], number))
        with cursor.copy(LINKS) as copy:
            for number, key in enumerate(ids):
                owner = owners[number % len(owners)]
                copy.write_row(
                    (uuid.uuid4(), owner.user_id, owner.space_id, key, START)
                )
        cursor.execute("VACUUM ANALYZE memories")
        cursor.execute("VACUUM ANALYZE memory_memorylink")
        cursor.execute("RESET statement_timeout")
    return ids


def _row(
    key: uuid.UUID, owner: Scope, text: str, vector: Matrix, number: int
) -> tuple[object, ...]:
    said = START - timedelta(hours=number)
    whose = (key, owner.user_id, owner.space_id, "private")
    what = (text, content_hash(text), "other", "chat", "import", "", 1.0, "")
    state = (said, True, "", False, START, START)
    near = vector_text(vector[:NEAR_DIMENSIONS])
    return (*whose, *what, *state, near, local_embedder.NAME)
