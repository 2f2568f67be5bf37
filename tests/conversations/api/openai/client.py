"""Calls of the API, passed to the application in the process's permanent loop."""

import json
from dataclasses import dataclass
from typing import Any

import httpx2

from conversations.api.openai import calls
from meddie.asgi import application
from meddie.threads import run_coroutine
from people.models import ApiKey
from tests.factories import ApiKeyFactory
from tests.waiting import PATIENCE

COMPLETIONS = "/v1/chat/completions"
HI = [{"role": "user", "content": "Hi"}]
TASK_PROMPT = """### Task:
Suggest a title for the chat.
### Chat History:
<chat_history>
USER: I live in Gdynia
</chat_history>"""
"""A background call of Open WebUI."""


def said(text: object, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": text}


def replied(text: object) -> dict[str, Any]:
    return said(text, "assistant")


@dataclass
class Api:
    """A client with a key, which waits until replies are stored."""

    key: ApiKey
    secret: str

    def send(self, method, path, *, authorization=None, headers=None, **content):
        bearer = {"Authorization": authorization or f"Bearer {self.secret}"}

        async def sending():
            transport = httpx2.ASGITransport(app=application)
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://127.0.0.1", timeout=PATIENCE
            ) as client:
                answer = await client.request(
                    method, path, headers=bearer | (headers or {}), **content
                )
            await calls.finish_storing()
            return answer

        return run_coroutine(sending(), PATIENCE)

    def post(self, *messages, headers=None, **body):
        listed = [said(m) if isinstance(m, str) else m for m in messages]
        body = {"model": "m", "messages": listed} | body
        return self.send("POST", COMPLETIONS, json=body, headers=headers)

    def ask(self, *messages, chat="", **how):
        """The answer to these messages, as JSON or as the chunks of a stream."""
        headers = {"X-OpenWebUI-Chat-Id": chat} if chat else {}
        headers |= how.pop("headers", {})
        answer = self.post(*messages, headers=headers, **how)
        assert answer.status_code == 200, answer.text
        return chunks(answer) if how.get("stream") else answer.json()


def api_for(member, **fields):
    secret = f"sk-meddie-{member.pk}{fields}"
    key = ApiKeyFactory(user=member.user, space=member.space, secret=secret, **fields)
    return Api(key, secret)


def chunks(response):
    """The events of a stream before its last one."""
    events = [part.removeprefix("data: ") for part in response.text.split("\n\n")]
    assert events[-2:] == ["[DONE]", ""], response.text
    return [json.loads(event) for event in events[:-2]]


def words(events):
    """The text of a stream's first choice."""
    deltas = [c["delta"] for e in events for c in e["choices"] if c["index"] == 0]
    return "".join(delta.get("content") or "" for delta in deltas)


def content(answer):
    return answer["choices"][0]["message"]["content"]


def facts_of(answer):
    """The memories of an answer but messages and texts of files."""
    kinds = {"memory", "profile_fact", "lore"}
    return [one for one in answer["memories"] if one["kind"] in kinds]
