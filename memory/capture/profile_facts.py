"""Store structured facts about a user, in the scope's lock (S4-20 to S4-26)."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from meddie.text import one_line
from memory import lexicon
from memory.capture import store
from memory.capture.evidence import has_value, stating
from memory.capture.guards import MAX_PER_REPLY, refusal
from memory.models import Memory, ProfileFact
from memory.models.profile_fact import KEY_LIMIT, VALUE_LIMIT
from memory.reasons import Reason
from memory.values import Action, Decision, ProfileCandidate, Provenance
from memory.words import folded, plain, stem, tokens
from people.scope import Scope

MOST = 50  # active ones of a scope (S4-10)
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
NAME_KEYS = {"name", "nickname"}
HEALTH = frozenset(map(stem, folded(lexicon.HEALTH)))
Retired = Memory.RetiredReason


@dataclass(frozen=True, slots=True)
class Stated:
    """A candidate in its stored form; blank where it is no text."""

    candidate: ProfileCandidate
    category: str
    key: str
    value: str

    @property
    def place(self) -> tuple[str, str]:
        return self.category, self.key

    @property
    def weight(self) -> tuple[bool, float]:
        return self.candidate.correction, self.candidate.confidence

    def decided(
        self,
        action: Action,
        reason: Reason,
        fact: ProfileFact | None = None,
        target: ProfileFact | None = None,
    ) -> Decision:
        return Decision(
            f"{self.key}: {self.value}",
            action,
            reason,
            fact.pk if fact else None,
            target.pk if target else None,
            profile=True,
        )


def refuse_profile(
    candidates: Sequence[ProfileCandidate], reason: Reason
) -> list[Decision]:
    return [_stated(candidate).decided("reject", reason) for candidate in candidates]


def settle_profile(
    scope: Scope, candidates: Sequence[ProfileCandidate], provenance: Provenance
) -> list[Decision]:
    """Decide on profile facts. The caller holds the scope's lock."""
    facts = [_stated(candidate) for candidate in candidates]
    refusals = [
        Reason.TOO_MANY
        if number >= MAX_PER_REPLY
        else fact.candidate.withheld or _refusal(fact, provenance)
        for number, fact in enumerate(facts)
    ]
    # Of several values for one key the surest is taken, and of equals the last.
    best: dict[tuple[str, str], Stated] = {}
    for fact, refused in zip(facts, refusals, strict=True):
        if not refused:
            other = best.get(fact.place, fact)
            best[fact.place] = max(fact, other, key=lambda one: one.weight)
    return [
        fact.decided("reject", refused)
        if refused
        else _decide(scope, fact, provenance)
        if best[fact.place] is fact
        else fact.decided("ignore", Reason.DUPLICATE)
        for fact, refused in zip(facts, refusals, strict=True)
    ]


def is_about_health(text: str) -> bool:
    return not HEALTH.isdisjoint(map(stem, tokens(plain(text))))


def normalised_key(key: str) -> str:
    """In snake_case; another name of the same key becomes the usual one."""
    words = NO_WORD.split(CAMEL.sub("_", unicodedata.normalize("NFKC", key)).lower())
    snake = "_".join(filter(None, words))
    return ALIASES.get(snake, snake)


def _stated(candidate: ProfileCandidate) -> Stated:
    parts = (candidate.category, candidate.key, candidate.value)
    category, key, value = (one_line(p) if isinstance(p, str) else "" for p in parts)
    return Stated(candidate, category, normalised_key(key), value)


def _refusal(fact: Stated, provenance: Provenance) -> Reason | None:
    candidate = fact.candidate
    if fact.category not in ProfileFact.Category.values:
        return Reason.CATEGORY
    if not fact.key or not fact.value:
        return Reason.BLANK
    if len(fact.key) > KEY_LIMIT or len(fact.value) > VALUE_LIMIT:
        return Reason.TOO_LONG
    if not LEAST_CONFIDENCE <= candidate.confidence <= 1:
        return Reason.CONFIDENCE
    if not LEAST_IMPORTANCE <= candidate.importance <= 1:
        return Reason.IMPORTANCE
    return _refused_text(fact) or _ungrounded(fact, provenance)


def _refused_text(fact: Stated) -> Reason | None:
    words = fact.key.replace("_", " ")
    if is_about_health(f"{words} {fact.value}"):
        return Reason.HEALTH
    wish = fact.category == ProfileFact.Category.INSTRUCTION
    text = f"{words}{' ' if wish else ': '}{fact.candidate.value}"
    return refusal(text, wish=wish)


