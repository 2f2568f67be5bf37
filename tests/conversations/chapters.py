"""A conversation whose messages have dates of the test's own."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from conversations.models import Conversation, Message
from conversations.reply.turn import Received, Turn, begin
from tests.conversations.turns import write

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


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
        return Message.objects.get(pk=turn.message.pk)
