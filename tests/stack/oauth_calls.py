"""A program that signs in by the OAuth client of MCP's SDK, and calls; it prints JSON.

python tests/stack/oauth_calls.py URL COOKIE
"""

import asyncio
import json
import re
import sys
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

CALLBACK = "http://127.0.0.1:33418/callback"
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class Storage(TokenStorage):
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """A signed-in one, which connects each program that asks."""

    def __init__(self, cookie: str) -> None:
        self.headers = {"Cookie": f"sessionid={cookie}"}
        self.answer: dict[str, list[str]] = {}

    async def open(self, url: str) -> None:
        async with httpx2.AsyncClient(headers=self.headers, timeout=60) as client:
            page = await client.get(url)
            form = dict(FIELD.findall(page.text)) | {"allow": "true"}
            token = page.cookies["csrftoken"]
            headers = {"Cookie": f"{self.headers['Cookie']}; csrftoken={token}"}
            done = await client.post(url, data=form, headers=headers)
        self.answer = parse_qs(urlsplit(done.headers["Location"]).query)

    async def result(self) -> AuthorizationCodeResult:
        found = {name: values[0] for name, values in self.answer.items()}
        return AuthorizationCodeResult(**found)


async def main(url: str, cookie: str) -> dict[str, Any]:
    browser, storage = Browser(cookie), Storage()
    described = {"client_name": "SDK", "redirect_uris": [CALLBACK]}
    metadata = OAuthClientMetadata.model_validate(described)
    auth = OAuthClientProvider(
        url, metadata, storage, browser.open, callback_handler=browser.result
    )
    http = httpx2.AsyncClient(auth=auth, timeout=60)
    async with Client(streamable_http_client(url, http_client=http)) as client:
        told = await client.call_tool("remember", {"text": "I play the violin"})
        first = storage.tokens
        assert first is not None
        # As an hour later.
        auth.context.token_expiry_time = 1
        listed = await client.call_tool("list_memories", {})
        assert storage.tokens is not None
        return {
            "scope": first.scope,
            "told": told.structured_content,
            "listed": listed.structured_content,
            "refreshed": storage.tokens.access_token != first.access_token,
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*sys.argv[1:]))))  # noqa: T201 -- what the test reads
