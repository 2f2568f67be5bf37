"""One call of the API: whom it is for, what it remembers, and how it is stored."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from conversations.api.channel import API
from conversations.api.openai import schema
from conversations.api.openai.blocks import without_blocks
from conversations.api.openai.memories import NO_MEMORY, UsedMemory, read_memory
from conversations.api.openai.schema import ApiRequest
from conversations.api.openai.storing import (
    ApiChat,
    Said,
    StoredQuestion,
    finish_reply,
    store_question,
)
from conversations.api.openai.unfinished import drop_reply, save_parts
from conversations.emergencies import emergency_note, find_emergency
from conversations.limits import count_message
from conversations.models import Message
from conversations.refusals import NoRoomForText
from conversations.reply.active_replies import PeriodicTask
from conversations.reply.finish import Outcome, enqueue_followups
from meddie.ai import client
from meddie.ai.events import Delta, Json, Passthrough, Tool, Usage, text_of
from meddie.ai.tokens import estimate
from meddie.http.api_edge import ApiError
from meddie.outages import refers_to_deleted
from meddie.text import storable
from meddie.threads import run_db, run_one_by_one, run_repeatable
from people import api_keys, external_users
from people.models import ApiKey, User
from people.scope import Scope, scope_for

logger = logging.getLogger(__name__)

Parse = Callable[[bytes], ApiRequest]
HEAD_START = 0.03  # seconds
SAVE_EVERY = 1.0  # seconds
DONE = Outcome(Message.Status.DONE)
_storing: set["asyncio.Task[Any]"] = set()  # an event loop holds its tasks weakly


class AnswerNotStored(ApiError):
    def __init__(self) -> None:
        text = _("The answer could not be stored.")
        super().__init__(503, text, code="not_stored")


@dataclass(frozen=True, slots=True)
class AdmittedCall:
    """`place` is where to store it and for whom; None where memory has no part."""

    asked: ApiRequest
    note: str
    payer: str  # the key and the user that it counts for
    place: tuple[Scope, ApiChat] | None = None
    memory: UsedMemory = NO_MEMORY


@dataclass(slots=True)
class AnswerSoFar:
    """What has come of the answer to these messages."""

    messages: Sequence[Json]
    hides_blocks: bool = False
    parts: list[str] = field(default_factory=list)
    model: str = ""
    usage: Usage | None = None

    def take(self, event: Delta | Passthrough | Usage) -> None:
        match event:
            case Delta():
                self.parts.append(event.text)
            case Passthrough():
                self.model = str(event.chunk.get("model") or self.model)
            case Usage():
                self.usage = event

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def storable(self) -> str:
        shown = without_blocks(self.text) if self.hides_blocks else self.text
        return storable(shown[: client.LIMITS.reply_characters])

    def counted(self) -> Usage:
        """Estimated if the answer has no end."""
        asked = sum(estimate(text_of(message)) for message in self.messages)
        return self.usage or Usage(asked, estimate(self.text), self.model)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is ready to be sent. Without a `question` nothing is stored."""

    asked: ApiRequest
    body: Json
    memory: UsedMemory
    note: str
    question: "asyncio.Task[StoredQuestion] | None"
    chat: str = ""  # its key, if the client names one

    @property
    def tool(self) -> Tool | None:
        lookup = self.memory.lookup
        return lookup.tool if lookup and self.asked.may_look_up else None

    async def stored(self, answer: AnswerSoFar) -> bool:
        """Wait until the question is stored, and have the parts of its answer saved.

        A client that leaves meanwhile does not hinder it.
        """
        if self.question is not None:
            question = await asyncio.shield(self.question)
            _answers[question.reply_id] = answer
            _saves.start()
        return True

    def end(self, answer: AnswerSoFar, outcome: Outcome) -> "asyncio.Task[bool]":
        """Store the reply in a task that outlives the request; whether it could."""
        task = _start(self._store(answer, outcome))
        if self.chat:
            _ending[self.chat] = task
            task.add_done_callback(partial(_forget_end, self.chat))
        return task

    async def finish(self, answer: AnswerSoFar) -> None:
        """Store the whole answer. Raises AnswerNotStored."""
        if not await asyncio.shield(self.end(answer, DONE)):
            raise AnswerNotStored

    async def _store(self, answer: AnswerSoFar, outcome: Outcome) -> bool:
        if self.question is None:
            return True
        done = outcome.status == "done"
        try:
            question = await self.question
            _answers.pop(question.reply_id, None)
            if done and not answer.text and not self.note:  # it only calls tools
                await run_one_by_one(drop_reply, question.reply_id)
                return True
            said = Said(answer.storable(), answer.counted(), outcome)
            followups = await run_one_by_one(finish_reply, question, said, self.memory)
        except NoRoomForText:
            return True  # the client was told
        except Exception as error:  # the outermost edge of a task
            if not refers_to_deleted(error):
                logger.exception("A reply of the API could not be stored")
            return False
        if followups is not None:
            enqueue_followups(followups)
        return True