def _ungrounded(fact: Stated, provenance: Provenance) -> Reason | None:
    said = (provenance.user_text, provenance.in_context)
    texts = [text for text in said if text is not None]
    if not texts or any(has_value(fact.value, text) for text in texts):
        return None
    return Reason.UNGROUNDED


def _decide(scope: Scope, fact: Stated, provenance: Provenance) -> Decision:
    own = ProfileFact.objects.owned_by(scope)
    forgotten = own.tombstones(*fact.place).order_by("-retired_at").first()
    if forgotten and not _is_stated_since(fact, forgotten, provenance):
        return fact.decided("reject", Reason.RETRACTED, None, forgotten)
    versions = own.filter(category=fact.category, key=fact.key)
    known = versions.exclude(retired_reason=Retired.RETRACTED).exclude(withdrawn=True)
    latest = known.order_by("-active", "-stated_at").first()
    if latest and latest.active and latest.value.lower() == fact.value.lower():
        if latest.message_id != provenance.message_id:
            # The edit of one message leaves what the other states.
            _keep_as_history(scope, fact, known, latest, provenance)
        _refresh(latest, fact.candidate, provenance)
        return fact.decided("ignore", Reason.DUPLICATE, latest, latest)
    if latest and latest.stated_at >= provenance.stated_at:
        return _keep_as_history(scope, fact, known, latest, provenance)
    active = latest if latest and latest.active else None
    return _store(scope, fact, active, provenance)


def _is_stated_since(
    fact: Stated, forgotten: ProfileFact, provenance: Provenance
) -> bool:
    """Whether the user states the value after the wish to forget, or in its message."""
    at, text = provenance.stated_at, provenance.user_text
    assert forgotten.retired_at is not None  # noqa: S101 -- a constraint
    if text is None:
        return at > forgotten.retired_at
    return at >= forgotten.retired_at and has_value(fact.value, stating(text))


def _refresh(
    known: ProfileFact, candidate: ProfileCandidate, provenance: Provenance
) -> None:
    before = (known.confidence, known.importance, known.stated_at)
    known.confidence = max(known.confidence, candidate.confidence)
    known.importance = max(known.importance, candidate.importance)
    known.stated_at = max(known.stated_at, provenance.stated_at)
    if (known.confidence, known.importance, known.stated_at) != before:
        known.save()


def _keep_as_history(
    scope: Scope,
    fact: Stated,
    known: QuerySet[ProfileFact],
    newer: ProfileFact,
    provenance: Provenance,
) -> Decision:
    if not known.filter(value=fact.value, stated_at=provenance.stated_at).exists():
        _row(scope, fact, provenance).retire(Retired.SUPERSEDED)
    return fact.decided("ignore", Reason.OUTDATED, None, newer)


def _store(
    scope: Scope, fact: Stated, active: ProfileFact | None, provenance: Provenance
) -> Decision:
    row = _row(scope, fact, provenance)
    if active is None:
        if not _has_room(scope, row):
            return fact.decided("reject", Reason.FULL)
        row.save()
        return fact.decided("add", Reason.NEW, row)
    if fact.candidate.correction or row.confidence >= active.confidence:
        active.retire(Retired.SUPERSEDED)
        row.save()
        reason = Reason.CORRECTION if fact.candidate.correction else Reason.NEWER
        return fact.decided("replace", reason, row, active)
    return fact.decided("ignore", Reason.LESS_CERTAIN, active, active)


def _has_room(scope: Scope, new: ProfileFact) -> bool:
    """Whether there is room, after a less important or older fact is archived."""
    facts = list(ProfileFact.objects.owned_by(scope).active().by_importance())
    if len(facts) < MOST:
        return True
    last = facts[-1]
    if (last.importance, last.stated_at) >= (new.importance, new.stated_at):
        return False
    last.retire(Retired.ARCHIVED)
    return True


def _row(scope: Scope, fact: Stated, provenance: Provenance) -> ProfileFact:
    return ProfileFact(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        confidence=fact.candidate.confidence,
        importance=fact.candidate.importance,
        origin=provenance.origin,
        channel=scope.channel,
        message_id=provenance.message_id,
        stated_at=provenance.stated_at,
    )
