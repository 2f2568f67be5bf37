"""What a profile fact says, by itself: its key, its limits, whether it is about health."""

import re
import unicodedata
from dataclasses import replace
from typing import Any

from meddie.text import one_line
from memory.models import ProfileFact
from memory.models.profile_fact import KEY_LIMIT, VALUE_LIMIT
from memory.reasons import Reason
from memory.values import Candidate, ProfileCandidate
from memory.wording import lexicon
from memory.wording.guards import refusal
from memory.wording.words import folded, plain, stem, tokens

LEAST_CONFIDENCE, LEAST_IMPORTANCE = 0.4, 0.2
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
NO_WORD = re.compile(r"[\W_]+")
ALIASES = {
    alias: key
    for key, aliases in {
        "name": "first_name full_name user_name",
        "nickname": "preferred_name",
        "language": "preferred_language lang",
        "formatter": "code_formatter formatting_tool",
        "location": "city home residence home_city lives_in",
        "timezone": "time_zone tz",
        "project": "project_name current_project",
        "occupation": "job profession job_title role",
        "diet": "dietary_preference dietary_restriction dietary_restrictions",
        "testing_framework": "test_framework testing",
        "api_framework": "web_framework",
        "type_hints": "typing type_annotations",
        "docstrings": "docstring_style docstring",
        "line_length": "max_line_length",
        "database": "db preferred_database",
        "latency_target": "target_latency latency",
    }.items()
    for alias in aliases.split()
}
HEALTH_STEMS = frozenset(map(stem, folded(lexicon.HEALTH)))


def is_about_health(text: str) -> bool:
    return not HEALTH_STEMS.isdisjoint(map(stem, tokens(plain(text))))


def sentence_about_health(candidate: ProfileCandidate) -> Candidate | None:
    """A fact whose key is about health, as a sentence; None for another.

    It may have several values, and one of them does not replace another.
    """
    fact, confidence = normalised(candidate), candidate.confidence
    sure = LEAST_CONFIDENCE <= confidence <= 1
    if not (sure and fact.value and is_about_health(words_of(fact))):
        return None
    text = f"{words_of(fact)}: {fact.value}"
    return Candidate(text, confidence=confidence, withheld=candidate.withheld)


def normalised_key(key: str) -> str:
    """In snake_case; another name of the same key becomes the usual one."""
    words = NO_WORD.split(CAMEL.sub("_", unicodedata.normalize("NFKC", key)).lower())
    snake = "_".join(filter(None, words))
    return ALIASES.get(snake, snake)


def normalised(candidate: ProfileCandidate) -> Any:
    """With texts in their stored form; blank where one is no text."""
    parts = (candidate.category, candidate.key, candidate.value)
    category, key, value = (one_line(p) if isinstance(p, str) else "" for p in parts)
    key = normalised_key(key)
    return replace(candidate, category=category, key=key, value=value)


def words_of(fact: Any) -> str:
    return str(fact.key).replace("_", " ")


def why_unfit(fact: Any, written: object) -> Reason | None:
    if fact.withheld or fact.category not in ProfileFact.Category.values:
        return fact.withheld or Reason.CATEGORY
    if not fact.key or not fact.value:
        return Reason.BLANK
    if len(fact.key) > KEY_LIMIT or len(fact.value) > VALUE_LIMIT:
        return Reason.TOO_LONG
    if not LEAST_CONFIDENCE <= fact.confidence <= 1:
        return Reason.CONFIDENCE
    if not LEAST_IMPORTANCE <= fact.importance <= 1:
        return Reason.IMPORTANCE
    wish = fact.category == ProfileFact.Category.INSTRUCTION
    text = f"{words_of(fact)}{' ' if wish else ': '}{written}"
    return refusal(text, wish=wish)
