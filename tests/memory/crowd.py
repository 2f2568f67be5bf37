"""Facts of many other users, which give the planner a table of some size."""

from typing import Any

import numpy as np
from django.db import connection

from memory.models import Memory, MemoryLink
from memory.wording.same_fact import content_hash
from people.models import Space, User
from people.scope import Scope
from tests.memory.embedders import WordEmbedder

WORDS_USED = [
    "ibuprofen",
    "allergy",
    "tea",
    "coffee",
    "mother",
    "doctor",
    "chess",
    "running",
    "headache",
    "garden",
    "violin",
    "diabetes",
    "needles",
    "summer",
]

LIKE = "%@crowd.invalid"

_FILL = """
WITH base AS MATERIALIZED (
    SELECT b, array_agg(random() - 0.5) AS v
      FROM generate_series(0, 99) b, generate_series(1, 512) GROUP BY b
), owners AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY u.id) - 1 AS n, u.id AS user_id, s.id AS space_id
      FROM people_user u JOIN people_space s ON s.name = u.email
     WHERE u.email LIKE %(like)s
)
INSERT INTO memories (id, user_id, space_id, audience, content, content_hash, kind,
       source, origin, channel, confidence, evidence, stated_at, active, retired_reason,
       ann, inserted_at, updated_at, near, embedding_model)
SELECT gen_random_uuid(), user_id, space_id, 'private', 'Note number ' || g,
       md5(g::text), 'other', 'chat', 'import', '', 1, '', now() - g * interval '1 hour',
       true, '', false, now(), now(), v::halfvec(512), 'random'
  FROM generate_series(0, %(rows)s - 1) g
  JOIN owners ON n = g / %(per_scope)s
  JOIN base ON b = g %% 100
"""
_LINK = """
INSERT INTO memory_memorylink (id, user_id, space_id, memory_id, created_at)
SELECT gen_random_uuid(), user_id, space_id, id, now() FROM memories
 WHERE embedding_model = 'random'
"""


def settle(rows: int, per_scope: int) -> list[Scope]:
    """So many facts, so many to a scope, with random vectors and with statistics."""
    names = [LIKE.replace("%", str(n)) for n in range(rows // per_scope)]
    users = User.objects.bulk_create([User(email=name) for name in names])
    spaces = Space.objects.bulk_create([Space(name=name) for name in names])
    values: dict[str, Any] = {"rows": rows, "per_scope": per_scope, "like": LIKE}
    with connection.cursor() as cursor:
        cursor.execute(_FILL, values)
        cursor.execute(_LINK)
        cursor.execute("ANALYZE memories")
        cursor.execute("ANALYZE memory_memorylink")
    return [
        Scope(user.pk, space.pk, "test")
        for user, space in zip(users, spaces, strict=True)
    ]


def leave() -> None:
    """They go, with all that is theirs."""
    User.objects.filter(email__endswith=LIKE[1:]).delete()
    Space.objects.filter(name__endswith=LIKE[1:]).delete()


def fill(user, space, count, seed=0, embedder=None):
    """Store facts of four words each, linked to the user."""
    embedder = embedder or WordEmbedder()
    pick = np.random.default_rng(seed)
    texts = [
        f"{' '.join(pick.choice(WORDS_USED, 4))} {seed}x{number}"
        for number in range(count)
    ]
    vectors = embedder.embed(texts)
    rows = Memory.objects.bulk_create(
        Memory(
            user=user,
            space=space,
            content=text,
            content_hash=content_hash(text),
            vector=vector,
            embedding_model=embedder.model.name,
        )
        for text, vector in zip(texts, vectors, strict=True)
    )
    MemoryLink.objects.bulk_create(
        MemoryLink(user=user, space=space, memory=row) for row in rows
    )
    return rows
