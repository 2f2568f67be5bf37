"""What a message may teach: the extractor's answer, judged, or the user's own words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from meddie.ai.embeddings import Embedder
from meddie.ai.errors import NO_ANSWER
from meddie.text import one_line
from memory.facts.commit import has_acceptable, stated
from memory.facts.extract import (
    ExtractedFact,
    Extraction,
    Heard,
    ask_extractor,
    takes_own_words,
)
from memory.facts.prepare import prepare_facts
from memory.facts.profile_keys import LEAST_CONFIDENCE
from memory.reasons import Reason
from memory.values import Candidate, LoreCandidate, Prepared, Provenance
from memory.wording.evidence import is_literal, says_more
from memory.wording.subjects import said_subject
from memory.wording.words import grounded
from people.scope import Scope

SHORTEST_FACT = 4  # characters of a message and of a fact, S3-20 and S3-35
LONGEST_FACT = 190  # characters, S3-35
MOST_FACTS = 4  # of a message, S3-21
PRETENDED = frozenset({"supposed", "quoted", "joke"})  # modes of a fact
NOTHING = Prepared()


@dataclass(frozen=True, slots=True)
class Proposals:
    """Judged facts, and wishes to forget. `extracted` is how many facts were proposed."""

    facts: Prepared = NOTHING
    wishes: Sequence[str] = ()
    extracted: int = 0


def propose(
    scope: Scope,
    heard: Heard,
    provenance: Provenance,
    *,
    for_space: bool,
    embedder: Embedder | None,
) -> Proposals:
    """Ask, and judge the answer. Raises the AIErrors of `ask_extractor`.

    Where nothing of a weak model's answer is accepted, the user's own words are judged
    after it.
    """
    is_weak = takes_own_words()
    try:
        answer = ask_extractor(heard, for_space=for_space)
    except NO_ANSWER:
        if not is_weak:
            raise
        answer = Extraction(facts=[])
    proposals = _judged(answer, heard, embedder)
    facts = stated(scope, proposals.facts, provenance)
    if not is_weak or proposals.wishes or has_acceptable(facts):
        return proposals
    said = heard.in_own_words()
    meant = [fact for fact in said.facts if not _is_pretended(fact.text, answer)]
    own = _judged(said.model_copy(update={"facts": meant}), heard, embedder)
    both = (*proposals.facts.proposals, *own.facts.proposals)
    return replace(
        own,
        facts=replace(own.facts, proposals=both),
        extracted=proposals.extracted + own.extracted,
    )


def _judged(answer: Extraction, heard: Heard, embedder: Embedder | None) -> Proposals:
    profile = [heard.profile_candidate(fact) for fact in answer.profile_facts]
    lines = [LoreCandidate(line) for line in answer.memory_line]
    candidates = [*judged_facts(answer, heard), *profile, *lines]
    return Proposals(
        prepare_facts(candidates, heard.household, embedder=embedder, most=MOST_FACTS),
        heard.wishes(answer.forgets),
        extracted=len(candidates),
    )


def _is_pretended(sentence: str, answer: Extraction) -> bool:
    """Whether even a weak model takes it for a joke, a game or another's words."""
    pretended = [fact for fact in answer.facts if fact.mode in PRETENDED]
    return any(
        grounded(f"{fact.text}\n{fact.evidence}", sentence) for fact in pretended
    )


def judged_facts(answer: Extraction, heard: Heard) -> list[Candidate]:
    """The facts of an answer, each with the reason if it is refused."""
    unwanted = heard.known if heard.asking_to_forget else ()
    return [_candidate(fact, heard, unwanted) for fact in answer.facts]


def _candidate(fact: ExtractedFact, heard: Heard, unwanted: Sequence[str]) -> Candidate:
    refused = _refusal(fact, heard)
    if any(_repeats(fact.text, known, heard.text) for known in unwanted):
        refused = Reason.RETRACTED
    # Evidence that is not in the message is kept of a refused fact only, for staff.
    literal = is_literal(fact.evidence, heard.text)
    return Candidate(
        fact.text,
        kind=fact.kind,
        confidence=fact.confidence,
        evidence=fact.evidence if literal or refused else "",
        withheld=refused,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        subject=said_subject(fact.about, fact.text, heard.household),
    )


def _repeats(fact: str, known: str, message: str) -> bool:
    """Whether a message that wants something forgotten says no more than is known."""
    return grounded(fact, known) and not says_more(fact, known, message)


def _refusal(fact: ExtractedFact, heard: Heard) -> Reason | None:
    if fact.confidence < LEAST_CONFIDENCE:
        return Reason.LOW_CONFIDENCE
    if not SHORTEST_FACT <= len(one_line(fact.text)) <= LONGEST_FACT:
        return Reason.LENGTH
    return heard.refusal_of(fact.text, fact.quote)
