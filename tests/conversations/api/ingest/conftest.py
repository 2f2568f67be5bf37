import pytest

from conversations.api.ingest.handle import INBOX
from conversations.models import Thread
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory


class Channel:
    """A bot that reports the messages of a group chat."""

    def __init__(self, api):
        self.api = api

    def send(self, body, **how):
        return self.api.send("POST", "/api/ingest", json=body, **how)

    def report(self, *texts, **fields):
        """Their states, in order."""
        documents = [
            self.message(text, number, **fields) for number, text in enumerate(texts)
        ]
        answer = self.send(documents)
        assert answer.status_code == 202, answer.text
        return [result["state"] for result in answer.json()["data"]]

    def message(self, text, number=0, *, author="ann", **fields):
        document = {"channel": "discord", "thread": "general", "text": text}
        document["external_id"] = f"{author}-{text[:40].strip()}-{number}".replace(
            "\n", ""
        )
        if author and self.api.key.trusted_proxy:
            document["author"] = {"id": author, "name": author.title()}
        return document | fields


def work():
    """Do what a worker does for each author."""
    for thread in Thread.objects.filter(channel="ingest").order_by("created_at"):
        INBOX.run(thread.pk)


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


@pytest.fixture
def bot(member, openai_server):
    """A bot with the key of a trusted proxy."""
    return Channel(api_for(member, trusted_proxy=True))


@pytest.fixture
def own(member, openai_server):
    """A bot with the key of a member."""
    return Channel(api_for(member))
