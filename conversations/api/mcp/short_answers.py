"""What tools answer: short, since the user pays for each word that their model reads."""

from collections.abc import Sequence
from datetime import date, tzinfo
from inspect import cleandoc
from typing import Annotated, Any
from uuid import UUID

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, Tool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import DecisionOut, FoundMemory, Kind, MemoryOut
from conversations.api.ninja_errors import as_api_error


class ShortMemory(BaseModel):
    """A memory. With `detail` it has further fields; see docs/rest.md."""

    model_config = ConfigDict(extra="allow")

    id: UUID
    text: str
    day: date = Field(description="When it was said.")
    subject: str = Field(default="", description="Whom it is about; else the user.")
    kind: Kind = "memory"
    until: date | None = Field(default=None, description="When it ends.")
    relevant: bool = Field(default=True, description="False if for safety alone.")


class Rows(BaseModel):
    memories: list[ShortMemory]
    next: str | None = Field(default=None, description="The cursor of the next page.")


class ForgottenRows(BaseModel):
    decisions: list[DecisionOut]
    nearest: list[ShortMemory] = Field(
        default=[], description="What is most like it, if nothing was forgotten."
    )


DecisionResult = Annotated[CallToolResult, DecisionOut]
RowsResult = Annotated[CallToolResult, Rows]
ForgottenResult = Annotated[CallToolResult, ForgottenRows]


def short_rows(
    caller: Caller, memories: Sequence[MemoryOut], *, detail: bool = False
) -> list[ShortMemory]:
    zone = caller.user.zone if caller.user else None
    return [_row(memory, zone, detail=detail) for memory in memories]


def _row(memory: MemoryOut, zone: tzinfo | None, *, detail: bool) -> ShortMemory:
    until = memory.valid_until and memory.valid_until.astimezone(zone).date()
    more = memory.dict() if detail else {}
    told = {name: value for name, value in more.items() if value not in (None, "")}
    told |= {
        "id": memory.id,
        "text": memory.text,
        "day": memory.stated_at.astimezone(zone).date(),
        "subject": memory.subject or "",
        "kind": memory.kind,
        "until": until,
        "relevant": not isinstance(memory, FoundMemory) or memory.relevant,
    }
    return ShortMemory(**told)


def result_of(answer: BaseModel) -> CallToolResult:
    """Without what is empty or as usual, for programs and as text."""
    return CallToolResult(
        content=[TextContent(type="text", text=compact_json(answer))],
        structured_content=answer.model_dump(mode="json", exclude_defaults=True),
    )


def compact_json(answer: BaseModel) -> str:
    return answer.model_dump_json(exclude_defaults=True)


def untitled(schema: Any) -> Any:
    if isinstance(schema, list):
        return [untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: untitled(part)
        for name, part in schema.items()
        if not (name == "title" and isinstance(part, str))
    }


class MemoryServer(MCPServer[Any]):
    """Tells what is wrong with a call by one sentence, without the value."""

    async def list_tools(self) -> list[Tool]:
        """Without the titles of fields, and with texts that are not indented."""
        return [
            tool.model_copy(
                update={
                    "description": cleandoc(tool.description or ""),
                    "input_schema": untitled(tool.input_schema),
                    "output_schema": untitled(tool.output_schema),
                }
            )
            for tool in await super().list_tools()
        ]

    async def call_tool(self, *parts: Any, **named: Any) -> Any:
        try:
            return await super().call_tool(*parts, **named)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            if not isinstance(cause := error.__cause__, ValidationError):
                raise
            refusal = as_api_error(cause)
            raise ToolError(f"{refusal.message} ({refusal.reason})") from cause

    async def get_prompt(self, name: str, *parts: Any, **named: Any) -> Any:
        try:
            return await super().get_prompt(name, *parts, **named)
        except ValueError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
