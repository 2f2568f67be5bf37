"""A program that calls Meddie through the SDK's own client of MCP; it prints JSON.

python tests/stack/mcp_calls.py URL KEY
python tests/stack/mcp_calls.py stdio EMAIL
"""

import asyncio
import json
import os
import sys
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


def transport(address: str, name: str) -> Any:
    if address == "stdio":
        arguments = ["manage.py", "mcp", "--user", name]
        command = StdioServerParameters(
            command=sys.executable, args=arguments, env=dict(os.environ)
        )
        return stdio_client(command)
    headers = {"Authorization": f"Bearer {name}"}
    return streamable_http_client(
        address, http_client=httpx2.AsyncClient(headers=headers, timeout=60)
    )


async def main(address: str, name: str) -> dict[str, Any]:
    async with Client(transport(address, name)) as client:

        async def call(tool: str, **arguments: Any) -> Any:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                return result.content[0].text  # type: ignore[union-attr]
            return result.structured_content

        listed = (await client.list_tools()).tools
        told = await call("remember", text="I play the violin")
        results = {
            "tools": {one.name: one.description for one in listed},
            "told": told,
            "again": await call("remember", text="I play the violin"),
            "found": await call("recall", query="Who plays the violin?"),
            "corrected": await call("correct", id=told["id"], text="I play the cello"),
            "listed": await call("list_memories"),
            "profile": await call("get_profile"),
            "unlike": await call("forget", text="that I like tea"),
            "forgotten": await call("forget", text="I play the cello"),
            "refused": await call("remember", text="I play the cello"),
            "told_again": await call(
                "remember", text="I play the cello", user_words="I play the cello"
            ),
            "missing": await call(
                "correct", id="00000000-0000-4000-8000-000000000000", text="x y z"
            ),
        }
        resources = (await client.list_resources()).resources
        results["resources"] = [str(one.uri) for one in resources]
        recent = await client.read_resource("memory://recent")
        results["recent"] = json.loads(recent.contents[0].text)  # type: ignore[union-attr]
        return results


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))  # noqa: T201 -- what the test reads
