"""The user's own words in messages that hold another's; written before the rules."""

import re
from pathlib import Path

from memory.wording.own_words import own_words
from memory.wording.words import tokens

FILE = Path(__file__).parent / "own_words.txt"
ANOTHERS = re.compile("⟦([^⟧]*)⟧")


def messages(kept_apart=None):
    """Title and text of each message, in which another's words are between ⟦ and ⟧."""
    for record in FILE.read_text().split("=== ")[1:]:
        title, text = record.split("\n", 1)
        if kept_apart is None or (" apart:" in title) == kept_apart:
            yield title, text.rstrip("\n")


def is_right(marked):
    text = marked.replace("⟦", "").replace("⟧", "")
    own = " ".join(ANOTHERS.sub(" ", marked).split())
    return tokens(own_words(text)) == tokens(own)


def wrong(kept_apart):
    return [title for title, text in messages(kept_apart) if not is_right(text)]
