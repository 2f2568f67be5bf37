"""Keep what a message says of an emergency out of memory and notes."""

from collections.abc import Iterable

from conversations.emergencies.detect import WORD, find_emergency, plain_letters

STEM = 4  # letters by which the forms of a word are compared
SHORTEST = 3  # letters of a compared word


def without_emergencies(text: str) -> str:
    """Remove the sentences that describe an emergency."""
    emergency = find_emergency(text)
    return (emergency.rest if emergency else text).strip()


def may_be_kept(proposed: str, message: str, rest: str) -> bool:
    """Whether a fact comes from the rest of the message, not from its emergency.

    It has a word of the rest, and no long word that only the emergency has.
    """
    words, kept = _stems(proposed), _stems(rest)
    withheld = {word for word in _stems(message) - kept if len(word) >= STEM}
    return bool(words & kept) and not words & withheld


def _stems(text: str) -> set[str]:
    words: Iterable[str] = WORD.findall(plain_letters(text))
    return {w[:STEM] for w in words if len(w) >= SHORTEST or w.isdigit()}
