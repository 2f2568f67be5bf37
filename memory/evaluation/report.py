"""The figures of an evaluation, as data and as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from memory.evaluation.measures import by_category, mean, percentile
from memory.evaluation.run import Measurements

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