def identify(headers: Mapping[str, str]) -> tuple[ApiKey, User | None]:
    """The key, and the user that the call is for, who is not added.

    Raises InvalidApiKey, TooManyCalls, BadIdentity.
    """
    key = api_keys.authenticate(headers.get("Authorization", ""))
    api_keys.count_calls(key)
    return key, external_users.caller(key, headers, add=False)


def admit(headers: Mapping[str, str], raw: bytes, parse: Parse) -> AdmittedCall:
    """Read a call, check its rights and limits, and recall. Database and network.

    Raises the errors of `identify` and `count_message`, ApiError, NotAMember.
    """
    key, user = identify(headers)
    asked, chat_id = parse(raw).named_by(headers), schema.chat_id(headers)
    background = asked.is_background or schema.names_task(headers)
    unstored = background or asked.anonymous or schema.is_temporary(chat_id)
    if user is None and not unstored:
        user = external_users.caller(key, headers)
    note = ""
    if asked.shows_notes and not background:
        emergency = find_emergency(asked.question)
        note = emergency_note(asked.question, emergency, (user or key.user).locale)
    # What no user is named for is its key's: each call costs the same.
    payer = user or key.user
    counted = f"{key.pk} {payer.pk}"
    if user is None or background:
        count_message(payer.pk, answers=asked.choices)
        return AdmittedCall(asked, note, counted)
    scope = scope_for(
        user,
        key.space_id,
        channel=API.name,
        remember=asked.saves,
        room=asked.thread,
    )
    stored = "" if unstored else asked.question
    count_message(payer.pk, stored, answers=asked.choices)
    if unstored:
        return AdmittedCall(asked, note, counted)
    place = scope, ApiChat(key, user, chat_id)
    memory = read_memory(scope, user, asked)
    return AdmittedCall(asked, note, counted, place, memory)


def begin_call(admitted: AdmittedCall) -> Call:
    asked, memory, note = admitted.asked, admitted.memory, admitted.note
    if admitted.place is None:
        return Call(asked, asked.body, memory, note, None)
    scope, chat = admitted.place
    chat_key = chat.external_id if chat.id else ""

    async def store_soon() -> StoredQuestion:
        # Storing would hold up the request to the provider, which is sent now.
        await asyncio.sleep(HEAD_START)
        if former := _ending.get(chat_key):  # which this one may replace
            await asyncio.wait([former])
        return await run_repeatable(store_question, scope, chat, asked, note)

    question = _start(store_soon()) if asked.sent else None
    body = asked.with_memory(memory.text, memory.added)
    return Call(asked, body, memory, note, question, chat_key)


async def _save_parts() -> None:
    """What has come of the answers, for the case that this process is killed."""
    parts = {reply: answer.storable() for reply, answer in _answers.items()}
    await run_db(save_parts, parts)


_answers: dict[UUID, AnswerSoFar] = {}  # by the rows of their replies
_saves = PeriodicTask(_save_parts, wanted=lambda: _answers, seconds=lambda: SAVE_EVERY)


_ending: dict[str, "asyncio.Task[bool]"] = {}  # by their chats


def _forget_end(chat: str, task: "asyncio.Task[bool]") -> None:
    if _ending.get(chat) is task:
        del _ending[chat]


async def finish_storing() -> None:
    """Wait for replies that are stored when the server ends."""
    if _storing:
        await asyncio.wait(_storing, timeout=4.0)


def _start(coroutine: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
    task = asyncio.create_task(coroutine)
    _storing.add(task)
    task.add_done_callback(_storing.discard)
    return task
