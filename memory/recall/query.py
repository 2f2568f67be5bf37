# ruff: noqa: RUF001 - Russian letters are meant
"""What a message asks of memory: its telling words, and whether it asks for everything."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from meddie.ai.vectors import Vector
from memory.languages import SMALL_TALK, STOP_WORDS
from memory.recall.dates import DatePart, date_parts
from memory.words import stem, tokens

TEXT_LIMIT = 2000
"""Characters of a message that are looked at."""
TERM_LIMIT = 12
TERMS_CONSIDERED = 40
"""Of so many terms the database picks the rarest 12."""
SHORTEST_PREFIX = 4

OVERVIEW = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"\bwhat (?:else )?(?:do|did|have|can|does) you (?:\w+ ){0,2}?"
            r"(?:know|remember|learn(?:ed|t)?|stored?|saved?|recall|memori[sz]ed?)"
            r"(?: (?:about|of|on|from) (?:me|us|myself)(?: and (?:my|our) \w+)?)?"
            r"(?: so far| already| now| by now)?\W*$"
        ),
        (
            r"\btell me (?:something |more )?about (?:me|us|myself)(?: and (?:my|our) \w+)?\W*$"
        ),
        (
            r"\bdo you (?:know|remember|have) (?:anything|something|much|a lot|things)"
            r" (?:about|on) (?:me|us)\W*$"
        ),
        (
            r"\bwhat (?:information|facts|notes|data|memories|details|things)"
            r" (?:do|have) you (?:have|know|keep|kept|store[d]?|save[d]?)(?: stored| saved)?"
            r" (?:about|on|of) (?:me|us)\W*$"
        ),
        (
            r"\bwhat (?:did|have) i (?:ever |already )?(?:tell|told|say|said|share|shared)"
            r"(?: (?:to |with )?you)?(?: about (?:me|myself))?(?: so far| already| before)?\W*$"
        ),
        (
            r"\b(?:tell|show|give|list)(?: me)? (?:everything|all|what)(?: that)?(?: you)?"
            r" (?:know|remember|have stored|have saved)(?: (?:about|of|on) me)?\W*$"
        ),
        (
            r"\bwhat(?: do| have)? you(?:'ve| have)? (?:got |stored |saved |noted )?(?:know )?"
            r"(?:about|on) me\W*$"
        ),
        (
            r"^\W*(?:please |just )?(?:forget|delete|erase|remove|wipe) (?:everything|all)"
            r"(?: (?:of )?(?:my|your|the) (?:memories|memory|data|notes|facts))?"
            r"(?: (?:that )?(?:you|i)(?:['’]ve| have)? (?:know|remember|told you|stored|saved)"
            r")?(?: (?:about|of|on) me)?(?: please)?\W*$"
        ),
        (
            r"^\W*(?:proszę,? )?(?:zapomnij|usuń|skasuj|wymaż) (?:o )?wszystk(?:o|im)"
            r"(?:,? (?:co )?(?:o mnie )?(?:wiesz|pamiętasz)?)?(?: ?o mnie)?\W*$"
        ),
        (
            r"^\W*(?:пожалуйста,? )?(?:забудь|удали|сотри)(?:те)? (?:обо )?вс[её]м?"
            r"(?:,? что (?:ты |вы )?(?:обо мне )?(?:знаешь|знаете|помнишь|помните)?)?"
            r"(?: ?обо мне)?\W*$"
        ),
        r"^\W*(?:who am i|summari[sz]e me|describe me)\W*$",
        (
            r"\bco (?:już |jeszcze |właściwie )?(?:o mnie |ty o mnie )(?:już )?"
            r"(?:wiesz|pamiętasz|zapamięta\w+)\W*$"
        ),
        r"\bco (?:już |ty )?(?:wiesz|pamiętasz|zapamięta\w+)(?: o mnie)?\W*$",
        (
            r"\b(?:powiedz|opowiedz|pokaż|wymień)(?: mi)? (?:wszystko|co)?,?\s*(?:co )?"
            r"(?:o mnie )?(?:wiesz|pamiętasz|zapamięta\w+)(?: o mnie)?\W*$"
        ),
        (
            r"\bчто (?:ты |вы |ещё |еще |уже )*(?:обо мне |про меня )?(?:уже )?"
            r"(?:знаешь|знаете|помнишь|помните|запомнил\w*)(?: обо мне| про меня)?\W*$"
        ),
        (
            r"\b(?:расскажи|покажи|перечисли)(?: мне)? (?:всё|все)?,?\s*(?:что )?(?:ты )?"
            r"(?:обо мне )?(?:знаешь|помнишь)(?: обо мне| про меня)?\W*$"
        ),
    )
]


ABOUT_ONESELF = re.compile(
    r"\b(?:(?:about|of|on|from) (?:me|us|myself)|who am i|o mnie|обо мне|про меня)\b",
    re.IGNORECASE,
)
POLITE = re.compile(
    r"(?:[\s,.!?]+(?:please|thanks|thank you|meddie|be brief|briefly|in short|as a list"
    r"|in (?:a|one) (?:few )?(?:words?|sentences?|list)|proszę|krótko|w skrócie"
    r"|пожалуйста|кратко|коротко))+\W*$",
    re.IGNORECASE,
)
"""May stand behind it."""
INTRODUCTION = frozenset(
    [*SMALL_TALK, "so", "and", "but", "now", "then", "please", "just", "meddie", "a"]
)
"""May stand before "what do you know?": anything else would be what it is about."""


ONESELF = frozenset(
    ["i", "me", "myself", "ja", "mnie", "mi", "я", "меня", "мне", "ich", "mich", "mir"]
)
LARGE = re.compile(r"""(?<=[^\W_][ ,;:'’"(])[ "'(]?([^\W\d_a-zа-яё]\w+)""")
"""A word with a capital behind another word of its sentence."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the query, as the piece of a tsquery that finds it; where it names a
    piece of a date, what was said then counts too. `name` says that it was written
    large inside a sentence."""

    word: str
    tsquery: str
    date: DatePart | None = None
    name: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A message, ready for the database.

    `vector` is None when it could not be had; `failed` says that it should have been.
    `speaker` is the one whose words are asked for, if the message names one.
    """

    text: str
    terms: tuple[Term, ...]
    overview: bool
    vector: Vector | None
    model: str
    failed: bool = False
    speaker: str = ""


def is_overview(text: str) -> bool:
    """Whether the message asks for everything that is known of its author, or wants
    all of it forgotten: then the model must see what there is to forget."""
    asked = POLITE.sub("", text.strip())
    found = next(filter(None, (p.search(asked) for p in OVERVIEW)), None)
    if found is None or ABOUT_ONESELF.search(found.group()):
        return found is not None
    before = tokens(asked[: found.start()])
    return set(before) <= INTRODUCTION


def without_names(text: str, names: Collection[str]) -> tuple[str, str]:
    """Which one of these people a text names, and the text without their names; none
    where it names several, and the whole text where nothing else is in it."""
    named = [name for name in names if _naming(name).search(text)]
    rest = text
    for name in named:
        rest = _naming(name).sub(" ", rest)
    if not tokens(rest):
        rest = text
    return (named[0] if len(named) == 1 else ""), " ".join(rest.split())


def _naming(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}(?:['’]s)?\b", re.IGNORECASE)


def matching(token: str) -> str:
    """How to find a word: by its beginning if it is long, else by the word itself and
    its plain plural or singular. A piece of a tsquery."""
    beginning = stem(token)
    if any(character.isdigit() for character in token):
        return f"'{token}'"
    if len(beginning) >= SHORTEST_PREFIX:
        return f"'{beginning}':*"
    forms = dict.fromkeys((token, beginning, f"{beginning}s"))
    return "(" + " | ".join(f"'{form}'" for form in forms) + ")"


def _written_large(text: str) -> set[str]:
    """The words with a capital that no sentence's beginning explains. Whoever asks for
    oneself asks for no stranger: "Is Aspirin good for me?"."""
    if text.isupper() or ONESELF & set(tokens(text)):
        return set()
    return {word.lower() for word in LARGE.findall(text)}


def terms(text: str) -> tuple[Term, ...]:
    """The telling words of a message, each once; the longest ones if there are many."""
    words = tokens(text[:TEXT_LIMIT])
    dates = date_parts(text[:TEXT_LIMIT], words)
    large = _written_large(text[:TEXT_LIMIT])
    found: dict[str, Term] = {}
    for word in words:
        if word not in STOP_WORDS or word in dates:
            term = Term(word, matching(word), dates.get(word), word in large)
            found.setdefault(term.tsquery, term)
    longest = sorted(found.values(), key=lambda t: -len(t.word))[:TERMS_CONSIDERED]
    return tuple(t for t in found.values() if t in longest)
