"""recall@k, hit@k, MRR and percentiles. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from meddie.ai.tokens import estimate

# Results that MRR counts.
DEPTH = 20


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, and the turns that each result covers."""

    category: int
    evidence: frozenset[str]
    results: tuple[frozenset[str], ...]

    def recall(self, k: int) -> float:
        """Share of the evidence in the first k results."""
        covered = frozenset[str]().union(*self.results[:k]) & self.evidence
        return len(covered) / len(self.evidence)

    def hit(self, k: int) -> float:
        return float(self.recall(k) > 0)

    def reciprocal_rank(self) -> float:
        for place, covers in enumerate(islice(self.results, DEPTH), 1):
            if covers & self.evidence:
                return 1 / place
        return 0.0


@dataclass(frozen=True, slots=True)
class Injected:
    rows: int
    tokens: int


def injected(texts: Sequence[str]) -> Injected:
    return Injected(len(texts), sum(estimate(text) for text in texts))


@dataclass(frozen=True, slots=True)
class Figures:
    """Averages, in per cent except MRR."""

    questions: int
    recall: dict[int, float] = field(default_factory=dict)
    hit: dict[int, float] = field(default_factory=dict)
    mrr: float = 0.0


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def figures(answered: Sequence[Answered], ks: Sequence[int]) -> Figures:
    return Figures(
        len(answered),
        {k: 100 * mean([a.recall(k) for a in answered]) for k in ks},
        {k: 100 * mean([a.hit(k) for a in answered]) for k in ks},
        mean([a.reciprocal_rank() for a in answered]),
    )


def by_category(answered: Sequence[Answered], ks: Sequence[int]) -> dict[str, Figures]:
    """Figures of each category, of categories 1 to 4 together, and of all."""
    categories = sorted({a.category for a in answered})
    lines = {
        str(c): figures([a for a in answered if a.category == c], ks)
        for c in categories
    }
    lines["1-4"] = figures([a for a in answered if a.category <= 4], ks)
    lines["all"] = figures(answered, ks)
    return lines


def percentile(values: Sequence[float], share: float) -> float:
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
