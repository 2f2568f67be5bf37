"""Prepare and generate a reply: recall, prompt, model, block.

Holds no database connection while it waits for the model.
"""

import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connections
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from conversations import questions
from conversations.attachments.in_prompt import (
    Files,
    files_of,
    is_being_read,
    pictures_of,
    with_surrogates,
    with_texts,
)
from conversations.emergencies import emergency_sentences
from conversations.episodes.summaries import chunk_end
from conversations.forgetting.withheld import Withheld, withhold_retired
from conversations.models import Attachment, Message, Receipt
from conversations.models.message import MessageQuerySet
from conversations.new_conversation import chosen_model
from conversations.reply.active_replies import Draft
from conversations.reply.basis import basis_of_turn
from conversations.reply.further_shelves import further_shelves
from conversations.reply.known_facts import (
    KnownFacts,
    read_so_far,
    recall_facts,
    with_facts,
    without_repetition,
    without_texts_in,
)
from conversations.reply.lookup import Lookup
from conversations.reply.prompt import context
from conversations.reply.turn import Turn
from meddie.ai.errors import UNFINISHED_REASONS, Refused
from meddie.ai.events import Basis, ChatMessage, ChatRequest, Delta, Usage, text_of
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from meddie.text import storable
from meddie.threads import run_repeatable_work
from meddie.tracing import span
from memory import service
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from memory.wording.dialogue import is_short
from memory.wording.own_words import marked_words
from people import person_text


class Spoken(NamedTuple):
    """The last reply, and the user's message before it."""

    reply: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """What the prompt is built of."""

    brief: context.Brief
    files: Sequence[Attachment]  # of the message to answer
    known: KnownFacts
    last_reply: Message | None
    query: Query
    shelves: Sequence[Shelf]
    withheld: Withheld


async def prepare_prompt(turn: Turn, draft: Draft) -> list[ChatMessage]:
    """Search, read and build what the model is asked, in one thread."""
    with span("prompt"):
        prepared = await run_repeatable_work(_prepare, turn, draft.budget)
    read, prompt, known, draft.basis = prepared
    draft.known, draft.used, draft.last_reply = known, prompt.used, read.last_reply
    draft.crowded = prompt.used.get("messages", 0) < len(read.brief.history)
    draft.withheld = turn.message.pk in read.withheld.messages
    draft.lookup = Lookup.of(turn.scope, turn.policy)
    draft.model = chosen_model(turn.reply.conversation.chat_model)
    return prompt.messages


def _prepare(turn: Turn, budget: int) -> tuple[Read, context.Prompt, KnownFacts, Basis]:
    history = history_of(turn)
    declined = not current_provider().connected and questions.is_declined(turn.message)
    looks_up = turn.scope.reads and not declined
    query = _embed(turn, history) if looks_up else Query()
    read = read_known(turn, query, history, looks_up=looks_up)
    files, brief = read.files, read.brief
    if is_being_read(files):
        files = _wait_for_files(turn)
    if files:
        line = context.HistoryLine(
            "user", with_texts(turn.message.content_to_tell, files)
        )
        brief = replace(brief, history=[*brief.history[:-1], line])
    fit = partial(_prompt, turn, read.known, brief, budget)
    prompt, known = fit(len(brief.history))
    shown = prompt.used.get("messages", 0)
    if shown < len(brief.history):
        prompt, known = fit(max(shown, 1))
    if files:
        connections.close_all()  # others may have it while pictures are loaded
        messages = context.with_pictures(prompt.messages, pictures_of(files))
        prompt = replace(prompt, messages=messages)
    connected = current_provider().connected
    basis = Basis() if connected else basis_of_turn(turn, history, known, files)
    return read, prompt, known, basis


def _prompt(
    turn: Turn, known: KnownFacts, brief: context.Brief, budget: int, shown: int
) -> tuple[context.Prompt, KnownFacts]:
    """What the last `shown` messages hold is not found a second time."""
    known = without_texts_in(known, [line.text for line in brief.history[-shown:]])
    told = with_facts(brief, known, turn.policy)
    return context.build(told, budget), known


def _wait_for_files(turn: Turn) -> Sequence[Attachment]:
    """Files that are read within a second are part of the first answer."""
    until = time.monotonic() + 0.8
    while True:
        files = files_of([turn.message])[turn.message.pk]
        if not is_being_read(files) or time.monotonic() > until:
            return files
        time.sleep(0.1)


async def generate(messages: list[ChatMessage], draft: Draft) -> AsyncGenerator[str]:
    """Yield visible text and fill the draft. Raises AIError.

    Asks without the pictures if the model refuses them.
    """
    plain: list[ChatMessage] = [
        {"role": message["role"], "content": text_of(message)} for message in messages
    ]
    try:
        async with aclosing(_generate(messages, draft)) as texts:
            async for text in texts:
                yield text
    except Refused:
        if draft.text or plain == messages:
            raise
        async with aclosing(_generate(plain, draft)) as texts:
            async for text in texts:
                yield text


async def _generate(messages: list[ChatMessage], draft: Draft) -> AsyncGenerator[str]:
    tool = draft.lookup.tool if draft.lookup else None
    request = ChatRequest(messages, draft.model, tool=tool, basis=draft.basis)
    async with aclosing(current_provider().stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Usage):
                draft.usage = piece
            elif isinstance(piece, Delta) and (
                visible := draft.reader.feed(storable(piece.text))
            ):
                draft.text += visible
                yield visible
    if draft.usage and (cut := UNFINISHED_REASONS.get(draft.usage.finish_reason)):
        raise cut
    if visible := draft.reader.close():
        draft.text += visible
        yield visible


