"""A file as one line of the conversation."""

from conversations.models import Attachment
from meddie.text import one_line

LONGEST = 200  # characters of the description


def surrogate(attachment: Attachment) -> str:
    """`[image#A123] a short description`, or the name until there is one."""
    told = one_line(attachment.description) or one_line(attachment.name)
    return f"[{attachment.kind}#{attachment.code}] {told[:LONGEST]}"
