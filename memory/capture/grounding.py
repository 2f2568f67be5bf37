"""Does this text say that fact? The rules of S3-38 and S3-39, in any script."""

import re

from memory.capture.likeness import negated
from memory.words import content_tokens, stem, tokens

OVERLAP = 0.45
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
FORGETTING = re.compile(
    r"\b(?:forget|forgot|delete|remove|erase|zapomni|usuń|wymaż|skasuj|забуд|забыть|удали|сотри)",
    re.IGNORECASE,
)
NAMES_OF_THE_USER = frozenset({"user", "użytkownik", "użytkowniczka", "пользователь"})


def grounded(fact: str, text: str) -> bool:
    """Whether the text holds the fact, by the letters or by enough of its words.

    A fact of one telling word needs that word: "User is vegetarian".
    """
    compact = "".join(tokens(fact))
    if compact and compact in "".join(tokens(text)):
        return True
    wanted = {stem(t) for t in content_tokens(fact) if t not in NAMES_OF_THE_USER}
    shared = len(wanted & {stem(t) for t in tokens(text)})
    return bool(wanted) and shared >= max(OVERLAP * len(wanted), min(2, len(wanted)))


def stated_anew(fact: str, message: str) -> bool:
    """Whether the user states the fact in this message.

    A question, a denial and a request to forget hold the same words and state nothing.
    """
    return any(
        grounded(fact, sentence) and negated(fact) == negated(sentence)
        for sentence in SENTENCE.findall(message)
        if "?" not in sentence and not FORGETTING.search(sentence)
    )
