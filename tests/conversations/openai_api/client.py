"""Calls of the API in this process, as a server passes them on."""

import json
from dataclasses import dataclass

from django.test import Client

from people.models import ApiKey
from tests.factories import ApiKeyFactory

HI = [{"role": "user", "content": "Hi"}]


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


@dataclass
class Api:
    """A client with a key; `headers` are those of Open WebUI, without their prefix."""

    key: ApiKey
    secret: str
    client: Client

    def post(self, body, path="/v1/chat/completions", **headers):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {f"X-OpenWebUI-{name}": value for name, value in headers.items()}
        return self.client.post(
            path,
            raw,
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.secret}"}
            | {name.replace("_", "-"): value for name, value in sent.items()},
        )

    def ask(self, *messages, headers=None, **body):
        """The answer to these messages, as JSON or as the chunks of a stream."""
        listed = [user(m) if isinstance(m, str) else m for m in messages]
        answer = self.post({"model": "m", "messages": listed} | body, **(headers or {}))
        assert answer.status_code == 200, answer.content
        return chunks(answer) if body.get("stream") else answer.json()


def api_for(member, **fields):
    secret = f"sk-meddie-{member.pk}{len(fields)}"
    key = ApiKeyFactory(user=member.user, space=member.space, secret=secret, **fields)
    return Api(key, secret, Client(raise_request_exception=False))


def chunks(response):
    """The events of a stream before its last one."""
    raw = b"".join(response.streaming_content).decode()
    events = [part.removeprefix("data: ") for part in raw.split("\n\n") if part]
    assert events[-1] == "[DONE]", raw
    return [json.loads(event) for event in events[:-1]]
