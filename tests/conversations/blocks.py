"""Whole replies through the block reader."""

from conversations.reply.block.json import Block
from conversations.reply.block.reader import BlockReader


def read_reply(reply: str) -> tuple[str, Block]:
    reader = BlockReader()
    text = reader.feed(reply) + reader.close()
    return text, reader.block
