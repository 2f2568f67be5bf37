"""Decide which stored facts replace which of their neighbours.

The model sees numbers instead of keys. It judges words, and `same_fact` may veto it
(decision 22).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db import transaction
from pgvector.django import CosineDistance
from pydantic import BaseModel

from meddie.ai.background import answer_of
from meddie.ai.configured import configured
from meddie.ai.errors import NO_ANSWER, Unparseable
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from memory import prompts
from memory.facts import store
from memory.facts.neighbours import MOST_NEIGHBOURS, nearest
from memory.facts.periods import LESS_ALIKE
from memory.models import Memory
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import Decision
from memory.wording.corrections import corrects
from memory.wording.intakes import changes_dose
from memory.wording.reading import reading_of
from memory.wording.same_fact import (
    are_apart,
    has_other_numbers,
    may_correct,
    may_include,
    may_replace,
)
from people.scope import Scope

RESOLUTION_SCHEMA = "memory_resolution"
MAX_TOKENS = 2000


class Verdict(BaseModel):
    """An answer for two facts, by their numbers from 1; first what decides it.

    What is left out speaks for keeping both.
    """

    new: int
    target: int | None = None
    same_subject: bool = False
    same_time: bool = False
    both_can_be_true: bool = True
    action: Literal["replace", "refine", "ignore", "add"]
    reason: str = ""  # not stored: it may quote a fact that is forgotten later

    @property
    def is_contradicted(self) -> bool:
        """Whether its own answers speak against it (decision 40)."""
        if self.action == "replace":
            return self.both_can_be_true or not (self.same_subject and self.same_time)
        return self.action != "add" and not self.same_subject


class Resolution(BaseModel):
    decisions: list[Verdict]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`new` may be unsaved. `zone` is the user's."""

    new: Sequence[Memory] = ()
    known: Sequence[Memory] = ()
    zone: tzinfo = UTC


class CarriedOut(NamedTuple):
    """Decisions with the keys of the new facts that they are on.

    `again` are the facts to resolve again: a neighbour changed after it was read.
    """

    decisions: list[tuple[UUID, Decision]]
    again: list[UUID]


def read_comparison(scope: Scope, ids: Sequence[UUID]) -> Comparison:
    return with_neighbours(scope, store.read_active(scope, ids))


def with_neighbours(scope: Scope, new: Sequence[Memory]) -> Comparison:
    known = {row.pk: row for memory in new for row in nearest(scope, memory)}
    return Comparison(new, list(known.values()), scope.zone)


def ask_resolver(comparison: Comparison) -> list[Verdict] | None:
    """Drop verdicts with unknown numbers. None if there is nothing that can judge.

    That is no model, or one of a server of one's own that gives no answer. Raises
    the AIErrors of `Provider.ask`; Unparseable also if no verdict is valid.
    """
    if not (comparison.new and comparison.known):
        return []
    if not current_provider().connected:
        return None
    try:
        return _asked(comparison)
    except NO_ANSWER:
        if not is_own(configured().base_url):
            raise
        return None


def _asked(comparison: Comparison) -> list[Verdict]:
    provider = current_provider()
    both = comparison.new, comparison.known
    messages = prompts.resolution(*(_stated(rows, comparison.zone) for rows in both))
    asking = provider.ask(
        Resolution,
        messages,
        name=RESOLUTION_SCHEMA,
        max_tokens=MAX_TOKENS,
    )
    answer = answer_of(provider, asking)
    valid = [verdict for verdict in answer.decisions if _is_valid(verdict, comparison)]
    if answer.decisions and not valid:
        raise Unparseable(answer.model_dump_json(), detail="unknown numbers")
    return valid


def ask_about_older(scope: Scope, ids: Sequence[UUID], message: str | None) -> None:
    """Where no model judges: whether a new fact of a message replaces the one most like it.

    The caller holds the scope's lock.
    """
    corrected = corrects(message or "")
    for new in store.read_active(scope, ids):
        whole = Memory.objects.get(pk=new.pk)  # with its vector
        least = thresholds(whole.embedding_model).alike - LESS_ALIKE
        others = Memory.objects.visible_to(scope).active().comparable_to(whole)
        others = others.filter(embedding_model=whole.embedding_model)
        near = others.annotate(far=CosineDistance("near", whole.near))
        alikes: Any = near.order_by("far")[:MOST_NEIGHBOURS]
        for old in alikes:
            if are_apart(new.about_if_read, old.about_if_read):
                continue
            is_near = old.far is not None and old.far <= 1 - least
            texts = (reading_of(new.content), reading_of(old.content))
            alike = (
                is_near
                or has_other_numbers(*texts)
                or changes_dose(new.content, old.content)
            )
            fits = may_correct(*texts) if corrected else alike and may_replace(*texts)
            if fits and _ask(scope, whole, old):
                break


def _ask(scope: Scope, new: Memory, old: Memory) -> bool:
    """Ask the user whether one replaces the other; return whether that can be."""
    older, newer = sorted((new, old), key=lambda row: row.stated_at)
    lent = store.is_lent(scope, new) or store.is_lent(scope, old)
    asks = older.stated_at != newer.stated_at and not lent
    if asks:
        Memory.objects.filter(pk=newer.pk).update(may_replace=older)
    return asks


