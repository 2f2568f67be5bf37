# ruff: noqa: RUF001 - the marks of Chinese and Japanese are meant
"""A short message read together with what the assistant asked."""

import re

from memory import languages
from memory.words import content_tokens, plain, tokens

# Of a message that says enough by itself.
CONTENT_WORDS = 3
PARAGRAPH = re.compile(r"\n\s*\n")
SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟])|\n")
QUESTION_MARKS = ("?", "？", "؟")
MARKUP = "*_~`)]\"'”»"
CONFIRMING = frozenset(map(plain, languages.CONFIRMING))


def in_context(message: str, last_reply: str) -> str:
    """The message; after the assistant's last question if it has few content words.

    Without a question in `last_reply` its last paragraph is taken.
    """
    if not message or not _is_bare(message):
        return message
    return f"{_last_question(last_reply)}\n{message}".strip()


def confirms(message: str) -> bool:
    """Whether the message says yes and nothing else."""
    words = set(tokens(plain(message)))
    return bool(words) and words <= CONFIRMING and "?" not in message


def _is_bare(text: str) -> bool:
    return len(content_tokens(text)) < CONTENT_WORDS


def _last_question(reply: str) -> str:
    paragraphs = [part.strip() for part in PARAGRAPH.split(reply) if part.strip()]
    for paragraph in reversed(paragraphs):
        for sentence in reversed(SENTENCE.split(paragraph)):
            if sentence.rstrip(MARKUP).endswith(QUESTION_MARKS):
                # "Is that right?" is about the sentences before it.
                return paragraph if _is_bare(sentence) else sentence.strip()
    return paragraphs[-1] if paragraphs else ""
