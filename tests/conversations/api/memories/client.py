"""Calls about memories."""

from dataclasses import dataclass, field
from typing import Any

from tests.conversations.api.openai.client import Api

PATH = "/api/memories"


@dataclass
class Memories:
    api: Api
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, method, path="", status=200, headers=None, **content: Any):
        answer = self.api.send(
            method, f"{PATH}{path}", headers=self.headers | (headers or {}), **content
        )
        created = status == 200 and answer.status_code == 201
        assert created or answer.status_code == status, answer.text
        return answer.text if path == "/export" and status == 200 else answer.json()

    def add(self, *texts, status=200, headers=None, **fields):
        """The decisions on texts."""
        body = {"memories": [{"text": text} for text in texts]} if texts else {}
        added = self.send("POST", "", status, headers, json=body | fields)
        return added["decisions"] if status == 200 else added

    def tell(self, text):
        """The ID of a new memory."""
        (decision,) = self.add(text)
        assert decision["action"] in {"add", "replace"}, decision
        return decision["id"]

    def texts(self, **query):
        listed = self.send("GET", params=query)["memories"]
        return [one["text"] for one in listed]

    def found(self, q, **query):
        listed = self.send("GET", "/search", params={"q": q, **query})["memories"]
        return [one["text"] for one in listed]


def named(user_id):
    """The header by which a trusted proxy names a user."""
    return {"X-OpenWebUI-User-Id": user_id}
