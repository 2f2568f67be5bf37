"""Stories of families: whom each fact is about, and what questions about them answer.

A story has a household of its own, committed and deleted at the end. The stand-in keeps and
answers; `scripted`, the block of a model names the facts, and the prompts are read.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, BeforeValidator

from benchmarks.evaluation.replay import account
from benchmarks.evaluation.turns import Turns
from conversations.reply.active_replies import Draft
from meddie.ai.offline.replies import reply_to
from memory.models import Memory
from memory.recall.asked import whom_asked
from memory.subjects import Subject, same_name
from memory.wording.dialogue import lasting
from memory.wording.words import plain
from people.models import Person

UNSURE, OF_USER = "unsure", "user"


def _as_said(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


class Said(BaseModel):
    """A message; `about` is the person of another conversation than the story's."""

    text: str
    about: str | None = None


class TaughtFact(BaseModel):
    """`words` are in its sentence; `subject` has all acceptable answers."""

    words: list[str]
    subject: list[str]

    def is_in(self, text: str) -> bool:
        return all(word.lower() in text.lower() for word in self.words)


class FamilyQuestion(BaseModel):
    """`first` is in the first line of the answer, `never` nowhere in it."""

    ask: str
    about: str = ""
    first: list[str] = []
    never: list[str] = []
    nothing: bool = False


class FamilyStory(BaseModel):
    id: str
    lang: str
    people: list[str]
    about: str = ""
    messages: list[Annotated[Said, BeforeValidator(_as_said)]]
    facts: list[TaughtFact]
    questions: list[FamilyQuestion]


@dataclass(frozen=True, slots=True)
class Judged:
    """`verdict` of a fact: right, unsure, wrong or lost; of a question: right, other, harm."""

    verdict: str
    asked: str
    found: str


@dataclass(frozen=True, slots=True)
class PlayedFamily:
    story: FamilyStory
    facts: Sequence[Judged]
    answers: Sequence[Judged]


def read_families(path: Path) -> list[FamilyStory]:
    lines = path.read_text("utf-8").splitlines()
    return [FamilyStory.model_validate_json(line) for line in lines if line.strip()]


def play_family(story: FamilyStory, *, scripted: bool) -> PlayedFamily:
    with account() as (user, space):
        stage = _Stage(Turns(user, space), scripted)
        for name in story.people:
            stage.people[name] = Person.objects.create(space=space, name=name).pk
        for said in story.messages:
            stage.say(said, story)
        kept = list(Memory.objects.filter(user=user).active())
        facts = [_judged_fact(fact, kept) for fact in story.facts]
        answers = [stage.ask(question) for question in story.questions]
        return PlayedFamily(story, facts, answers)


@dataclass(slots=True)
class _Stage:
    turns: Turns
    scripted: bool
    people: dict[str, UUID] = field(default_factory=dict)
    conversation_id: UUID | None = None

    def say(self, said: Said, story: FamilyStory) -> None:
        """In the story's conversation, or in another one about another person."""
        elsewhere = said.about is not None
        about = story.about if said.about is None else said.about
        turn, draft = self.turns.prompted(
            said.text,
            person_id=self.people.get(about),
            conversation_id=None if elsewhere else self.conversation_id,
        )
        answer = reply_to(draft.prompted.basis)
        if self.scripted:
            answer = _scripted(said.text, story.facts)
        self.turns.finish(turn, draft, answer)
        if not elsewhere:
            self.conversation_id = turn.conversation_id

    def ask(self, question: FamilyQuestion) -> Judged:
        person_id = self.people.get(question.about)
        _, draft = self.turns.prompted(question.ask, person_id=person_id)
        if self.scripted:
            return _judged_prompt(question, draft)
        answer = reply_to(draft.prompted.basis).partition("```json")[0]
        return _judged_answer(question, answer)


def _scripted(text: str, facts: Sequence[TaughtFact]) -> str:
    """What a model notes that knows whom the sentences are about, where one can tell."""
    saves = []
    for fact in facts:
        sentence = next((part for part in lasting(text) if fact.is_in(part)), text)
        if fact.is_in(text):
            about = fact.subject[0]
            saves.append({"text": sentence, "about": "" if about == UNSURE else about})
    return f"Noted.\n\n```json\n{json.dumps({'memory_saves': saves})}\n```"


def _judged_fact(fact: TaughtFact, kept: Sequence[Memory]) -> Judged:
    told = next((memory for memory in kept if fact.is_in(memory.content)), None)
    asked = f"{' '.join(fact.words)}: {fact.subject}"
    if told is None:
        return Judged("lost", asked, "")
    about = told.about
    found = f"{about.text or OF_USER}: {told.content}"
    if _is_accepted(about, fact.subject):
        return Judged("right", asked, found)
    return Judged("unsure" if about.unsure else "wrong", asked, found)


def _is_accepted(about: Subject, accepted: Sequence[str]) -> bool:
    if about.unsure or about.is_user:
        return (UNSURE if about.unsure else OF_USER) in accepted
    return any(
        about.relation == name
        or (about.name and same_name(about.name, name))
        or (about.name and plain(name) in plain(about.name))
        for name in accepted
    )


def _judged_answer(question: FamilyQuestion, answer: str) -> Judged:
    lines = [line for line in answer.splitlines() if line.startswith("- ")]
    quoted = "\n".join(lines).lower()
    harm = [word for word in question.never if word.lower() in quoted]
    if harm:
        return Judged("harm", question.ask, answer)
    first = lines[0].lower() if lines else ""
    is_right = all(word.lower() in first for word in question.first)
    if question.nothing:
        is_right = not lines
    return Judged("right" if is_right else "other", question.ask, answer)


def _judged_prompt(question: FamilyQuestion, draft: Draft) -> Judged:
    """Whether the right fact comes first with the question; others stand lower."""
    asked = whom_asked(question.ask, draft.prompted.household)
    items = draft.prompted.known.found.items
    found = [item.text for item in items if asked.means(item.about)]
    first, shown = "\n".join(found[:1]).lower(), "\n".join([question.ask, *found])
    if any(word.lower() in first for word in question.never):
        return Judged("harm", question.ask, shown)
    is_right = question.nothing or all(word.lower() in first for word in question.first)
    return Judged("right" if is_right else "other", question.ask, shown)
