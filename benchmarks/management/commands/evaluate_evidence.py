"""Measure which facts the rules about evidence keep and refuse."""

import json
import random
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmarks.evaluation.locomo import DATE, SESSION
from memory.wording.evidence import Quote, refusal_of

BEFORE = 6  # messages of context
NUMBER = re.compile(r"\d+")
WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@dataclass(frozen=True, slots=True)
class Observed:
    """A fact that a model took from one message."""

    fact: str
    message: str
    earlier: str
    at: datetime

    def refusal(self, fact: str = "", evidence: str | None = None) -> str:
        quote = Quote(self.message if evidence is None else evidence)
        return str(
            refusal_of(
                fact or self.fact,
                self.message,
                quote,
                earlier=self.earlier,
                stated_at=self.at,
            )
            or "kept"
        )


class Command(BaseCommand):
    help = (
        "Compare the observations of a file in LoCoMo's format with their messages:"
        " as they are, with changed numbers, with the words of other messages, and with"
        " other messages. Nothing is stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            samples = json.loads(options["file"].read_text())
            rows = [row for sample in samples for row in _observed(sample)]
        except (OSError, ValueError, KeyError) as error:
            raise CommandError(f"No observations could be read: {error}") from error
        chance = random.Random(1)  # noqa: S311 -- pairs, no secrets
        others = chance.sample(rows, len(rows))
        pairs = [p for p in zip(rows, others, strict=True) if p[0] != p[1]]
        self._tell("quoted", (row.refusal() for row in rows))
        self._tell("without a quotation", (row.refusal(evidence="") for row in rows))
        self._tell("a number changed", _with_numbers(rows, chance))
        self._tell("a number in words changed", _with_words(rows, chance))
        self._tell("another quoted", (a.refusal(evidence=b.message) for a, b in pairs))
        self._tell("another message", (b.refusal(a.fact) for a, b in pairs))

    def _tell(self, name: str, refusals: Iterator[str]) -> None:
        counts = Counter(refusals)
        total = counts.total()
        kept = counts.pop("kept", 0)
        share = f"{kept / total:6.1%}" if total else "-"
        self.stdout.write(
            f"{name:28}{kept:5} of {total:5} kept {share}  {dict(counts)}"
        )


def _observed(sample: dict[str, Any]) -> Iterator[Observed]:
    """Facts of one message of their speaker, who becomes the user."""
    talk = sample["conversation"]
    turns: dict[str, tuple[str, Observed]] = {}
    for name in filter(SESSION.fullmatch, talk):
        at = datetime.strptime(talk[f"{name}_date_time"], DATE)  # noqa: DTZ007 -- local
        for place, turn in enumerate(talk[name]):
            before = talk[name][max(place - BEFORE, 0) : place]
            earlier = "\n".join(one["text"] for one in before)
            said = Observed("", turn["text"], earlier, at)
            turns[turn["dia_id"]] = (turn["speaker"], said)
    for spoken in sample["observation"].values():
        for speaker, facts in spoken.items():
            for text, source, *_ in facts:
                if not isinstance(source, str) or source not in turns:
                    continue
                who, said = turns[source]
                if who == speaker:
                    fact = re.sub(rf"^{re.escape(speaker)}\b", "User", text)
                    yield Observed(fact, said.message, said.earlier, said.at)


def _with_numbers(rows: list[Observed], chance: random.Random) -> Iterator[str]:
    for row in rows:
        if NUMBER.search(row.fact):
            more = chance.choice([1, 2, 3, 7, 10])
            changed = NUMBER.sub(lambda n: str(int(n[0]) + more), row.fact, count=1)  # noqa: B023 -- called here
            yield row.refusal(changed)


def _with_words(rows: list[Observed], chance: random.Random) -> Iterator[str]:
    for row in rows:
        said = [word for word in row.fact.split() if word in WORDS]
        if said:
            other = chance.choice([word for word in WORDS if word != said[0]])
            yield row.refusal(re.sub(rf"\b{said[0]}\b", other, row.fact, count=1))
