"""What may not become a memory. A remembered line enters the prompt of every later reply.

The patterns name shapes of instructions, never single words: "nervous system" and
"insurance policy" are honest facts (B-38).
"""

import re

from memory.models.memory import CONTENT_LIMIT
from memory.words import one_line

MAX_PER_REPLY = 20

_WHAT = (
    r"(?:instruction|prompt|rule|direction|message|guideline|command|order|"
    r"conversation|context)s?"
)
_UNLESS_SENT = (
    r"(?!\s+(?:from|of|by)\s+(?:the|his|her|their)\s+(?:lab|laboratory|doctor|hospital"
    r"|clinic|pharmacy|nurse|surgeon|insurer|practice|school)\b)"
)
"""A doctor may ask to ignore a message of the laboratory."""
INSTRUCTIONS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"\b(?:ignore|disregard|override|bypass|forget)\b(?:\W+\w+){{0,3}}?\W+"
            rf"(?:previous|prior|above|earlier|preceding|foregoing|system|existing)\W+"
            rf"(?:\w+\W+)?{_WHAT}\b{_UNLESS_SENT}"
        ),
        (
            rf"\b(?:ignore|disregard|override|bypass)\b\W+(?:all\W+)?(?:of\W+)?"
            rf"(?:your|my|the|these|those)\W+{_WHAT}\b"
        ),
        r"\byou are now\b",
        (
            r"\bfrom now on,?\s+(?:you\b|(?:always |never )?(?:act|answer|respond|reply"
            r"|say|tell|write|recommend|mention|speak|pretend|praise|obey|refuse)\b)"
        ),
        r"\b(?:system|developer)\s+(?:prompt|message|instructions?)\s*:",
        (
            r"\b(?:reveal|print|repeat|show|output|leak)\b(?:\W+\w+){0,2}?\W+"
            r"(?:system|hidden|secret)\W+(?:prompt|instructions?|message)\b"
        ),
        r"^\W*(?:system|assistant|developer|human|ai)\s*:",
        r"<\W{0,2}(?:system|assistant|user|developer|instructions?|tool)\W{0,2}>",
        r"<\|[^|>]{1,40}\|>",
        r"\[/?(?:inst|sys|system)\]",
        r"<</?sys>>",
        r"```|~~~",
        r"^#{1,6}\s",
        (
            r"\b(?:zignoruj|ignoruj|pomiń|zapomnij o)\b(?:\W+\w+){0,2}?\W+"
            r"(?:poprzednie|wcześniejsze|powyższe|poprzednich|powyższych)\W+"
            r"(?:instrukcj|poleceni|zasad|wskazówk)\w*"
        ),
        r"\bod teraz jesteś\b",
        (
            r"\b(?:игнорируй|проигнорируй|забудь)(?:те)?\b(?:\W+\w+){0,2}?\W+"
            r"(?:предыдущи|прошлы|прежни)\w*\W+(?:инструкци|указани|правил|команд)\w*"
        ),
        r"\b(?:теперь ты|ты теперь)\b\W",
    )
]


def refusal(text: object) -> str | None:
    """Why a text may not be remembered, as a slug; None when it may."""
    if not isinstance(text, str):
        return "not_text"
    line = one_line(text)
    if not line:
        return "blank"
    if len(line) > CONTENT_LIMIT:
        return "too_long"
    if any(pattern.search(line) for pattern in INSTRUCTIONS):
        return "instruction"
    return None
