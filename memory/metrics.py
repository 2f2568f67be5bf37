"""Figures of memory for Prometheus and for staff, read from the database."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Count
from django.utils import timezone
from prometheus_client.core import Metric

from meddie.metrics_format import Gauge
from memory.models import Memory, ProfileFact

DAY = timedelta(days=1)
DUPLICATES = {"duplicate", "near_duplicate", "same_message"}
FACTS = Gauge("meddie_memories", "active memories and profile facts of users")
# The name of S1-46.
FACT_COUNTS = Gauge(
    "meddie_memory_total_count", "the same as `meddie_memories`", untyped=True
)
USERS = Gauge("meddie_memory_users", "users who have any")
DECISIONS = Gauge(
    "meddie_memory_decisions",
    "decisions on facts in the last day",
    ("origin", "action", "reason"),
)
EXTRACTED = Gauge("meddie_memory_extracted", "facts that were proposed in the last day")
REPLACEMENT_RATE = Gauge(
    "meddie_memory_replacement_rate", "replacements for each addition of the last day"
)
DEDUP_RATE = Gauge(
    "meddie_memory_dedup_rate",
    "share of duplicates among the facts that were proposed in the last day",
)
DECIDED = """
SELECT data->>'origin', one->>'action', one->>'reason', count(*)
FROM memory_memoryevent, jsonb_array_elements(data->'decisions') AS one
WHERE kind = 'memory_decision' AND created_at > %s
GROUP BY 1, 2, 3
ORDER BY 4 DESC, 1, 2, 3
"""
PROPOSED = """
SELECT coalesce(sum((data->>'extracted')::bigint), 0) FROM memory_memoryevent
WHERE kind = 'memory_decision' AND created_at > %s
"""


@dataclass(frozen=True, slots=True)
class Decided:
    """Decisions by origin, action and reason, and the number of proposed facts."""

    decisions: "Counter[tuple[str, str, str]]"
    proposed: int

    @property
    def rates(self) -> dict[Gauge, float]:
        """S1-47 and S1-48."""
        counts: Counter[str] = Counter()
        for (_origin, action, reason), number in self.decisions.items():
            counts[action] += number
            if action == "ignore" and reason in DUPLICATES:
                counts["duplicate"] += number
        return {
            REPLACEMENT_RATE: ratio(counts["replace"], counts["add"]),
            DEDUP_RATE: ratio(counts["duplicate"], self.proposed),
        }


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def read_decided(period: timedelta = DAY) -> Decided:
    with connection.cursor() as cursor:
        since = timezone.now() - period
        cursor.execute(DECIDED, [since])
        decisions = Counter({tuple(labels): n for *labels, n in cursor.fetchall()})
        cursor.execute(PROPOSED, [since])
        (proposed,) = cursor.fetchone()
    return Decided(decisions, int(proposed))


def memory_families() -> Iterator[Metric]:
    """Without users as labels: the admin has the number of each user."""
    number: Counter[UUID] = Counter()
    for kind in (Memory, ProfileFact):
        own = kind.objects.active().filter(user__isnull=False)
        of_users = own.values_list("user").annotate(number=Count("*")).order_by()
        number.update(dict(of_users))
    for gauge in (FACTS, FACT_COUNTS):
        yield gauge.family([(number.total(),)])
    yield USERS.family([(len(number),)])
    decided = read_decided()
    yield DECISIONS.family(
        (*labels, number) for labels, number in decided.decisions.items()
    )
    yield EXTRACTED.family([(decided.proposed,)])
    for gauge, rate in decided.rates.items():
        yield gauge.family([(rate,)])
