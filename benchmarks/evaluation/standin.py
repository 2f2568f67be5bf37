"""Sessions with the stand-in: what a new user says, each in a household of its own.

The answers are marked by hand: a message says what a good answer is, and a bad one.
"""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils import translation
from pydantic import BaseModel

from benchmarks.evaluation.replay import account
from benchmarks.evaluation.turns import Turns
from conversations.models import Message
from conversations.reply import change_lines
from meddie.ai.offline.replies import reply_to


class SessionMessage(BaseModel):
    say: str
    good: str = ""
    bad: str = ""


class Session(BaseModel):
    id: str
    language: str
    messages: list[SessionMessage]


def read_sessions(path: Path) -> list[Session]:
    lines = path.read_text("utf-8").splitlines()
    return [Session.model_validate_json(line) for line in lines if line.strip()]


def play_session(session: Session) -> Iterator[tuple[SessionMessage, str]]:
    """Each message with its answer: the note of an emergency, the text and the lines.

    The pages are in the language of the session, where they are translated.
    """
    with account() as (user, space):
        pages = dict(settings.LANGUAGES)
        user.locale = session.language if session.language in pages else "en"
        user.save(update_fields=["locale"])
        turns, conversation_id = Turns(user, space), None
        for message in session.messages:
            with translation.override(user.locale):
                turn, draft = turns.prompted(
                    message.say, conversation_id=conversation_id
                )
                text = turns.finish(turn, draft, reply_to(draft.prompted.basis))
                told = Message.objects.filter(answers=turn.message, role="system")
                lines = map(change_lines.with_nearest, told.with_changes().in_order())
                parts = [turn.reply.emergency_note, text, *lines]
            conversation_id = turn.conversation_id
            yield message, "\n".join(filter(None, parts))
