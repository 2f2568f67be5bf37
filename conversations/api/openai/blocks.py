"""Blocks of Meddie's own keys, which no client gets as text, unasked as they are.

Text without such a block passes through unchanged.
"""

from dataclasses import dataclass, field

from conversations.reply.block.reader import BlockReader
from meddie.ai.events import Json


class _Shown:
    """The text of a choice; the reader drops white space around it, which is kept."""

    def __init__(self) -> None:
        self._reader = BlockReader()
        self._begun = False
        self._tail = ""  # white space at the end so far

    def feed(self, text: str) -> str:
        before = ""
        if not self._begun:
            words = text.lstrip()
            before, text = text.removesuffix(words), words
            self._begun = bool(words)
        words = text.rstrip()
        self._tail = text[len(words) :] if words else self._tail + text
        return before + self._reader.feed(text)

    def close(self) -> str:
        rest, block = self._reader.close(), self._reader.block
        hidden = block.entries or block.unreadable
        tail, self._tail = self._tail, ""
        return rest if hidden else rest + tail


@dataclass
class HiddenBlocks:
    """Takes blocks out of the chunks of a stream, or out of a whole answer."""

    _choices: dict[int, _Shown] = field(default_factory=dict)

    def taken_from(self, chunk: Json) -> Json:
        """The same chunk, changed; what may begin a block comes later."""
        for number, choice in enumerate(chunk.get("choices") or ()):
            delta = choice.get("delta")
            said = choice.get("message") if delta is None else delta
            if not isinstance(said, dict):
                continue
            content = said.get("content")
            index = choice.get("index")
            key = index if isinstance(index, int) else number
            shown = self._choices.setdefault(key, _Shown())
            text = shown.feed(content) if isinstance(content, str) else ""
            if choice.get("finish_reason") or delta is None:
                text += shown.close()
            if text or isinstance(content, str):
                said["content"] = text
        return chunk


def without_blocks(text: str) -> str:
    shown = _Shown()
    return shown.feed(text) + shown.close()
