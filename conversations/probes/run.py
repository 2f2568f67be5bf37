"""Ask the questions, and look whether the prompt and the search of programs have each
fact, and whether the answer heeds it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone, translation
from pydantic import BaseModel

from conversations import prompts
from conversations.channels import WEB
from conversations.probes.questions import questions_about
from conversations.reply.known import Setting, prompt_of, unsaved_turn
from meddie.ai.background import answer_of
from meddie.ai.events import ChatMessage, ChatRequest, Delta, text_of
from meddie.ai.provider import current_provider
from meddie.quoting import data_line
from memory import service
from memory.judgement.judge import judge
from memory.models import Memory
from memory.subjects import USER, Subject
from people.models import Person, ProfileUpdate, Space, User
from people.person_text import markdown_lines
from people.scope import Scope, scope_for

MOST_FACTS = 50  # of a user in a space, the newest
LONGEST_ANSWER = 4000  # characters that are judged


@dataclass(frozen=True, slots=True)
class SafetyFact:
    """`key` is that of the memory, or of the person whose notes have the line.

    What is not sure to be about another is the user's.
    """

    key: UUID
    text: str
    in_notes: bool = False
    about: Subject = USER


@dataclass(frozen=True, slots=True)
class FailedProbe:
    """The number of the question; the prompt lacked the fact, unless the search of other
    programs did or the answer did not heed it."""

    fact: SafetyFact
    question: int
    answered: bool = False
    searched: bool = False

    @property
    def data(self) -> dict[str, Any]:
        """Without the text of the fact."""
        return {
            "fact": str(self.fact.key),
            "in_notes": self.fact.in_notes,
            "question": self.question,
            "answered": self.answered,
            "searched": self.searched,
        }


@dataclass(slots=True)
class ProbeRun:
    asked: int = 0
    failures: list[FailedProbe] = field(default_factory=list)


class Heeded(BaseModel):
    heeds: bool


def probe(
    user: User, space: Space, *, answers: bool = False, today: date | None = None
) -> ProbeRun:
    """Probe a member's prompts; with a provider also one answer of the day, or all.

    Nothing is asked while memory is off.

    Raises NotAMember, and AIError where an answer is asked for.
    """
    scope = scope_for(user, space.pk, channel=WEB.name)
    if not scope.reads:
        return ProbeRun()
    people = Person.objects.in_space(space.pk)
    facts = safety_facts(scope, people)
    own = next((person for person in people if person.user_id == user.pk), None)
    setting, outcome = Setting(user, space, WEB.name, person=own), ProbeRun()
    pairs: list[_Probe] = []
    with translation.override(user.locale):
        for subject in dict.fromkeys(fact.about for fact in facts):
            theirs = [fact for fact in facts if fact.about == subject]
            for number, text in questions_about(subject).items():
                turn = unsaved_turn(setting, text)
                prompt = prompt_of(turn, settings.PROMPT_TOKENS).messages
                searched = service.search(scope, text, safety=True)
                found = {item.memory_id for item in searched}
                pairs += [_Probe(fact, number, text, prompt, found) for fact in theirs]
    outcome.asked = len(pairs)
    outcome.failures = [
        FailedProbe(pair.fact, pair.number, searched=pair.in_prompt)
        for pair in pairs
        if not (pair.in_prompt and pair.in_search)
    ]
    if current_provider().connected:
        if not answers:
            pairs = _of_the_day(pairs, today or timezone.localdate())
        for pair in pairs:
            outcome.asked += 1
            if not _heeds(pair.fact, pair.question, pair.prompt):
                failed = FailedProbe(pair.fact, pair.number, answered=True)
                outcome.failures.append(failed)
    return outcome


@dataclass(frozen=True, slots=True)
class _Probe:
    fact: SafetyFact
    number: int
    question: str
    prompt: list[ChatMessage]
    found: Set[UUID]

    @property
    def in_prompt(self) -> bool:
        told = "\n".join(map(text_of, self.prompt))
        return data_line(self.fact.text) in told

    @property
    def in_search(self) -> bool:
        """Notes are in prompts alone."""
        return self.fact.in_notes or self.fact.key in self.found


def safety_facts(scope: Scope, people: Iterable[Person]) -> list[SafetyFact]:
    """Facts of the class `safety`, and such lines of notes on people. Uses the encoder.

    All medications of the notes are. Brings the column of memories up to date.
    """
    rows = Memory.objects.visible_to(scope).active().order_by("-stated_at")
    read = list(rows.only("content", "subject", "person"))
    judged = judge([row.content for row in read])
    found = {
        row.pk: row
        for row, judgement in zip(read, judged, strict=True)
        if "safety" in judgement.classes
    }
    # The class may have been fitted again since they were stored.
    rows.filter(safety=False, pk__in=found).update(safety=True)
    rows.filter(safety=True).exclude(pk__in=found).update(safety=False)
    facts = [
        SafetyFact(key, row.content, about=USER if row.about.unsure else row.about)
        for key, row in found.items()
    ]
    notes = [line for person in people for line in _notes(person, scope)]
    return _of_each([*notes, *facts])[:MOST_FACTS]


def _of_each(facts: Sequence[SafetyFact]) -> list[SafetyFact]:
    """The first of each subject's notes and facts, then the second, and so on."""
    ranks, counts = [], Counter[tuple[Subject, bool]]()
    for fact in facts:
        ranks.append(counts[fact.about, fact.in_notes])
        counts[fact.about, fact.in_notes] += 1
    return [facts[place] for place in sorted(range(len(facts)), key=ranks.__getitem__)]


def _notes(person: Person, scope: Scope) -> Iterator[SafetyFact]:
    is_user = person.user_id == scope.user_id
    about = USER if is_user else Subject("", person.name, person.pk)
    details = person.details(timezone.localdate())
    for line in markdown_lines(details.medications):
        yield SafetyFact(person.pk, line.text, in_notes=True, about=about)
    lines = [line.text for line in markdown_lines(details.health_notes)]
    for text, judgement in zip(lines, judge(lines), strict=True):
        if "safety" in judgement.classes:
            yield SafetyFact(person.pk, text, in_notes=True, about=about)


def has_new_vital_line(update: ProfileUpdate) -> bool:
    """Whether a change of notes adds a medication or a line of the class `safety`."""
    before = {line.text for line in markdown_lines(update.previous_value)}
    now = [line.text for line in markdown_lines(update.new_value)]
    new = [text for text in now if text not in before]
    if update.field == ProfileUpdate.Field.MEDICATIONS:
        return bool(new)
    is_read = update.field == ProfileUpdate.Field.HEALTH_NOTES
    return is_read and any("safety" in found.classes for found in judge(new))


def _of_the_day(pairs: Sequence[Any], today: date) -> list[Any]:
    """One pair each day, in turn."""
    return [pairs[today.toordinal() % len(pairs)]] if pairs else []


def _heeds(fact: SafetyFact, question: str, prompt: list[ChatMessage]) -> bool:
    provider = current_provider()
    answer = answer_of(provider, _written(prompt))
    asked = prompts.heeding(fact.text, question, answer[:LONGEST_ANSWER])
    judging = provider.ask(Heeded, asked, name="answer_heeds", max_tokens=50)
    return answer_of(provider, judging).heeds


async def _written(prompt: list[ChatMessage]) -> str:
    pieces = current_provider().stream(ChatRequest(prompt))
    return "".join([piece.text async for piece in pieces if isinstance(piece, Delta)])
