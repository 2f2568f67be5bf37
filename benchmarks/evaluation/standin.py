"""Sessions with the stand-in: what a new user says, each in a household of its own.

The answers are marked by hand, so a session has for each message what a good answer is.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from benchmarks.evaluation.replay import account
from benchmarks.evaluation.turns import Turns
from conversations.models import Message
from conversations.reply import change_lines
from meddie.ai.offline.replies import reply_to
from people.models import Person


def _as_message(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


class SessionMessage(BaseModel):
    """`new` begins another conversation, about the person `about` if one is named."""

    text: str
    new: bool = False
    about: str = ""
    good: str = ""
    bad: str = ""


class Session(BaseModel):
    id: str
    lang: str
    people: list[str] = []
    messages: list[Annotated[SessionMessage, BeforeValidator(_as_message)]]


def read_sessions(path: Path) -> list[Session]:
    lines = path.read_text("utf-8").splitlines()
    return [Session.model_validate_json(line) for line in lines if line.strip()]


def play_session(session: Session) -> Iterator[tuple[SessionMessage, str]]:
    """Each message with its answer: the note of an emergency, the text and the lines."""
    with account() as (user, space):
        turns, conversation_id = Turns(user, space), None
        people = {
            name: Person.objects.create(space=space, name=name).pk
            for name in session.people
        }
        for message in session.messages:
            turn, draft = turns.prompted(
                message.text,
                person_id=people.get(message.about),
                conversation_id=None if message.new else conversation_id,
            )
            conversation_id = turn.conversation_id
            text = turns.finish(turn, draft, reply_to(draft.prompted.basis))
            told = Message.objects.filter(answers=turn.message, role="system")
            lines = map(change_lines.with_nearest, told.with_changes().in_order())
            yield message, "\n\n".join(filter(None, [turn.reply.emergency_note, text, *lines]))
