"""Whether the facts that questions need are in the prompts of their turns.

The prompts are built by the same functions as those of a turn, in a scratch space.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmarks.evaluation.locomo import Unit
from benchmarks.evaluation.scratch import (
    EmbeddingFailed,
    Store,
    prepare_filling,
    scratch,
)
from conversations.forgetting.withheld import Withheld
from conversations.reply.known import know
from conversations.reply.prompt import context
from conversations.reply.prompt_place import PromptPlace
from meddie.ai.embeddings import current_embedder
from meddie.ai.tokens import estimate
from memory import service
from memory.models import MemoryPolicy
from memory.recall.query import Query

FIRST_DAY = datetime(2026, 1, 1, 12, tzinfo=UTC)


class InvalidQuestions(Exception):
    """The file of facts and questions cannot be used."""


class Texts(BaseModel):
    """A sentence by language."""

    model_config = ConfigDict(extra="allow")

    def text(self, language: str) -> str:
        """Raises InvalidQuestions."""
        found = (self.model_extra or {}).get(language)
        if not isinstance(found, str) or not found.strip():
            shown = self.model_dump_json()[:80]
            raise InvalidQuestions(f"No text in the language '{language}': {shown}")
        return found


class StatedFact(Texts):
    id: int


class NeededFacts(Texts):
    gold: list[int] = Field(min_length=1)


class QuestionFile(BaseModel):
    facts: list[StatedFact] = Field(min_length=1)
    questions: list[NeededFacts] = Field(min_length=1)
    unrelated: list[Texts] = []

    @classmethod
    def read(cls, path: Path) -> "QuestionFile":
        """Raises InvalidQuestions."""
        try:
            read = cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise InvalidQuestions(f"The file cannot be read: {error}") from error
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "file"
            message = f"The file is not valid: {where}: {first['msg']}"
            raise InvalidQuestions(message) from error
        known = Counter(fact.id for fact in read.facts)
        if twice := [i for i, count in known.items() if count > 1]:
            raise InvalidQuestions(f"Several facts have the id {twice[0]}")
        for question in read.questions:
            if missing := set(question.gold) - set(known):
                raise InvalidQuestions(f"There is no fact with the id {min(missing)}")
        return read


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """The facts of each row in a prompt, and the tokens of its system message."""

    found: Sequence[frozenset[str]]
    others: Sequence[frozenset[str]]
    fact_tokens: int
    tokens: int


@dataclass(frozen=True, slots=True)
class MeasuredPrompts:
    needed: Sequence[frozenset[str]]
    answers: Sequence[BuiltPrompt]
    unrelated: Sequence[BuiltPrompt]
    # Ids of facts that a guard refused.
    not_stored: Sequence[int]

    def figures(self) -> dict[str, Any]:
        """Counts of questions; rows and tokens are averages of a question."""
        pairs = list(zip(self.needed, self.answers, strict=True))
        rows = [len(one.found) for one in self.unrelated]
        return {
            "questions": len(pairs),
            "in_prompt": sum(n <= _facts([*b.found, *b.others]) for n, b in pairs),
            "in_found": sum(n <= _facts(b.found) for n, b in pairs),
            "tokens": _mean([answer.fact_tokens for answer in self.answers]),
            "unrelated": {
                "questions": len(rows),
                "with_rows": sum(map(bool, rows)),
                "rows": _mean(rows),
            },
        }


def measure_prompts(
    file: QuestionFile,
    facts: str,
    questions: str,
    policy: MemoryPolicy,
    progress: Callable[[int], object],
) -> MeasuredPrompts:
    """Build the prompt of every question. Raises InvalidQuestions, EmbeddingFailed."""
    units = [
        Unit(f.text(facts), frozenset({str(f.id)}), FIRST_DAY + timedelta(days=day))
        for day, f in enumerate(file.facts)
    ]
    asked = [one.text(questions) for one in [*file.questions, *file.unrelated]]
    filling = prepare_filling(units, "observation", current_embedder(), lambda _: None)
    queries = [service.prepare_query(text) for text in asked]
    if any(query.failed for query in queries):
        raise EmbeddingFailed("a question")
    with scratch(filling) as store:
        built = []
        for text, query in zip(asked, queries, strict=True):
            built.append(_build(store, policy, text, query))
            progress(1)
    needed = [frozenset(map(str, question.gold)) for question in file.questions]
    stored = _facts(store.covers.values())
    return MeasuredPrompts(
        needed,
        built[: len(needed)],
        built[len(needed) :],
        [fact.id for fact in file.facts if str(fact.id) not in stored],
    )


def _build(store: Store, policy: MemoryPolicy, text: str, query: Query) -> BuiltPrompt:
    now = FIRST_DAY + timedelta(days=365)
    asked = context.Brief([context.HistoryLine("user", text)], now)
    known = know(
        store.scope, policy, query, PromptPlace(asked, Withheld(), policy.ranking)
    )
    prompt, known = known.fitted(settings.PROMPT_TOKENS)
    brief, used = known.brief(), prompt.used
    lines = [*brief.facts[: used.get("facts", 0)], *brief.found[: used.get("found", 0)]]
    found, others = known.facts.in_prompt(used)
    return BuiltPrompt(
        [store.covers[item.memory_id] for item in found],
        [store.covers[item.memory_id] for item in others],
        sum(estimate(line.line) for line in lines),
        sum(estimate(message["content"]) for message in prompt.messages),
    )


def _facts(rows: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*rows)


def _mean(numbers: Sequence[int]) -> float:
    return round(fmean(numbers), 1) if numbers else 0.0


def prompt_report(measured: MeasuredPrompts) -> list[str]:
    figures, answers = measured.figures(), measured.answers
    unrelated = figures["unrelated"]
    return [
        (
            f"{figures['questions']} questions, {figures['in_prompt']} with the needed fact in"
            f" the prompt, {figures['in_found']} found by the search"
        ),
        f"Found: {_mean([len(a.found) for a in answers])} rows a question",
        f"Others in the prompt: {_mean([len(a.others) for a in answers])} rows a question",
        f"Facts: {figures['tokens']} tokens of {_mean([a.tokens for a in answers])} in the prompt",
        (
            f"{unrelated['questions']} unrelated questions: {unrelated['with_rows']} brought"
            f" rows, {unrelated['rows']} on average"
        ),
    ]
