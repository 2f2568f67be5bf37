"""One call of the API: whom it is for, what it remembers, and how it is stored."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from conversations.emergencies.notes import emergency_note
from conversations.limits import count_message
from conversations.models import Thread
from conversations.openai_api import open_webui
from conversations.openai_api.memories import NO_MEMORY, UsedMemory, read_memory
from conversations.openai_api.schema import ApiRequest
from conversations.openai_api.storing import (
    ApiChat,
    Said,
    StoredQuestion,
    finish_reply,
    store_question,
)
from conversations.reply.finish import Outcome
from conversations.reply.followups import enqueue_followups
from meddie.ai import client, tokens
from meddie.ai.chat import Usage
from meddie.ai.events import text_of
from meddie.ai.relay import Json
from meddie.ai.responses import Answer
from meddie.text import storable
from meddie.threads import run_db, run_repeatable, run_work
from people import api_keys, external_users
from people.models import ApiKey, User
from people.scope import Scope, scope_for

logger = logging.getLogger(__name__)

STORED_WITHIN = 2.0  # seconds that the end of an answer waits for its row
SHUTDOWN_PATIENCE = 4.0  # seconds
_storing: set["asyncio.Task[Any]"] = set()  # an event loop holds its tasks weakly


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """`user` is None for an anonymous call, and for a proxy's user before the first."""

    key: ApiKey
    user: User | None


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is ready to be sent. Without a `question` nothing is stored."""

    asked: ApiRequest
    body: Json
    memory: UsedMemory
    note: str
    question: "asyncio.Task[StoredQuestion] | None"

    async def end(self, answer: Answer, outcome: Outcome) -> None:
        """Store the reply, and wait for that a short time."""
        await asyncio.wait([self.store(answer, outcome)], timeout=STORED_WITHIN)

    def store(self, answer: Answer, outcome: Outcome) -> "asyncio.Task[None]":
        """Store the reply in a task that outlives the request."""
        return _start(self._store(answer, outcome))

    async def _store(self, answer: Answer, outcome: Outcome) -> None:
        done = outcome.status == "done"
        if self.question is None or (done and not answer.text and not self.note):
            return  # the answer only calls tools
        try:
            question = await self.question
            said = self._said(answer, outcome)
            followups = await run_repeatable(finish_reply, question, said, self.memory)
        except Exception:  # the outermost edge of a task
            logger.exception("A reply of the API could not be stored")
        else:
            if followups is not None:
                enqueue_followups(followups)

    def _said(self, answer: Answer, outcome: Outcome) -> Said:
        counted = answer.tokens_in
        if counted is None:
            counted = sum(map(tokens.estimate, map(text_of, self.body["messages"])))
        usage = Usage(counted, answer.counted_out(), answer.model)
        text = storable(answer.text[: client.LIMITS.reply_characters])
        return Said(uuid4(), text, self.note, usage, outcome)


async def identify(headers: Mapping[str, str]) -> ApiCaller:
    """Raises InvalidApiKey, TooManyCalls, BadIdentity."""
    key = await run_db(api_keys.authenticate, headers.get("Authorization", ""))
    await run_work(api_keys.count_call, key)
    if not key.trusted_proxy:
        return ApiCaller(key, key.user)
    return ApiCaller(key, await run_db(external_users.caller, key, headers, add=False))


async def prepare_call(
    caller: ApiCaller, asked: ApiRequest, headers: Mapping[str, str]
) -> Call:
    """Recall, and store the messages meanwhile. Raises NotAMember, LimitReached."""
    user, chat_id = caller.user, open_webui.chat_id(headers)
    background = asked.is_background or open_webui.names_task(headers)
    unstored = background or asked.anonymous or open_webui.is_temporary(chat_id)
    if user is None and not unstored:
        user = await run_db(external_users.caller, caller.key, headers)
    note = ""
    if asked.shows_notes and not background:
        note = emergency_note(asked.question, (user or caller.key.user).locale)
    if user is None or background:
        return Call(asked, asked.body, NO_MEMORY, note, None)
    chat = ApiChat(caller.key, user, chat_id)
    scope = await run_db(_admit, caller.key, user, asked)
    if unstored:
        return Call(asked, asked.body, NO_MEMORY, note, None)
    memory = await read_memory(scope, user, asked) if scope.reads else NO_MEMORY
    question = None
    if asked.sent:
        question = _start(run_repeatable(store_question, scope, chat, asked))
    return Call(asked, asked.with_memory(memory.text), memory, note, question)


async def finish_storing() -> None:
    """Wait for replies that are stored when the server ends."""
    if _storing:
        await asyncio.wait(_storing, timeout=SHUTDOWN_PATIENCE)


def _admit(key: ApiKey, user: User, asked: ApiRequest) -> Scope:
    scope = scope_for(
        user, key.space_id, channel=Thread.Channel.API, remember=asked.saves
    )
    if asked.asks:
        count_message(user.pk)
    return scope


def _start(coroutine: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
    task = asyncio.create_task(coroutine)
    _storing.add(task)
    task.add_done_callback(_storing.discard)
    return task
