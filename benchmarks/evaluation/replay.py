"""Play whole conversations through turns, episodes and summaries, and look into prompts.

A turn reads in threads of its own, so rows are committed, in an account that is deleted
at the end. The clock is that of the conversation.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection

from benchmarks.evaluation.locomo import Exchange, Question, Transcript
from conversations.forgetting.deletion import delete_conversation
from conversations.models import DailyUse, Message, MessageIndex, Receipt, SummaryJob
from conversations.reply.active_replies import Draft
from conversations.reply.block_changes import prepare_changes
from conversations.reply.finish import Outcome, finish_turn, store_receipt
from conversations.reply.further_shelves import MESSAGES
from conversations.reply.known import prompt_of
from conversations.reply.prompt.sections import MessageLine
from conversations.reply.turn import Received, Turn, begin
from meddie.ai.tokens import estimate
from meddie.jobs import registry
from meddie.threads import run_coroutine, run_repeatable_work
from memory import service
from memory.models import EpisodicMemory, Memory
from people.deletion import delete_spaces
from people.models import Membership, Space, User
from people.scope import scope_for

PATIENCE = 60.0  # seconds for one prompt
LATER = timedelta(days=1)  # from the last message to the questions
CANDIDATES = 500  # messages of which as many as fit are the plain recall
STORED = {
    "messages": "conversations_message r WHERE thread_id = ANY(%(threads)s)",
    "message index": "message_index r WHERE user_id = %(user)s",
    "summaries": "conversations_summary r WHERE thread_id = ANY(%(threads)s)",
    "episodic memories": "episodic_memories r WHERE user_id = %(user)s",
    "memories": "memories r WHERE user_id = %(user)s",
    "episodes": "conversations_episode r WHERE thread_id = ANY(%(threads)s)",
    "receipts": "conversations_receipt r WHERE message_id IN"
    " (SELECT id FROM conversations_message WHERE thread_id = ANY(%(threads)s))",
}
Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """`context` is the tokens beside the recent messages, `seconds` without the jobs."""

    session: int
    episode: UUID
    tokens: int
    context: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The evidence that a prompt holds itself, in texts made of it, and by plain recall.

    Plain recall is the best messages, as many as fit into the same tokens.
    """

    question: Question
    shown: frozenset[str]
    derived: frozenset[str]
    plain: frozenset[str]
    context: int


@dataclass(slots=True)
class Played:
    conversation: str
    turns: list[PlayedTurn] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    # Bytes by table.
    stored: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Stage:
    user: User
    space: Space
    lease: UUID = field(default_factory=uuid4)
    conversation_id: UUID | None = None
    base: int | None = None  # tokens of a system message without memory
    covers: dict[UUID, frozenset[str]] = field(default_factory=dict)

    def begin(
        self, text: str, at: datetime, conversation_id: UUID | None = None
    ) -> Turn:
        DailyUse.objects.filter(user=self.user).delete()
        received = Received(self.lease, at)
        return begin(
            self.user,
            self.space.pk,
            text,
            conversation_id=conversation_id,
            received=received,
        )

    def prompt(self, turn: Turn, draft: Draft) -> tuple[int, int]:
        """Build the prompt; return its tokens, and those of what is remembered."""
        preparing = run_repeatable_work(prompt_of, turn, settings.PROMPT_TOKENS)
        draft.prompted = run_coroutine(preparing, PATIENCE)
        asked = draft.prompted.messages
        system, *rest = [estimate(message["content"]) for message in asked]
        self.base = system if self.base is None else self.base
        return system + sum(rest), system - self.base

    def run_jobs(self) -> None:
        due = SummaryJob.objects.filter(episode__thread__user=self.user).due()
        for key in list(due.in_order().values_list("pk", flat=True)):
            registry.run(SummaryJob.QUEUE, key)

    def cover(self, message_ids: Iterable[UUID | None]) -> frozenset[str]:
        covered = (self.covers.get(key, frozenset()) for key in message_ids if key)
        return frozenset().union(*covered)


def play(transcript: Transcript, progress: Progress) -> Played:
    """Play a conversation and ask its questions a day later, in a new conversation."""
    played = Played(transcript.conversation)
    with account() as (user, space):
        stage = _Stage(user, space)
        for exchange in transcript.exchanges:
            played.turns.append(_take(stage, exchange))
            progress(1)
        played.stored = _stored(stage)
        now = transcript.exchanges[-1].at + LATER
        for question in transcript.questions:
            played.asked.append(_ask(stage, question, now))
            progress(1)
    return played


