"""Lasting statements of users about themselves, as facts.

English becomes the third person. Polish and Russian, whose verbs change, are quoted.
"""

import re
from collections.abc import Iterator

from meddie.ai.offline import languages
from meddie.ai.offline.languages import ENGLISH, POLISH, RUSSIAN, Language

MOST_FACTS = 8
LONGEST_SENTENCE = 300
"""Characters, which bounds the work of every pattern."""
_QUOTED = re.compile('["“”„«»`>][^"“”„«»`]*["“”„«»`]?')
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[dms][rt]\.)(?<!\bmrs\.)(?<!\bprof\.)\s|[\n;]", re.IGNORECASE
)
_PERSON = {"i": "they", "am": "are", "my": "their", "me": "them"}


def language_of(text: str) -> Language:
    """The language with most of the words; English where none is ahead."""

    def words(language: Language) -> int:
        return len(re.findall(language.words, text, re.IGNORECASE))

    return max((ENGLISH, POLISH, RUSSIAN), key=words)


def sentences(text: str) -> list[str]:
    """Each on one line and without "well, please remember that"."""
    lines = (" ".join(part.split()) for part in _SENTENCE_END.split(text))
    short = (line for line in lines if line and len(line) <= LONGEST_SENTENCE)
    return [re.sub(languages.OPENING, "", line, flags=re.I) for line in short]


def facts_of(text: str) -> list[str]:
    """At most MOST_FACTS; none in a game, a joke, a question, a quotation or a secret."""
    if re.search(languages.NOT_MEANT, text, re.IGNORECASE):
        return []
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    facts = (fact for one in sentences(_QUOTED.sub('"', text)) for fact in _facts(one))
    return list(dict.fromkeys(facts))[:MOST_FACTS]


def _facts(sentence: str) -> Iterator[str]:
    if sentence.endswith("?") or _begins(languages.NOT_SAID, sentence):
        return
    language = language_of(sentence)
    for clause in re.split(language.joint, sentence.rstrip(" .!…"), flags=re.I):
        frames = [frame for frame in language.frames if _begins(frame, clause)]
        if frames and not _begins(language.passing, clause):
            yield _fact(frames[0], clause, language)


def _fact(frame: str, clause: str, language: Language) -> str:
    fact = re.sub(f"^{frame}", language.frames[frame], clause, flags=re.I)
    if language is not ENGLISH:
        return fact
    words = rf"\b(?:{'|'.join(_PERSON)})\b"
    return re.sub(words, lambda word: _PERSON[word[0].lower()], fact, flags=re.I)


def _begins(pattern: str, text: str) -> bool:
    return bool(re.match(pattern, text, re.IGNORECASE))
