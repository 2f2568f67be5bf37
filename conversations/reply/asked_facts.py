"""Facts that a line asks to keep, as the line has them: with whom they are about."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from conversations.fact_texts import shown_proposal
from conversations.models import Message
from conversations.reply.change_lines import line_scope
from memory import service
from memory.household import household
from memory.subjects import USER, Household, Subject
from memory.values import PROFILE_KIND, Candidate, Decision, Prepared
from people.models import User


def proposed_facts(refused: Sequence[Decision]) -> dict[str, Any]:
    """What the line proposes."""
    return {"facts": [_proposed(decision) for decision in refused]}


def _proposed(refused: Decision) -> dict[str, str]:
    """Without "about", the words say it."""
    if refused.kind == PROFILE_KIND:
        return {"text": shown_proposal(refused), "about": USER.text}
    candidate = refused.proposal.candidate if refused.proposal else None
    subject = candidate.subject if isinstance(candidate, Candidate) else None
    if subject is None:
        return {"text": refused.text}
    person = str(subject.person_id) if subject.person_id else ""
    return {"text": refused.text, "about": subject.text, "person": person}


def prepare_asked(line: Message, user: User) -> Prepared:
    """Embed what the user confirms. Network."""
    known = household(line_scope(line, user), line.conversation.person_id)
    proposed = (line.proposed or {}).get("facts", ())
    return service.prepare_facts([_candidate(fact, known) for fact in proposed], known)


def _candidate(fact: dict[str, str] | str, known: Household) -> Candidate:
    if isinstance(fact, str):  # of an older line
        return Candidate(fact)
    if "about" not in fact:
        return Candidate(fact["text"])
    person_id = UUID(fact["person"]) if fact.get("person") else None
    is_living = any(person.person_id == person_id for person in known.people)
    subject = Subject.read(fact["about"], person_id if is_living else None)
    return Candidate(fact["text"], subject=subject)
