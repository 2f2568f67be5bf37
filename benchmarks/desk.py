"""Pages of the desk beside 200,000 memories: milliseconds of each, one reader."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts
from benchmarks.timing import Way, interleaved, spread
from conversations.models import Message, Receipt
from memory.models import Memory
from people.models import User
from people.scope import Scope
from tests.conversations import transcripts

OWNERS = 200
ROWS = 200_000
GIVEN = 40  # facts in a prompt
FILLED = 20  # owners; the others get copies of their rows
ROUNDS = 12
COPIES = """
INSERT INTO memories (id, user_id, space_id, audience, content, content_hash, kind, source,
       origin, channel, confidence, evidence, stated_at, active, retired_reason, ann,
       inserted_at, updated_at, near, embedding, embedding_model)
SELECT gen_random_uuid(), %(user)s, %(space)s, audience, content, content_hash, kind, source,
       (ARRAY['inline', 'background', 'import'])[1 + floor(random() * 3)], channel,
       confidence, evidence, stated_at, active, retired_reason, ann,
       now() - random() * interval '80 days', now() - random() * interval '80 days',
       near, embedding, embedding_model
  FROM memories WHERE user_id = %(model)s
"""
LINKS = """
INSERT INTO memory_memorylink (id, user_id, space_id, memory_id, created_at)
SELECT gen_random_uuid(), user_id, space_id, id, now() FROM memories
 WHERE user_id <> ALL(%s)
"""
EVENTS = """
INSERT INTO memory_memoryevent (id, kind, user_id, space_id, texts, data, created_at)
SELECT gen_random_uuid(), 'memory_decision', user_id, space_id, '{}', jsonb_build_object(
       'origin', origin, 'decisions', jsonb_build_array(jsonb_build_object(
       'action', 'add', 'reason', 'new', 'memory', id, 'target', null))), inserted_at
  FROM memories
"""


def run(_scene: Scene) -> dict[str, Any]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    _fill(rows.scopes(OWNERS))
    _add_history()
    return {name: spread(times) for name, times in _measure().items()}


def _fill(owners: Sequence[Scope]) -> None:
    each = facts(ROWS // OWNERS)
    texts = [text for text in each for _ in range(FILLED)]
    rows.fill(owners[:FILLED], texts, rows.mixed(rows.base(), len(texts), seed=1))
    filled = [owner.user_id for owner in owners[:FILLED]]
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for number, owner in enumerate(owners[FILLED:]):
            whose = {"user": owner.user_id, "space": owner.space_id}
            cursor.execute(COPIES, whose | {"model": filled[number % FILLED]})
        cursor.execute(LINKS, [filled])
        cursor.execute("RESET statement_timeout")


def _add_history() -> None:
    user = User.objects.order_by("pk")[0]
    space = user.memberships.get().space
    reply = transcripts.exchange(
        transcripts.start_conversation(user, space), "Hello", "Hello"
    )
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(EVENTS)
        _give_facts(reply)
        for table in ("memory_memoryevent", "conversations_receipt", "memories"):
            cursor.execute(f"VACUUM ANALYZE {table}")
        cursor.execute("RESET statement_timeout")


def _give_facts(reply: Message) -> None:
    """Replies after this one, with a receipt each, to which every fact was given."""
    keys = list(Memory.objects.values_list("pk", flat=True))
    receipts = []
    for number in range(1, len(keys) // GIVEN + 1):
        later = Message(
            thread_id=reply.thread_id,
            conversation_id=reply.conversation_id,
            episode_id=reply.episode_id,
            seq=reply.seq + number,
            role=Message.Role.ASSISTANT,
            content="Hello",
        )
        rows = [(key, 0.5) for key in keys[GIVEN * (number - 1) : GIVEN * number]]
        receipt = Receipt(message=later)
        receipt.add(Receipt.Kind.MEMORY, Receipt.Section.REMEMBERED, rows, GIVEN)
        receipts.append(receipt)
    Message.objects.bulk_create([receipt.message for receipt in receipts])
    Receipt.objects.bulk_create(receipts)


def _measure() -> dict[str, list[float]]:
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(User.objects.create_superuser("desk@benchmark.invalid"))
    memory = Memory.objects.select_related("user")[ROWS // 2]
    question = {"user": str(memory.user), "channel": "web", "message": "Who likes tea?"}
    listed = reverse("admin:memory_memory_changelist")
    page = partial(reverse, args=[memory.pk])
    addresses: dict[str, str] = {
        "list": listed,
        "active": f"{listed}?state=active",
        "of a user": f"{listed}?user={memory.user_id}",
        "search, few rows": f"{listed}?q=penicillin+harbour",
        "search, all rows": f"{listed}?q=user",
        "last page": f"{listed}?p=99",
        "memory": page("admin:memory_memory_change"),
        "correct": page("admin:memory_memory_correct"),
        "events": reverse("admin:memory_memoryevent_changelist"),
        "queues": reverse("admin:queues"),
        "charts": reverse("admin:charts"),
    }
    ways: dict[str, Way] = {
        name: partial(_get, client, address) for name, address in addresses.items()
    }
    ways["inspector"] = lambda _: client.post(reverse("admin:inspector"), question)
    return interleaved(ways, ROUNDS, warm_up=2)


def _get(client: Client, address: str, _round: int) -> None:
    answer = client.get(address)
    if answer.status_code != 200:
        message = f"{address} answers {answer.status_code}"
        raise RuntimeError(message)
