"""Meddie's memory as tools and resources of the Model Context Protocol (docs/mcp.md)."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated, Any, ParamSpec, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from conversations.api.memories import changing, showing
from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import (
    MOST_FOUND,
    MOST_LISTED,
    About,
    Correction,
    DecisionOut,
    FoundMemories,
    Kind,
    ListQuery,
    NewMemories,
    Page,
    SearchQuery,
    Wish,
    Wished,
)
from conversations.api.ninja_errors import as_api_error
from meddie.threads import run_work
from meddie.version import VERSION
from memory.values import CONTENT_LIMIT

P = ParamSpec("P")
R = TypeVar("R")
CALLER: ContextVar[Caller] = ContextVar("caller")
RECENT = 20
JSON = "application/json"
READS = ToolAnnotations(read_only_hint=True)
CHANGES_NOTHING_FOR_GOOD = ToolAnnotations(destructive_hint=False)
REMOVES = ToolAnnotations(destructive_hint=True)
Key = Annotated[UUID, Field(description="The id of a memory, as other tools give it.")]

server: MCPServer[Any] = MCPServer(
    "meddie",
    title="Meddie",
    version=VERSION,
    instructions=(
        "Meddie remembers lasting facts about the user across conversations. Call recall"
        " before you answer anything that may depend on who the user is, and remember"
        " when the user states a lasting fact about themselves or their people."
    ),
    log_level="WARNING",
    subscriptions=False,  # nothing is sent unasked
)


async def _carry_out(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Raises ToolError with the sentence that the model may read."""
    try:
        return await run_work(work, *args, **kwargs)
    except Exception as error:
        refusal = as_api_error(error)
        raise ToolError(f"{refusal.message} ({refusal.reason})") from error


@server.tool("remember", annotations=CHANGES_NOTHING_FOR_GOOD)
async def remember_tool(
    text: Annotated[
        str,
        Field(max_length=CONTENT_LIMIT, description="One fact as a short sentence."),
    ],
    about: Annotated[
        About | None,
        Field(
            description=(
                "Whom the fact is about, if not the user: a name or a relation, as in"
                " Mia, my mother or daughter Mia. Say it also in the sentence."
            )
        ),
    ] = None,
    user_words: Annotated[
        str,
        Field(
            max_length=2000,
            description=(
                "What the user literally said of it. Only with these words can a fact"
                " be remembered that the user asked to forget."
            ),
        ),
    ] = "",
) -> DecisionOut:
    """Remember a lasting fact about the user or their people.

    The answer tells whether it was stored, replaced another fact, was known already, or
    was refused and why.
    """
    new = NewMemories(text=text, subject=about)
    added = await _carry_out(changing.add_memories, CALLER.get(), new, said=user_words)
    return added.decisions[0]


@server.tool("recall", annotations=READS)
async def recall_tool(
    query: Annotated[str, Field(description="What to look for, in plain words.")],
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = 8,
    about: Annotated[
        About | None,
        Field(description="Only what is about this person; me for the user."),
    ] = None,
) -> FoundMemories:
    """Find what is remembered about a topic, best first.

    The subject of a memory tells whom it is about: never take another's for the user's.
    """
    asked = SearchQuery(q=query, limit=limit, subject=about)
    return await _carry_out(showing.search_memories, CALLER.get(), asked)


@server.tool("forget", annotations=REMOVES)
async def forget_tool(
    text: Annotated[
        str,
        Field(
            max_length=CONTENT_LIMIT, description="The fact to forget, as a sentence."
        ),
    ] = "",
    id: Annotated[  # noqa: A002 -- the name that models see
        UUID | None, Field(description="Or the id of the memory.")
    ] = None,
) -> Wished:
    """Forget a fact, when the user asks for it.

    If no memory says it, nothing is forgotten and the nearest memories are listed: ask
    the user which one is meant, and call again with its id.
    """
    caller = CALLER.get()
    if id is not None:
        return await _carry_out(changing.forget_named, caller, id)
    return await _carry_out(changing.forget_wished, caller, Wish(text=text))


@server.tool("correct", annotations=CHANGES_NOTHING_FOR_GOOD)
async def correct_tool(
    id: Key,  # noqa: A002 -- the name that models see
    text: Annotated[
        str, Field(max_length=CONTENT_LIMIT, description="What is true instead.")
    ] = "",
    about: Annotated[
        About | None, Field(description="Whom it is about, if that was wrong.")
    ] = None,
) -> DecisionOut:
    """Replace what a memory says, or whom it is about.

    The former version is kept in its history.
    """
    if not text and about is None:
        raise ToolError(_("Send a text, or whom it is about."))
    new = Correction(text=text, subject=about)
    return await _carry_out(changing.correct_memory, CALLER.get(), id, new)


@server.tool("list_memories", annotations=READS)
async def list_tool(
    kind: Kind | None = None,
    about: Annotated[
        About | None,
        Field(description="Only what is about this person; me for the user."),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 50,
    cursor: Annotated[
        UUID | None, Field(description="`next` of the page before.")
    ] = None,
) -> Page:
    """List what is remembered, the newest first."""
    asked = ListQuery(kind=kind, subject=about, limit=limit, cursor=cursor)
    return await _carry_out(showing.list_memories, CALLER.get(), asked)


@server.tool("get_profile", annotations=READS)
async def profile_tool() -> Page:
    """The user's profile: name, place, preferences, constraints."""
    return await _carry_out(_profile, CALLER.get())


def _profile(caller: Caller) -> Page:
    return showing.list_memories(caller, ListQuery(kind="profile", limit=MOST_LISTED))


def _recent(caller: Caller) -> Page:
    return showing.list_memories(caller, ListQuery(limit=RECENT))


@server.resource("memory://profile", mime_type=JSON)
async def profile_resource() -> str:
    """The user's profile."""
    return (await _carry_out(_profile, CALLER.get())).model_dump_json()


@server.resource("memory://recent", mime_type=JSON)
async def recent_resource() -> str:
    """The facts that were stated last."""
    return (await _carry_out(_recent, CALLER.get())).model_dump_json()
