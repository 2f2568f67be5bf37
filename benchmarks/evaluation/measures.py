"""recall@k, hit@k, MRR and percentiles, as data and as a table. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

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


@dataclass(slots=True)
class Measurements:
    """Measured figures; times in milliseconds."""

    answered: list[Answered] = field(default_factory=list)
    gated: list[Answered] = field(default_factory=list)
    decisions: Counter[str] = field(default_factory=Counter)
    search: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    brought: list[Injected] = field(default_factory=list)
    intruded: list[Injected] = field(default_factory=list)


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


NAMES = {
    "1": "1 multi-hop",
    "2": "2 temporal",
    "3": "3 open-domain",
    "4": "4 single-hop",
    "5": "5 adversarial",
    "1-4": "1 to 4",
    "all": "all",
}

QUESTIONS = {
    "answerable": "about this store",
    "unanswerable": "about another",
}


def report_data(outcome: Measurements, ks: Sequence[int]) -> dict[str, Any]:
    """All figures, in per cent, rows, tokens and milliseconds."""
    tables = {
        "ranking": by_category(outcome.answered, ks),
        "gated": by_category(outcome.gated, ks),
    }
    return {
        "decisions": dict(outcome.decisions),
        **{
            name: {category: asdict(line) for category, line in table.items()}
            for name, table in tables.items()
        },
        "intrusions": 100 * mean([float(one.rows > 0) for one in outcome.intruded]),
        "injected": {
            name: {
                "rows": mean([one.rows for one in seen]),
                "tokens": mean([one.tokens for one in seen]),
            }
            for name, seen in (
                ("answerable", outcome.brought),
                ("unanswerable", outcome.intruded),
            )
        },
        "milliseconds": {
            name: {"p50": percentile(values, 0.5), "p95": percentile(values, 0.95)}
            for name, values in (("query", outcome.total), ("search", outcome.search))
        },
    }


def report_lines(data: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    if data["decisions"]:
        counts = ", ".join(f"{n} {action}" for action, n in data["decisions"].items())
        yield f"Capture decided: {counts}"
    measures = [f"{name}@{k}" for k in ks for name in ("recall", "hit")]
    yield "".join(
        [
            f"{'category':<16}{'questions':>10}",
            *(f"{m:>11}" for m in measures),
            f"{'MRR':>8}",
        ]
    )
    for category, line in data["ranking"].items():
        yield _line(category, line, ks)
    gated = data["gated"]["1-4"]
    kept = " / ".join(f"{gated['recall'][k]:.1f}" for k in ks)
    yield f"With the ranking's gate and limit, categories 1 to 4: recall {kept}"
    yield f"{data['intrusions']:.1f} % of the questions about other stores got a row"
    yield "Into a prompt, on average: " + ", ".join(
        f"{data['injected'][name]['rows']:.2f} rows"
        f" ({data['injected'][name]['tokens']:.0f} tokens) for a question {label}"
        for name, label in QUESTIONS.items()
    )
    for name, label in (
        ("query", "A query with its embedding"),
        ("search", "The search"),
    ):
        took = data["milliseconds"][name]
        yield f"{label} takes p50 {took['p50']:.1f} ms, p95 {took['p95']:.1f} ms"


def _line(category: str, line: dict[str, Any], ks: Sequence[int]) -> str:
    values = [line[name][k] for k in ks for name in ("recall", "hit")]
    cells = "".join(f"{value:>11.1f}" for value in values)
    return f"{NAMES[category]:<16}{line['questions']:>10}{cells}{line['mrr']:>8.3f}"
