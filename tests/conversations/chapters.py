"""A conversation whose messages have dates of the test's own."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from conversations.models import Conversation, Episode, Message, Thread
from conversations.reply.turn import Received, Turn, begin
from meddie.ai.vectors import fit_width
from tests.conversations.turns import write
from tests.openai_answers import vector_of

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
MODEL = "text-embedding-3-small"


@dataclass
class Chat:
    """A member's conversation, from its first message on."""

    member: Any
    conversation: Conversation | None = None
    lease: UUID = field(default_factory=uuid4)

    def begin(self, text: str, at: datetime = MORNING) -> Turn:
        turn = begin(
            self.member.user,
            self.member.space_id,
            text,
            conversation_id=self.conversation.pk if self.conversation else None,
            received=Received(self.lease, at),
        )
        self.conversation = turn.reply.conversation
        return turn

    def say(self, text: str, at: datetime = MORNING) -> Message:
        """Say it, have it answered, and return the user's message."""
        turn = self.begin(text, at)
        write(turn)
        Thread.objects.filter(pk=turn.reply.thread_id).give_back()
        return Message.objects.get(pk=turn.message.pk)

    def said(self) -> list[Message]:
        """The user's messages, in their order."""
        said = Message.objects.filter(conversation=self.conversation, role="user")
        return list(said.in_order())

    def reasons(self) -> list[str]:
        return [message.episode_reason for message in self.said()]


def sum_up(text: str) -> None:
    """Give every active episode the vector of this running summary."""
    (vector,) = fit_width([vector_of(text)])
    active = Episode.objects.filter(status="active")
    active.update(summary_vector=vector, summary_model=MODEL)


def texts_of(episodes: Iterable[Episode]) -> list[list[str]]:
    """What the user said in each episode."""
    return [
        list(
            episode.messages.in_order()
            .filter(role="user")
            .values_list("content", flat=True)
        )
        for episode in episodes
    ]
