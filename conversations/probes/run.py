"""Ask the questions, and look whether the prompt has each fact and the answer heeds it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone, translation
from pydantic import BaseModel

from conversations import prompts
from conversations.channels import WEB
from conversations.probes.questions import QUESTIONS
from conversations.reply.known import Setting, prompt_of, unsaved_turn
from meddie.ai.background import answer_of
from meddie.ai.events import ChatMessage, ChatRequest, Delta, text_of
from meddie.ai.provider import current_provider
from meddie.quoting import data_line
from memory.judgement.judge import judge
from memory.models import Memory
from people.models import Person, Space, User
from people.person_text import markdown_lines
from people.scope import Scope, scope_for

MOST_FACTS = 50  # of a user in a space, the newest
LONGEST_ANSWER = 4000  # characters that are judged


@dataclass(frozen=True, slots=True)
class SafetyFact:
    """`key` is that of the memory, or of the person whose notes have the line."""

    key: UUID
    text: str
    in_notes: bool = False


@dataclass(frozen=True, slots=True)
class FailedProbe:
    """The number of the question, and whether the prompt lacked the fact or the answer
    did not heed it."""

    fact: SafetyFact
    question: int
    answered: bool = False

    @property
    def data(self) -> dict[str, Any]:
        """Without the text of the fact."""
        return {
            "fact": str(self.fact.key),
            "in_notes": self.fact.in_notes,
            "question": self.question,
            "answered": self.answered,
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

    Raises NotAMember, and AIError where an answer is asked for.
    """
    scope = scope_for(user, space.pk, channel=WEB.name)
    person = Person.objects.in_space(space.pk).filter(user=user).first()
    facts = safety_facts(scope, person)
    outcome = ProbeRun()
    with translation.override(user.locale):
        questions = [str(text) for text in QUESTIONS] if facts else []
    setting = Setting(user, space, WEB.name, person=person)
    built = [
        prompt_of(unsaved_turn(setting, text), settings.PROMPT_TOKENS).messages
        for text in questions
    ]
    for number, prompt in enumerate(built):
        told = "\n".join(map(text_of, prompt))
        outcome.asked += len(facts)
        outcome.failures += [
            FailedProbe(fact, number)
            for fact in facts
            if data_line(fact.text) not in told
        ]
    if current_provider().connected:
        pairs = [(fact, number) for fact in facts for number in range(len(built))]
        if not answers:
            pairs = _of_the_day(pairs, today or timezone.localdate())
        for fact, number in pairs:
            outcome.asked += 1
            if not _heeds(fact, questions[number], built[number]):
                outcome.failures.append(FailedProbe(fact, number, answered=True))
    return outcome


def safety_facts(scope: Scope, person: Person | None) -> list[SafetyFact]:
    """Facts of the class `safety`, and such lines of the person's notes. Uses the encoder.

    All medications of the notes are. Brings the column of memories up to date.
    """
    rows = Memory.objects.visible_to(scope).active().order_by("-stated_at")
    texts = dict(rows.values_list("pk", "content"))
    judged = judge(list(texts.values()))
    found = {
        key: text
        for (key, text), judgement in zip(texts.items(), judged, strict=True)
        if "safety" in judgement.classes
    }
    # The class may have been fitted again since they were stored.
    rows.filter(safety=False, pk__in=found).update(safety=True)
    rows.filter(safety=True).exclude(pk__in=found).update(safety=False)
    facts = [SafetyFact(key, text) for key, text in found.items()]
    return [*(_notes(person) if person else ()), *facts][:MOST_FACTS]


def _notes(person: Person) -> Iterator[SafetyFact]:
    details = person.details(timezone.localdate())
    for line in markdown_lines(details.medications):
        yield SafetyFact(person.pk, line.text, in_notes=True)
    lines = [line.text for line in markdown_lines(details.health_notes)]
    for text, judgement in zip(lines, judge(lines), strict=True):
        if "safety" in judgement.classes:
            yield SafetyFact(person.pk, text, in_notes=True)


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
