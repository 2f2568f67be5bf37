"""Words of a text in any script, and their stems."""

import re
import unicodedata
from collections import Counter

from memory.languages import LANGUAGE_OF, STOP_WORDS, SUFFIXES

WORD = re.compile(r"[^\W_]+")
STEM = 4  # letters that must remain before a suffix
PASSAGE = 2000  # characters that show the language of a text
OFTEN = 8  # in so many words one stop word is the least
LONG = 7  # longer stems lose up to two letters more: ibuprofenu, ibuprofenem


# Letters with a stroke have no decomposition.
STROKES = str.maketrans("łøđħß", "lodhs")


def plain(text: str) -> str:
    """NFKC in lower case without diacritics."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).lower())
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare.translate(STROKES))


def tokens(text: str) -> list[str]:
    return WORD.findall(text.lower())


def content_tokens(text: str) -> list[str]:
    """The words except stop words, each once, in order."""
    return [t for t in dict.fromkeys(tokens(text)) if t not in STOP_WORDS]


def language_of(text: str) -> str:
    """The code of the language that the stop words show; empty if they show none."""
    words = tokens(text[:PASSAGE])
    counts = Counter(LANGUAGE_OF[word] for word in words if word in LANGUAGE_OF)
    [(code, count)] = counts.most_common(1) or [("", 0)]
    return code if count * OFTEN > len(words) else ""


def stem(token: str) -> str:
    """The beginning that inflections of a word share."""
    if any(character.isdigit() for character in token):
        return token
    for suffix in SUFFIXES:
        if token.endswith(suffix) and len(token) - len(suffix) >= STEM:
            token = token.removesuffix(suffix)
            break
    return token[: max(LONG - 1, len(token) - 2)]
