"""Turns for tests: begin one, write its reply, script what the model answers."""

import json

from asgiref.sync import async_to_sync

from conversations.models import Message
from conversations.reply import runner
from conversations.reply.turn import begin
from tests.openai_answers import says


def ask(member, text="Hello", **options):
    """A begun turn of a member's user."""
    return begin(member.user, member.space_id, text, **options)


def write(turn):
    """Write the reply to its end and return its row."""

    async def writing():
        await runner.write_reply(turn)

    async_to_sync(writing)()
    return Message.objects.get(pk=turn.reply_id)


def noting(text="Noted.", **keys):
    """An answer of the model that ends with a block."""
    return says(f"{text}\n\n```json\n{json.dumps(keys)}\n```")
