"""Texts that may not be remembered.

Patterns match instructions, never single words like "policy" (B-38).
"""

import re

from meddie.text import one_line
from memory.languages import INSTRUCTIONS
from memory.models.memory import CONTENT_LIMIT

MAX_PER_REPLY = 20

# Marks by which prompts and chat templates are divided.
MARKUP = re.compile(
    r"^\W*(?:system|assistant|developer|human|ai)\s*:"
    r"|<\W{0,2}(?:system|assistant|user|developer|instructions?|tool)\W{0,2}>"
    r"|<\|[^|>]{1,40}\|>|\[/?(?:inst|sys|system)\]|<</?sys>>|```|~~~|^#{1,6}\s",
    re.IGNORECASE,
)


def refusal(text: object) -> str | None:
    """The reason as a slug; None if the text may be remembered."""
    if not isinstance(text, str):
        return "not_text"
    line = one_line(text)
    if not line:
        return "blank"
    if len(line) > CONTENT_LIMIT:
        return "too_long"
    if MARKUP.search(line) or INSTRUCTIONS.search(line):
        return "instruction"
    return None
