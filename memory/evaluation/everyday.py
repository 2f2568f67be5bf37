"""Invented facts, questions that they answer, and unrelated questions, in three languages.

Thresholds are calibrated on them.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

LANGUAGES = ("en", "pl", "ru")
FILE = Path(__file__).with_name("everyday.json")

Texts = dict[str, str]
"""One sentence by language."""


@dataclass(frozen=True, slots=True)
class Everyday:
    facts: dict[int, Texts]
    # Each with the numbers of the facts that answer it.
    questions: list[tuple[Texts, frozenset[int]]]
    unrelated: list[Texts]

    @classmethod
    def read(cls, path: Path = FILE) -> Self:
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            {fact["id"]: fact for fact in data["facts"]},
            [(one, frozenset(one["gold"])) for one in data["questions"]],
            data["unrelated"],
        )
