"""Statements that somebody makes about themselves, as a model would note them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from meddie.ai.offline import english, polish

LONGEST = 200
MOST = 8
"""Facts of one message."""

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bprof\.)(?<!\bst\.)"
    r"(?<!\bul\.)(?<!\bnp\.)\s+|\n+|;\s+",
    re.IGNORECASE,
)
_POLISH_WORDS = re.compile(
    r"\b(?:czy|nie|jest|jestem|mam|mnie|mi|mój|moja|moje|się|jak|jaki|jaka|jakie|co|dla"
    r"|oraz|ale|wiesz|zapomnij|proszę?|lubię?|wolę?|hej|dobry|na|ma|kim|od|witaj|że|ze|z"
    r"|po|już|dzięki?|siema|cześć|dzień|dobranoc|wszystko|o|gdzie|teraz|kiedy|ile|kto"
    r"|dlaczego|czemu|czego|czym|skąd|powiedz|pamiętasz|mieszkasz|możesz|masz|w|są"
    rf"|{'|'.join(polish.VERBS)})\b"
    r"|\b[a-ząćęłńóśźż]*[ąćęłńóśźż][a-ząćęłńóśźż]*\b"
)
_ENGLISH_WORDS = re.compile(
    r"\b(?-i:I)\b|\b(?:i'm|i've|my|me|you|your|the|an|and|is|are|am|was|does|don't|what|which"
    r"|who|how|can|have|has|had|of|in|at|for|with|from|that|it|not|hi|hello|hey|thanks"
    r"|please|forget|remember|prefer|like|yes|moved|live|take)\b",
    re.IGNORECASE,
)

_HOME = re.compile(r"(?:User lives|Użytkow\w+ mieszka) ")
_LEFT = re.compile(
    r"(?:User (?:no longer lives|does not live)|Użytkow\w+ (?:już )?nie mieszka) (?:in|we?) "
)


@dataclass(frozen=True)
class Statement:
    """`fact` for the notes, `echo` for the answer ("you are ...")."""

    fact: str
    echo: str


def is_polish(text: str) -> bool:
    """Whether to answer in Polish; a name such as Gdańsk alone makes no Polish."""
    start = text[:1].lower() + text[1:]
    return len(_POLISH_WORDS.findall(start)) > len(_ENGLISH_WORDS.findall(text))


def sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def is_question(sentence: str) -> bool:
    """A question, or a wish, or a mere supposition: nothing that is so."""
    language = polish if is_polish(sentence) else english
    start = language.without_opening(sentence)
    return sentence.rstrip("\"'”)").endswith("?") or bool(
        language.QUESTION.match(start)
    )


def statements(text: str) -> list[Statement]:
    """What the user says of themselves and their own, questions left out."""
    found = [
        statement
        for sentence in sentences(text)
        if not is_question(sentence)
        for statement in of_sentence(sentence)
        if len(statement.fact) <= LONGEST
    ]
    homes = [one for one in found if _HOME.match(one.fact)]
    return [one for one in found if not (homes and _LEFT.match(one.fact))][:MOST]


def of_sentence(sentence: str) -> Iterator[Statement]:
    language = polish if is_polish(sentence) else english
    for clause in language.clauses(sentence.rstrip(" .!…")):
        if found := language.statement(clause):
            yield Statement(*found)
