"""recall@k, hit@k, MRR and percentiles. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from meddie.ai.tokens import estimate

DEPTH = 20
"""How far down MRR looks."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question's category, its evidence, and what each result covers, best first."""

    category: int
    evidence: frozenset[str]
    results: tuple[frozenset[str], ...]

    def recall(self, k: int) -> float:
        """The share of the evidence that the first k results cover."""
        covered = frozenset[str]().union(*self.results[:k]) & self.evidence
        return len(covered) / len(self.evidence)

    def hit(self, k: int) -> float:
        """Whether they cover any of it."""
        return float(self.recall(k) > 0)

    def reciprocal_rank(self) -> float:
        """One over the place of the first result that covers any of it."""
        for place, covers in enumerate(islice(self.results, DEPTH), 1):
            if covers & self.evidence:
                return 1 / place
        return 0.0


@dataclass(frozen=True, slots=True)
class Injected:
    """How much a question brought into the prompt."""

    rows: int
    tokens: int


def injected(texts: Sequence[str]) -> Injected:
    """How much these texts are."""
    return Injected(len(texts), sum(estimate(text) for text in texts))


@dataclass(frozen=True, slots=True)
class Figures:
    """Averages over the questions of a category, in per cent but for MRR."""

    questions: int
    recall: dict[int, float] = field(default_factory=dict)
    hit: dict[int, float] = field(default_factory=dict)
    mrr: float = 0.0


def mean(values: Sequence[float]) -> float:
    """The average; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def figures(answered: Sequence[Answered], ks: Sequence[int]) -> Figures:
    """The averages of these questions."""
    return Figures(
        len(answered),
        {k: 100 * mean([a.recall(k) for a in answered]) for k in ks},
        {k: 100 * mean([a.hit(k) for a in answered]) for k in ks},
        mean([a.reciprocal_rank() for a in answered]),
    )


def by_category(answered: Sequence[Answered], ks: Sequence[int]) -> dict[str, Figures]:
    """A line for each category, one for 1 to 4 together, one for all."""
    categories = sorted({a.category for a in answered})
    lines = {
        str(c): figures([a for a in answered if a.category == c], ks)
        for c in categories
    }
    lines["1-4"] = figures([a for a in answered if a.category <= 4], ks)
    lines["all"] = figures(answered, ks)
    return lines


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies; 0 of nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