@transaction.atomic
def answer_doubts(scope: Scope, ids: Sequence[UUID], *, replace: bool) -> None:
    """Replace what the facts may replace, or keep both.

    What the replaced one may replace itself, while the user has not answered, goes with it.
    """
    store.lock(scope)
    for new in store.read_active(scope, ids):
        old, seen = new.may_replace, {new.pk}
        Memory.objects.filter(pk=new.pk).update(may_replace=None)
        # The user may have said since whom they are about.
        while replace and old is not None and old.active and old.pk not in seen:
            if are_apart(new.about_if_read, old.about_if_read):
                break
            seen.add(old.pk)
            store.supersede(scope, old, new, Reason.NEWER)
            old = old.may_replace


def find_repeated(
    scope: Scope, comparison: Comparison, verdicts: Sequence[Verdict]
) -> dict[UUID, Memory]:
    """New facts that an unchanged known one states: the value."""
    read = {row.pk: row for row in comparison.known}
    rows = {row.pk: row for row in store.read_active(scope, list(read))}
    repeated = {}
    for verdict in verdicts:
        if verdict.action != "ignore" or verdict.target is None:
            continue
        if verdict.is_contradicted:
            continue
        new, known = _named(comparison, verdict)
        row = rows.get(known.pk)
        if row is None or row.updated_at != known.updated_at:
            continue
        if are_apart(new.about_if_read, row.about_if_read):
            continue
        if may_include(reading_of(row.content), reading_of(new.content)):
            repeated[new.pk] = row
    return repeated


def carry_out(
    scope: Scope, comparison: Comparison, verdicts: Sequence[Verdict]
) -> CarriedOut:
    """Write verdicts on stored facts. The caller holds the scope's lock."""
    read = {row.pk: row for row in (*comparison.new, *comparison.known)}
    rows = {row.pk: row for row in store.read_active(scope, list(read))}
    changed = {pk for pk, row in rows.items() if row.updated_at != read[pk].updated_at}
    decisions: list[tuple[UUID, Decision]] = []
    again: list[UUID] = []
    for verdict in verdicts:
        if verdict.action == "add" or verdict.target is None:
            continue
        new, target = (rows.get(row.pk) for row in _named(comparison, verdict))
        if new is None or target is None or not (new.active and target.active):
            continue
        if target.pk in changed:
            again.append(new.pk)
            continue
        if are_apart(new.about_if_read, target.about_if_read):
            decision = _vetoed(verdict, new, target, Reason.VETOED)
        else:
            decision = _write_verdict(scope, verdict, new, target)
        decisions.append((new.pk, decision))
    return CarriedOut(decisions, list(dict.fromkeys(again)))


def _named(comparison: Comparison, verdict: Verdict) -> tuple[Memory, Memory]:
    assert verdict.target is not None  # noqa: S101 -- the caller has checked it
    return comparison.new[verdict.new - 1], comparison.known[verdict.target - 1]


def _write_verdict(
    scope: Scope, verdict: Verdict, new: Memory, target: Memory
) -> Decision:
    """Write a verdict unless its own answers, `same_fact` or the dates veto it."""
    said, known = reading_of(new.content), reading_of(target.content)
    if verdict.is_contradicted:
        if verdict.action == "replace" and may_replace(said, known):
            _ask(scope, new, target)
        return _vetoed(verdict, new, target, Reason.CONTRADICTED)
    older, newer = sorted((new, target), key=lambda row: row.stated_at)
    if verdict.action == "ignore":
        if may_include(known, said):
            store.refresh(scope, target, new.confidence, new.stated_at)
            store.supersede(scope, new, target, Reason.DUPLICATE)
            text, key = new.content, target.pk
            return Decision(text, "ignore", Reason.DUPLICATE, key, key)
    elif older.stated_at != newer.stated_at:
        refines = verdict.action == "refine" and may_include(said, known)
        replaces = verdict.action == "replace" and may_replace(said, known)
        if (refines or replaces) and newer is target:
            store.supersede(scope, new, target, Reason.OUTDATED)
            return Decision(new.content, "ignore", Reason.OUTDATED, None, target.pk)
        if refines or replaces:
            reason = Reason.REFINED if refines else Reason.NEWER
            store.supersede(scope, target, new, reason)
            return Decision(new.content, "replace", reason, new.pk, target.pk)
    return _vetoed(verdict, new, target, Reason.VETOED)


def _vetoed(verdict: Verdict, new: Memory, target: Memory, reason: Reason) -> Decision:
    """Both stay; for staff, with the verdict."""
    text, action = new.content, verdict.action
    return Decision(text, "reject", reason, new.pk, target.pk, verdict=action)


def _is_valid(verdict: Verdict, comparison: Comparison) -> bool:
    known = range(1, len(comparison.known) + 1)
    target_fits = verdict.action == "add" or verdict.target in known
    return 1 <= verdict.new <= len(comparison.new) and target_fits


def _stated(rows: Sequence[Memory], zone: tzinfo) -> list[prompts.Stated]:
    return [(row.content, row.stated_at.astimezone(zone)) for row in rows]
