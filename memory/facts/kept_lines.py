"""What kept lines would become if a model read them: the extractor's answer, judged.

The prompt and the guards are those of messages; nothing is known that is not in the lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby, islice
from typing import Any

from meddie.ai.embeddings import Embedder
from memory.facts import deferred
from memory.facts.commit import stated
from memory.facts.extract import Heard, takes_own_words
from memory.facts.kind import Stated
from memory.facts.kinds import KINDS
from memory.facts.look import tombstones
from memory.facts.proposals import propose
from memory.household import household_for
from memory.models import Memory
from memory.subjects import Subject
from memory.values import (
    MEMORY_KIND,
    AnyCandidate,
    Candidate,
    ProfileCandidate,
    Proposal,
    Provenance,
)
from memory.wording.evidence import has_value, is_literal
from memory.wording.frames import clauses_told
from memory.wording.reading import reading_of
from memory.wording.same_fact import content_hash, may_include, same_words
from memory.wording.words import RELATIONS, shared_stems, stems_of
from people.scope import Scope

LINES = 3  # of a call: of a message four facts are taken
MOST_LOST = 1 / 3  # of the words of what no answer may overlook
ToldChange = dict[str, Any]  # JSON: a line's key and `state_of` it, and its candidates


def in_batches(scope: Scope, rows: Sequence[Memory]) -> Iterator[list[Memory]]:
    """Lines of one day about the same one: "tomorrow" and "she" are theirs."""

    def alike(row: Memory) -> tuple[Subject, date]:
        return row.about, row.stated_at.astimezone(scope.zone).date()

    for _, group in groupby(rows, key=alike):
        while batch := list(islice(group, LINES)):
            yield batch


def restated(rows: Sequence[Memory]) -> Provenance:
    """As if the message had said no more; it restates nothing that was forgotten."""
    return Provenance(
        Memory.Origin.BACKGROUND,
        rows[0].stated_at,
        message_id=rows[0].source_message_id,
        run_id=rows[0].run_id,
        user_text="\n".join(row.content for row in rows),
    )


def state_of(row: Memory) -> str:
    """What an edit or another subject changes."""
    return f"{content_hash(row.content)} {row.about.digest}"


def ask_about_lines(
    scope: Scope,
    batch: Sequence[Memory],
    before: Sequence[ToldChange],
    embedder: Embedder | None,
) -> list[ToldChange]:
    """Without lines that stay as they are. Raises the AIErrors of `propose`.

    `before` are the changes of earlier batches.
    """
    told = restated(batch)
    text = told.user_text or ""
    known = replace(household_for(scope, batch[0].about), said=text)
    heard = Heard(text, told.stated_at.astimezone(scope.zone), known)
    if not heard.may_teach:
        return []
    found = propose(scope, heard, told, for_space=False, embedder=embedder).facts
    facts = stated(scope, found, told)
    telling = [_telling(fact.proposal, batch) for fact in facts]
    leaves_out = [] not in telling and not _has_own_words_only(facts)
    said = [data.get("text", "") for change in before for data in change["made"]]
    changes = []
    for row in batch:
        pairs = zip(facts[::-1], telling[::-1], strict=True)
        own = [*{fact.line: fact for fact, rows in pairs if row in rows}.values()][::-1]
        if not (own or leaves_out) or any(map(_is_refused, own)):
            continue
        if not _loses(row, own):
            made = [_merged(_about(fact.candidate, row), said) for fact in own]
            said += [str(c.text) for c in made if isinstance(c, Candidate)]
            if [KINDS[c.of_kind].line(c) for c in made] != [row.content]:
                told_change = {"fact": str(row.pk), "was": state_of(row)}
                shortens = row.safety and bool(_lost_words(row, own))
                data = {"made": [*map(_to_json, made)], "shortens": shortens}
                changes.append(told_change | data)
    return changes


def _has_own_words_only(facts: Sequence[Stated]) -> bool:
    """Whether a small model may have given no answer at all."""
    of_model = (fact.candidate.evidence != fact.line for fact in facts)
    return takes_own_words() and not any(of_model)


def _telling(proposal: Proposal, batch: Sequence[Memory]) -> list[Memory]:
    """The lines with what is quoted; else the one that may state it, if it is one."""
    quoted = proposal.candidate.evidence
    value = proposal.line
    if isinstance(proposal.candidate, ProfileCandidate):
        value = str(proposal.candidate.value)
    alike = [row for row in batch if has_value(value, row.content)]
    literal = [row for row in batch if is_literal(quoted, row.content)]
    return literal or (alike if len(alike) == 1 else [])


def _is_refused(fact: Stated) -> bool:
    kind = KINDS[fact.proposal.kind]
    is_compared = kind.name == MEMORY_KIND and fact.proposal.vector is not None
    return kind.refusals([fact]) != [None] or bool(is_compared and tombstones(fact))


def _loses(row: Memory, facts: Sequence[Stated]) -> bool:
    """Whether a value is lost, or much of what no answer may overlook."""
    made = reading_of("\n".join(fact.line for fact in facts))
    said = reading_of(row.content)
    if row.safety:
        is_safe = any(fact.proposal.safety for fact in facts) and may_include(
            made, said
        )
        share = len(_lost_words(row, facts)) / (len(said.stems) or 1)
        return share >= MOST_LOST or not is_safe
    return bool(facts) and not said.details <= made.details


def _lost_words(row: Memory, facts: Sequence[Stated]) -> set[str]:
    """Content words of the line that no fact has; "mum" and "mother" are compared before."""
    said = reading_of("\n".join(clauses_told(row.content)))
    words = stems_of(" ".join(word for word in said.words if word not in RELATIONS))
    made = stems_of("\n".join(fact.line for fact in facts))
    return {*words}.difference(shared_stems(words, made))


def _about(candidate: AnyCandidate, row: Memory) -> AnyCandidate:
    """Whom it is about stays known where the model is not sure."""
    unsure = candidate.subject is None or candidate.subject.unsure
    if isinstance(candidate, Candidate) and unsure:
        return replace(candidate, subject=row.about)
    return candidate


def _merged(candidate: AnyCandidate, said: Sequence[str]) -> AnyCandidate:
    """In the words of an earlier one that says the same."""
    if not isinstance(candidate, Candidate):
        return candidate
    reading = reading_of(str(candidate.text))
    same = (line for line in said if same_words(reading_of(line), reading))
    return replace(candidate, text=next(same, candidate.text))


def _to_json(candidate: AnyCandidate) -> dict[str, Any]:
    data: Any = candidate  # a fact of the profile, too
    return deferred.candidate_to_json(data) | {"of_kind": candidate.of_kind}


def read_candidate(data: dict[str, Any]) -> AnyCandidate:
    fields = {name: value for name, value in data.items() if name != "of_kind"}
    if data["of_kind"] == MEMORY_KIND:
        return deferred.candidate_from_json(fields)
    return ProfileCandidate(**fields)
