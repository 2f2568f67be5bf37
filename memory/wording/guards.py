"""Texts that may not be remembered, from any origin (docs/capture.md)."""

import re
import unicodedata
from itertools import takewhile

from meddie.text import JOINERS, one_line
from memory.judgement.judge import judge_sentences
from memory.reasons import Reason
from memory.values import CONTENT_LIMIT, Provenance
from memory.wording import lexicon
from memory.wording.evidence import is_grounded
from memory.wording.words import either, plain

MAX_PER_REPLY = 20
EXAMPLE_NAMES = ("quibb", "lumori")
"""How the invented names begin that every example of a prompt has: Quibbo, Lumoria."""

# Names of files and other marks of prompts and chat templates, links and tags.
MODEL_MARKUP = re.compile(
    r"\[\w{1,20}#[A-Z]\d+\]|<\|[^|>]{1,40}\|>|\[/?(?:inst|sys|system)\]|<</?sys>>|```|~~~|^[ \t]*#{1,6}\s"
    r"|\]\(|\{\{|\}\}|\{%|\$\{|<[!/?]?\s?[a-z][^<>]{0,100}>|<!--"
    r"|&(?:lt|gt|#x?[0-9a-f]{1,6});|\b(?:javascript|data|mailto):\S|\w://|\bwww\.|(?<![\w-])[a-z0-9-]++\.[a-z]{2,10}/\w",
    re.IGNORECASE | re.MULTILINE,
)
# At the start of a sentence or quotation: "immune system:" is none.
ROLE = re.compile(
    rf"(?:^[^\w\n]*+|[^\w\s)-][ \t]*+)(?:{'|'.join(lexicon.ROLES.split())})\s*:"
    r"|^[^\w\n]*+(?:human|ai|bot|tool)\s*:|\n[^\w\n]*+user\s*:",
    re.IGNORECASE | re.MULTILINE,
)
QUESTION_MARKS = {"?", "\u061f"}
STATED_DAYS = re.compile(r"(?:\(stated \d{4}-\d\d-\d\d\)\W*)+$")

_IS = rf"(?:\s*[:=\u2013\u2014]\s*|\W+(?:{'|'.join(lexicon.COPULAS.split())})\W+)"
_PASSWORDS = either(lexicon.PASSWORDS).pattern
_NEAR = r"(?:\W+\w+){0,6}?"
_MIXED = r"(?=[^\W\d]*\d)(?=\d*[^\W\d])\w{5,}"
# A value with a digit or in quotation marks, after a mark, or as the last word.
PASSWORD = re.compile(
    rf"(?:{_PASSWORDS})(?:"
    rf"{_NEAR}{_IS}(?:[\"'„“«]|\S{{0,40}}\d\S\S|\S\d|(?!\w+(?:ed|en)\W*$)\S+\W*$)"
    rf"|{_NEAR}\s*[:=]\s*\S\S|(?:\W+\w+){{0,4}}?\W+{_MIXED})"
    rf"|\b{_MIXED}{_IS}(?:\w+\W+){{0,4}}?(?:{_PASSWORDS})"
    rf"|(?:{lexicon.DENSE_PASSWORDS}).{{0,8}}?(?=[!-~]*\d)[!-~]{{4}}",
    re.IGNORECASE,
)
PIN = re.compile(
    rf"(?:{either(lexicon.PINS).pattern})(?:{_NEAR}{_IS}|\W+)\d{{3}}", re.IGNORECASE
)
CARD = re.compile(
    r"(?<!\d)\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}(?!\d)|(?<!\d)\d{4}[ -]\d{6}[ -]\d{5}(?!\d)"
)

IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b")


def without_date(text: object) -> object:
    """Cut off the dates of a line that a model copied from its prompt."""
    return STATED_DAYS.sub("", text).rstrip() if isinstance(text, str) else text


def repeats_example(text: str, said: str) -> bool:
    """Whether a text has the name of a prompt's example, which was not said."""
    told, heard = plain(text), plain(said)
    return any(name in told and name not in heard for name in EXAMPLE_NAMES)


def ungrounded(line: str, provenance: Provenance) -> Reason | None:
    """Why a line is not of the message, of what it answers or of its files."""
    told = (provenance.user_text, provenance.in_context, provenance.in_files)
    if repeats_example(line, "\n".join(filter(None, told))):
        return Reason.OF_PROMPT
    if is_grounded(line, provenance):
        return None
    return Reason.UNREAD_PICTURE if provenance.unread else Reason.UNGROUNDED


def refusal(text: object, *, wish: bool = False) -> Reason | None:
    """The reason as a slug; None if the text may be remembered.

    A `wish` of the user may be an order about answers, but not against the rules.
    """
    if not isinstance(text, str):
        return Reason.NOT_TEXT
    line = one_line(text)
    if not line:
        return Reason.BLANK
    if len(line) > CONTENT_LIMIT:
        return Reason.TOO_LONG
    written = _as_written(text)
    if _instructs(written, wish=wish):
        return Reason.INSTRUCTION
    if holds_secret(text):
        return Reason.SECRET
    return Reason.QUESTION if _is_question(written) else None


def holds_secret(text: str) -> bool:
    """Whether the text has a password, or the number of a card or account."""
    written = _as_written(text)
    return any(secret.search(written) for secret in (PASSWORD, PIN, CARD, IBAN))


def _is_question(text: str) -> bool:
    behind_last_word = takewhile(lambda char: not char.isalnum(), reversed(text))
    return not QUESTION_MARKS.isdisjoint(behind_last_word)


def _as_written(text: str) -> str:
    """Lines in NFKC without invisible characters: no other width hides a mark."""
    lines = (one_line(line) for line in text.splitlines())
    joined = "\n".join(line for line in lines if line)
    visible = joined.translate(dict.fromkeys(map(ord, JOINERS)))
    return unicodedata.normalize("NFKC", visible)


def _instructs(text: str, *, wish: bool) -> bool:
    if MODEL_MARKUP.search(text) or ROLE.search(text):
        return True
    name = "override" if wish else "order"
    judged = judge_sentences(one_line(text))
    return any(name in sentence.classes for _, sentence in judged)
