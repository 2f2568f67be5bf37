"""Names in a sentence, replaced by words that the encoder knows."""

import re

from memory.wording.words import STOP_WORDS, language_of

CHILD = "my child"
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
NOUNS_IN_CAPITALS = "de"


def with_child(sentence: str) -> str:
    """The sentence with "my child" for each name; empty if it has none.

    A name is a word with a capital that is no common one; in German the first word
    alone. "Thanks, Leo!" addresses one.
    """
    everywhere = language_of(sentence) != NOUNS_IN_CAPITALS
    parts: list[str] = []
    end = 0
    for place, word in enumerate(WORD.finditer(sentence)):
        capital = word[0].istitle() and (place == 0 or everywhere)
        if not capital or word[0].lower() in STOP_WORDS or _is_addressed(word):
            continue
        between = sentence[end : word.start()]
        if not parts or not between.isspace():  # else a family name
            parts += [between, CHILD]
        end = word.end()
    return "".join([*parts, sentence[end:]]) if parts else ""


def _is_addressed(word: re.Match[str]) -> bool:
    before, after = word.string[: word.start()], word.string[word.end() :]
    return before.rstrip().endswith(",") and not after.strip()[:1].isalpha()