def _embed(turn: Turn, history: Sequence[Message]) -> Query:
    """Embed the message; a short one after the last turn."""
    text = turn.message.content
    if not text:
        text = with_surrogates("", files_of([turn.message])[turn.message.pk])
    spoken = last_turn_of(history) if is_short(text) else Spoken()
    now = timezone.localtime(timezone.now(), turn.zone)
    connections.close_all()  # others may have it while the embedding model is asked
    return service.prepare_query(text, *spoken, now)


def read_known(
    turn: Turn, query: Query, history: Sequence[Any], *, looks_up: bool = True
) -> Read:
    """The conversation, whose messages before are `history`, and what is known of its user."""
    conversation = turn.reply.conversation
    with_files: list[Any] = [message for message in history if message.has_files]
    files = files_of([*with_files, turn.message] if turn.may_have_files else with_files)
    last = last_reply_of(history)
    user, person = conversation.user, conversation.person
    withheld = withhold_retired(turn.scope)
    now = timezone.localtime(timezone.now(), turn.zone)
    so_far = read_so_far(turn, history, withheld, now.tzinfo)
    brief = context.Brief(
        history=[*_lines(history, withheld, files), _line(turn.message)],
        now=now,
        remember=turn.scope.writes,
        keeps_lore=turn.policy.lore,
        short=is_own(settings.OPENAI_BASE_URL),
        summary=so_far.summary,
        open_loops=so_far.open_loops,
        files=so_far.files,
        emergency=emergency_sentences(turn.message.content, turn.message.emergency),
        instructions=user.instructions if user else "",
        person=person_text.context(
            person.details(now.date()),
            is_user=user is not None and person.user_id == user.pk,
        )
        if person
        else "",
    )
    receipt = Receipt.objects.filter(message=last).first() if last else None
    if receipt is not None:
        query = replace(query, carried=frozenset(receipt.found_facts()))
    shown = [message.pk for message in (*history, turn.message)]
    shelves = further_shelves(turn.scope, shown)
    known = KnownFacts()
    if looks_up:
        known = recall_facts(turn.scope, turn.policy, query, shelves=shelves)
    known = without_repetition(known, withheld)
    return Read(brief, files[turn.message.pk], known, last, query, shelves, withheld)


def _lines(
    messages: Sequence[Message], withheld: Withheld, files: Files
) -> Iterator[context.HistoryLine]:
    for message in messages:
        text = withheld.message_text(message) if message.content else ""
        if text and message.role == Message.Role.USER:
            text = marked_words(text, message.forwarded_from)
        for file in files[message.pk]:  # in memory only
            file.description = withheld.description(file.description, message)
        if text := with_surrogates(text, files[message.pk]):
            yield replace(_line(message), text=text)


def _line(message: Message) -> context.HistoryLine:
    user = message.role == Message.Role.USER
    return context.HistoryLine("user" if user else "assistant", message.content_to_tell)


def history_of(turn: Turn) -> list[Any]:
    """The messages before the turn's, after the carried conversation's (S0-51)."""
    conversation, until = turn.reply.conversation, turn.message.seq
    if until == 1:
        return []
    recent = _newest_first(conversation.pk, until)
    if turn.scope.writes:
        messages = _without_chunk(recent, turn.reply.thread_id)
    else:
        messages = list(recent[: settings.RECENT_MESSAGES - 1])
    room = context.CARRIED_MESSAGES - len(messages)
    if conversation.carries_id and room > 0:
        messages += _newest_first(conversation.carries_id, until)[:room]
    return messages[::-1]


def _without_chunk(recent: MessageQuerySet, thread_id: UUID) -> list[Message]:
    """Those that no chunk summary covers, and at least the last ones."""
    end = Coalesce(Subquery(chunk_end(thread_id)), 0)
    most = max(context.MOST_MESSAGES, settings.RECENT_MESSAGES)
    messages: list[Any] = list(recent.annotate(chunk_end=end)[:most])
    left = [message for message in messages if message.seq > message.chunk_end]
    kept = settings.RECENT_MESSAGES // 2
    return left if len(left) > kept else messages[:kept]


def last_turn_of(history: Sequence[Message]) -> Spoken:
    last = {message.role: message.content for message in history}
    roles = (Message.Role.ASSISTANT, Message.Role.USER)
    return Spoken(*(last.get(role, "") for role in roles))


def last_reply_of(history: Sequence[Message]) -> Message | None:
    replies = (m for m in reversed(history) if m.role == Message.Role.ASSISTANT)
    return next(replies, None)


def _newest_first(conversation_id: UUID, until: int) -> MessageQuerySet:
    files = Attachment.objects.filter(message=OuterRef("pk"))
    return (
        Message.objects.current()
        .annotate(has_files=Exists(files))
        .filter(
            # The model has to know what a "yes" confirms.
            Q(role__in=[Message.Role.USER, Message.Role.ASSISTANT])
            | Q(line_kind=Message.LineKind.FORGET_ALL),
            conversation_id=conversation_id,
            seq__lt=until,
        )
        .exclude(has_files=False, content="")
        .order_by("-seq")
        .only(
            *("seq", "role", "content", "created_at"),
            *("emergency", "emergency_note", "withheld", "forwarded_from"),
        )
    )
