"""The limit: statements through psycopg, and the bare call of the embedding model."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from meddie.ai.embeddings import LocalEmbedder, QueryCache
from meddie.ai.local_embedder import DIMENSIONS
from memory.vectors import vector_text
from people.scope import Scope

MODEL = LocalEmbedder(queries=QueryCache(size=0))
"""The model that everybody uses here, without what it keeps of earlier questions."""
Statement = tuple[str, Any]
NEAREST = """
SELECT id, content FROM memories
 WHERE user_id = %s AND space_id = %s AND active
 ORDER BY near <=> %s::halfvec LIMIT %s
"""


class Bare:
    """Nearest vectors only, and the statements of other stores."""

    def __init__(self) -> None:
        self.connection = psycopg.connect(
            os.environ["DATABASE_URL"], autocommit=True, options="-c jit=off"
        )
        options = settings.DATABASES["default"]["OPTIONS"]
        self.connection.prepare_threshold = options["prepare_threshold"]

    def search(self, scope: Scope, text: str, limit: int) -> list[str]:
        """The texts nearest to this one."""
        near = vector_text(MODEL.embed_query(text)[:DIMENSIONS])
        found = self.connection.execute(
            NEAREST, (scope.user_id, scope.space_id, near, limit)
        )
        return [content for _, content in found.fetchall()]

    def replay(self, text: str, statements: Sequence[Statement]) -> None:
        """Embed a text and run what was noted down for it."""
        MODEL.embed_query(text)
        for sql, values in statements:
            self.connection.execute(sql, values, binary=True).fetchall()


def noted(work: Callable[[], object]) -> list[Statement]:
    """The statements that Django runs for some work, with what they bind."""
    statements: list[Statement] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 -- Django's signature
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        work()
    return statements
