"""Turns for tests: begin one, write its reply, script what the model answers."""

import json

from asgiref.sync import async_to_sync

from conversations.models import Message
from conversations.reply import runner
from conversations.reply.prompt import prompts
from conversations.reply.turn import begin
from meddie.ai.events import text_of
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


def prompt_text(openai_server):
    """The system message of the last prompt, and what was added to the user's message."""
    system, *_, last = openai_server.chat.requests[-1].body["messages"]
    return f"{system['content']}\n\n{text_of(last).partition(prompts.MESSAGE)[0]}"


def turns_sent(openai_server):
    """The texts of the last prompt's turns, without what was added to the last one."""
    _system, *before, last = openai_server.chat.requests[-1].body["messages"]
    own_words = text_of(last).partition(f"{prompts.MESSAGE}\n\n")[2]
    return [*(message["content"] for message in before), own_words]
