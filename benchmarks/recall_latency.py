"""How long one recall takes, with a few and with many memories in the scope.

    python manage.py migrate && python -m benchmarks.recall_latency

Writes rows of made-up sentences for a user of its own, and as many others in other
scopes, in one transaction that is rolled back: nothing is left behind.
"""

import json
import os
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
django.setup()

import numpy as np  # noqa: E402 - Django first
from django.db import connection, transaction  # noqa: E402 - Django first

from meddie.ai import embeddings  # noqa: E402 - Django first
from memory.capture.normalise import content_hash  # noqa: E402 - Django first
from memory.recall.recall import prepare, recall  # noqa: E402 - Django first
from memory.recall.vector_text import vector_text  # noqa: E402 - Django first
from people.models import Membership, Space, User  # noqa: E402 - Django first
from people.scope import Scope  # noqa: E402 - Django first

SIZES = (100, 1_000, 10_000)
OTHERS = 50_000
OTHER_SCOPES = 2_000
ROUNDS = 60
PROFILES = ("chat", "fused")
SUBJECTS = ["User", "User's mother", "User's father", "User's daughter", "User's dog"]
VERBS = ["likes", "avoids", "is allergic to", "takes", "asked about", "bought", "lost"]
THINGS = [
    "ibuprofen",
    "apples",
    "magnesium",
    "running",
    "swimming",
    "coffee",
    "milk",
    "penicillin",
    "books",
    "wool",
    "peanuts",
    "chess",
    "yoga",
    "salmon",
    "bread",
    "honey",
    "cycling",
    "garlic",
    "spinach",
    "aspirin",
    "tea",
    "rice",
]
TIMES = [
    "in the morning",
    "on Mondays",
    "since 2019",
    "in winter",
    "after work",
    "twice a week",
]
QUESTIONS = [
    "What should you know before you recommend a painkiller?",
    "Can I drink coffee in the evening?",
    "What does my mother avoid?",
    "Which sports do I like, and when do I do them?",
    "Is there anything that my daughter must not eat at her birthday party?",
    "What did I say about magnesium last winter?",
]


def sentences(count: int) -> Iterator[str]:
    """Different sentences without end, from a few words."""
    for number in range(count):
        pick = np.random.default_rng(number)
        words = [pick.choice(part) for part in (SUBJECTS, VERBS, THINGS, TIMES)]
        yield f"{' '.join(words)}, note {number}"


def vectors(count: int) -> np.ndarray:
    """Vectors of real sentences, mixed in pairs until there are enough."""
    base = np.array(embeddings.local().embed(list(sentences(2_000))))
    random = np.random.default_rng(7)
    one, two = random.integers(0, len(base), (2, count))
    mixed = 0.8 * base[one] + 0.2 * base[two]
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def scopes(count: int) -> list[Scope]:
    """Users with a space each."""
    made = []
    for _ in range(count):
        name = uuid.uuid4().hex
        user = User(email=f"{name}@benchmark.invalid", password="!")  # noqa: S106 - nobody signs in
        made.append((user, Space(name=name)))
    User.objects.bulk_create([user for user, _ in made])
    Space.objects.bulk_create([space for _, space in made])
    Membership.objects.bulk_create([Membership(user=u, space=s) for u, s in made])
    return [Scope(user.pk, space.pk, "benchmark") for user, space in made]


def fill(owners: Sequence[Scope], texts: Sequence[str], rows: np.ndarray) -> None:
    """Copy memories in, with their links."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    ids = [uuid.uuid4() for _ in texts]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        with cursor.copy(
            "COPY memories (id, user_id, space_id, audience, content, content_hash,"
            " kind, source, origin, channel, confidence, evidence, stated_at, active,"
            " retired_reason, ann, inserted_at, updated_at, embedding, embedding_model)"
            " FROM STDIN"
        ) as copy:
            for number, (key, text, vector) in enumerate(
                zip(ids, texts, rows, strict=True)
            ):
                owner = owners[number % len(owners)]
                said = now - timedelta(hours=number)
                copy.write_row((
                    key, owner.user_id, owner.space_id, "private", text,
                    content_hash(text), "other", "chat", "import", "", 1.0, "", said,
                    True, "", False, now, now, vector_text(vector), "all-MiniLM-L6-v2",
                ))  # fmt: skip
        with cursor.copy(
            "COPY memory_memorylink (id, user_id, space_id, memory_id, created_at)"
            " FROM STDIN"
        ) as copy:
            for number, key in enumerate(ids):
                owner = owners[number % len(owners)]
                copy.write_row((uuid.uuid4(), owner.user_id, owner.space_id, key, now))
        cursor.execute("ANALYZE memories")
        cursor.execute("ANALYZE memory_memorylink")


def measure(scope: Scope, profile: str) -> dict[str, float]:
    """Milliseconds of a recall, with and without the embedding of the message."""
    embedder = embeddings.LocalEmbedder()
    searching, whole = [], []
    for turn in range(ROUNDS):
        text = f"{QUESTIONS[turn % len(QUESTIONS)]} ({turn})"
        began = time.perf_counter()
        query = prepare(text, embedder=embedder)
        prepared = time.perf_counter()
        recall(scope, query, profile=profile)
        ended = time.perf_counter()
        searching.append(1000 * (ended - prepared))
        whole.append(1000 * (ended - began))
    return {
        f"{name} {label}": round(value, 2)
        for name, values in (("recall", searching), ("with embedding", whole))
        for label, value in (
            ("p50", statistics.median(values)),
            ("p95", statistics.quantiles(values, n=20)[18]),
        )
    }


def main() -> None:
    """Print one line of JSON for each size of scope."""
    with transaction.atomic():
        try:
            fill(scopes(OTHER_SCOPES), list(sentences(OTHERS)), vectors(OTHERS))
            for size in SIZES:
                (scope,) = scopes(1)
                fill([scope], list(sentences(size)), vectors(size))
                for profile in PROFILES:
                    measure(scope, profile)
                    figures = {"profile": profile, "memories in scope": size}
                    figures |= {"others": OTHERS} | measure(scope, profile)
                    sys.stdout.write(json.dumps(figures) + "\n")
        finally:
            transaction.set_rollback(True)


if __name__ == "__main__":
    main()
