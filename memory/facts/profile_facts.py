"""Store structured facts about a user, in the scope's lock (S4-20 to S4-26)."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from meddie.text import one_line
from memory.facts import store
from memory.facts.decide import decide
from memory.facts.look import Known
from memory.facts.periods import end_values
from memory.models import Fact, Memory, MemoryUpdate, ProfileFact
from memory.models.profile_fact import KEY_LIMIT, VALUE_LIMIT
from memory.reasons import Reason
from memory.values import (
    STORED,
    Action,
    Candidate,
    Decision,
    ProfileCandidate,
    Provenance,
)
from memory.wording import lexicon
from memory.wording.evidence import has_value
from memory.wording.guards import MAX_PER_REPLY, refusal, repeats_example
from memory.wording.words import folded, plain, stem, tokens
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
    def words(self) -> str:
        return self.key.replace("_", " ")

    @property
    def weight(self) -> tuple[bool, float]:
        return self.candidate.correction, self.candidate.confidence

    def decided(
        self,
        action: Action,
        reason: Reason,
        fact: Fact | None = None,
        target: Fact | None = None,
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
        else refused_profile_fact(fact.candidate, provenance)
        for number, fact in enumerate(facts)
    ]
    # Of several values for one key the surest is taken, and of equals the last.
    best: dict[tuple[str, str], Stated] = {}
    for fact, refused in zip(facts, refusals, strict=True):
        if not refused:
            other = best.get(fact.place, fact)
            best[fact.place] = max(fact, other, key=lambda stated: stated.weight)
    return [
        fact.decided("reject", refused)
        if refused
        else _settle(scope, fact, provenance)
        if best[fact.place] is fact
        else fact.decided("ignore", Reason.DUPLICATE)
        for fact, refused in zip(facts, refusals, strict=True)
    ]


def is_about_health(text: str) -> bool:
    return not HEALTH.isdisjoint(map(stem, tokens(plain(text))))


def sentence_about_health(candidate: ProfileCandidate) -> Candidate | None:
    """A fact whose key is about health, as a sentence; None for another.

    It may have several values, and one of them does not replace another.
    """
    fact = _stated(candidate)
    sure = LEAST_CONFIDENCE <= candidate.confidence <= 1
    if not (sure and fact.value and is_about_health(fact.words)):
        return None
    text = f"{fact.words}: {fact.value}"
    reason = candidate.withheld
    return Candidate(text, confidence=candidate.confidence, withheld=reason)


def normalised_key(key: str) -> str:
    """In snake_case; another name of the same key becomes the usual one."""
    words = NO_WORD.split(CAMEL.sub("_", unicodedata.normalize("NFKC", key)).lower())
    snake = "_".join(filter(None, words))
    return ALIASES.get(snake, snake)


def _stated(candidate: ProfileCandidate) -> Stated:
    parts = (candidate.category, candidate.key, candidate.value)
    category, key, value = (one_line(p) if isinstance(p, str) else "" for p in parts)
    return Stated(candidate, category, normalised_key(key), value)


def refused_profile_fact(
    candidate: ProfileCandidate, provenance: Provenance
) -> Reason | None:
    """Why the guards refuse it; None if they do not."""
    fact = _stated(candidate)
    if candidate.withheld or fact.category not in ProfileFact.Category.values:
        return candidate.withheld or Reason.CATEGORY
    if not fact.key or not fact.value:
        return Reason.BLANK
    if len(fact.key) > KEY_LIMIT or len(fact.value) > VALUE_LIMIT:
        return Reason.TOO_LONG
    if not LEAST_CONFIDENCE <= candidate.confidence <= 1:
        return Reason.CONFIDENCE
    if not LEAST_IMPORTANCE <= candidate.importance <= 1:
        return Reason.IMPORTANCE
    wish = fact.category == ProfileFact.Category.INSTRUCTION
    text = f"{fact.words}{' ' if wish else ': '}{fact.candidate.value}"
    return refusal(text, wish=wish) or _ungrounded(fact, provenance)


def _ungrounded(fact: Stated, provenance: Provenance) -> Reason | None:
    texts = [t for t in (provenance.user_text, provenance.in_context) if t is not None]
    if not texts or any(has_value(fact.value, text) for text in texts):
        return None
    unsaid = Reason.UNREAD_PICTURE if provenance.unread else Reason.UNGROUNDED
    return Reason.OF_PROMPT if repeats_example(fact.value, "".join(texts)) else unsaid


def _settle(scope: Scope, fact: Stated, provenance: Provenance) -> Decision:
    """Look, decide and commit."""
    row = _row(scope, fact, provenance)
    known = _look(scope, fact, row, provenance)
    ruling = decide(known, provenance.stated_at)
    active = ruling.row
    assert active is None or isinstance(active, ProfileFact)  # noqa: S101 -- as read
    if ruling.reason == Reason.DUPLICATE and active is not None:
        if active.message_id != provenance.message_id:
            # The edit of one message leaves what the other states.
            _keep_as_history(scope, row)
        _refresh(active, row)
    elif ruling.reason == Reason.OUTDATED:
        _keep_as_history(scope, row)
    elif ruling.action in STORED:
        if isinstance(ruling.target, ProfileFact):
            ruling.target.retire(Retired.SUPERSEDED)
        row.save()
        active = row
        if isinstance(ruling.target, ProfileFact):
            MemoryUpdate.objects.create(
                user_id=row.user_id,
                old_fact=ruling.target,
                new_fact=row,
                reason=ruling.reason,
            )
    if ruling.target is not None and ruling.reason != Reason.DUPLICATE:
        end_values(_versions(scope, row))
    return fact.decided(ruling.action, ruling.reason, active, ruling.target)


def _look(
    scope: Scope, fact: Stated, row: ProfileFact, provenance: Provenance
) -> Known:
    own = ProfileFact.objects.owned_by(scope)
    forgotten = own.tombstones(*fact.place).order_by("-retired_at").first()
    if forgotten and not _is_stated_since(fact, forgotten, provenance):
        return Known(forgotten=forgotten)
    latest = _versions(scope, row).order_by("-active", "-stated_at").first()
    active = latest if latest and latest.active else None
    if active and active.value.lower() == fact.value.lower():
        return Known(same=active)
    if latest and latest.stated_at >= provenance.stated_at:
        return Known(newer=latest)
    correction = fact.candidate.correction
    if active and not correction and row.confidence < active.confidence:
        return Known(surer=active)
    has_room = active is not None or _has_room(scope, row)
    return Known(old=active, corrected=correction, has_room=has_room)


def _versions(scope: Scope, row: ProfileFact) -> QuerySet[ProfileFact]:
    """Values of the key, active and former ones, but for those taken back."""
    own = ProfileFact.objects.owned_by(scope).of_key(row)
    return own.exclude(retired_reason=Retired.RETRACTED).exclude(withdrawn=True)


def _is_stated_since(
    fact: Stated, forgotten: ProfileFact, provenance: Provenance
) -> bool:
    """Whether the user states the value after the wish to forget, or in its message."""
    at, text = provenance.stated_at, provenance.user_text
    assert forgotten.retired_at is not None  # noqa: S101 -- a constraint
    if text is None:
        return at > forgotten.retired_at
    return at >= forgotten.retired_at and has_value(fact.value, provenance.stating)


def _refresh(known: ProfileFact, stated: ProfileFact) -> None:
    before = (known.confidence, known.importance, known.stated_at)
    known.confidence = max(known.confidence, stated.confidence)
    known.importance = max(known.importance, stated.importance)
    known.stated_at = max(known.stated_at, stated.stated_at)
    if (known.confidence, known.importance, known.stated_at) != before:
        known.save()


def _keep_as_history(scope: Scope, row: ProfileFact) -> None:
    same = _versions(scope, row).filter(value=row.value, stated_at=row.stated_at)
    if not same.exists():
        row.retire(Retired.SUPERSEDED)


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