@contextmanager
def account() -> Iterator[tuple[User, Space]]:
    name = uuid4().hex
    user = User.objects.create_user(f"{name}@replay.invalid")
    space = Space.objects.create(name=f"replay {name}")
    Membership.objects.create(user=user, space=space)
    try:
        yield user, space
    finally:
        delete_spaces([space.pk])
        user.delete()


def _take(stage: _Stage, exchange: Exchange) -> PlayedTurn:
    """Take a turn whose reply is known, and then run its jobs."""
    began, draft = perf_counter(), Draft()
    turn = stage.begin(exchange.said.text, exchange.at, stage.conversation_id)
    tokens, context = stage.prompt(turn, draft)
    draft.text = exchange.reply.text if exchange.reply else ""
    outcome = Outcome(Message.Status.DONE if draft.text else Message.Status.STOPPED)
    Message.objects.filter(pk=turn.reply_id).update(created_at=exchange.at)
    followups = finish_turn(turn, draft, outcome, prepare_changes(turn, draft))
    seconds = perf_counter() - began
    if followups is not None:
        service.index(MessageIndex.objects.filter(pk__in=followups.indexed))
    stage.run_jobs()
    stage.conversation_id = turn.conversation_id
    stage.covers[turn.message.pk] = exchange.said.covers
    if exchange.reply:
        stage.covers[turn.reply_id] = exchange.reply.covers
    episode = turn.message.episode_id
    return PlayedTurn(exchange.session, episode, tokens, context, seconds)


def _ask(stage: _Stage, question: Question, now: datetime) -> Asked:
    draft = Draft()
    turn = stage.begin(question.text, now)
    _, context = stage.prompt(turn, draft)
    store_receipt(turn.reply, draft.prompted.known, draft.prompted.used)
    shown, derived = _evidence(stage, turn.reply)
    plain = _plain_recall(stage, question)
    delete_conversation(turn.reply.conversation)
    wanted = question.evidence
    return Asked(question, shown & wanted, derived & wanted, plain & wanted, context)


def _evidence(stage: _Stage, reply: Message) -> tuple[frozenset[str], frozenset[str]]:
    """What messages in the prompt say, and what facts and summaries in it are made of."""
    found: dict[str, list[UUID]] = {}
    for receipt in Receipt.objects.filter(message=reply):
        for row in receipt.rows():
            if row.injected:
                found.setdefault(row.kind, []).append(row.key)
    sources = Memory.objects.filter(pk__in=found.get(Receipt.Kind.MEMORY, []))
    derived = list(sources.values_list("source_message", flat=True))
    episodic = EpisodicMemory.objects.filter(pk__in=found.get(Receipt.Kind.EPISODE, []))
    for one in episodic:
        summed = Message.objects.filter(
            thread=one.thread_id, seq__range=(one.turn_start, one.turn_end)
        )
        derived += summed.values_list("pk", flat=True)
    return stage.cover(found.get(Receipt.Kind.MESSAGE, [])), stage.cover(derived)


def _plain_recall(stage: _Stage, question: Question) -> frozenset[str]:
    """The best messages, as many as fit into the budget."""
    scope = scope_for(stage.user, stage.space.pk, channel="web")
    shelf = replace(MESSAGES, bound={"left_out": []}, limit=CANDIDATES)
    query = service.prepare_query(question.text)
    left, keys = settings.CONTEXT_TOKENS, []
    found = service.recall(scope, query, shelves=[shelf]).further
    for item in found.get(Receipt.Kind.MESSAGE, ()):
        by_user = item.label == Message.Role.USER
        left -= estimate(MessageLine(item.text, item.stated_at.date(), by_user).line)
        if left < 0:
            break
        keys.append(item.memory_id)
    return stage.cover(keys)


def _stored(stage: _Stage) -> dict[str, int]:
    threads = stage.user.threads.values_list("pk", flat=True)
    bound: dict[str, Any] = {"threads": list(threads), "user": stage.user.pk}
    stored = {}
    with connection.cursor() as cursor:
        for name, rows in STORED.items():
            size = "coalesce(sum(pg_column_size(r)), 0)"
            cursor.execute(f"SELECT {size} FROM {rows}", bound)  # noqa: S608 -- constants
            stored[name] = int(cursor.fetchone()[0])
    return stored
