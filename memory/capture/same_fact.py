# ruff: noqa: RUF001 - Russian letters are meant
"""Do two sentences that look alike say different things? Pure, by the letters.

An embedding does not see what tells two blood pressures, two months, a yes and a no, a
left and a right knee apart: MiniLM gives the pressures of two months .935.
"""

import re

from memory.capture.kin import NAMES_OF_THE_USER, as_mother
from memory.words import content_tokens, stem, tokens

TOLD = re.compile(
    r"[<>≤≥]|(?<!\w)[+−–-]\d+(?:[.,:/]\d+)*|\d+(?:[.,:/]\d+)*"
    r"|[^\W_]+(?:[+−–-](?!\w))?"
)
"""Words and numbers with their signs: HIV+ is not HIV-, <100 is not >100."""
SIGNED = re.compile(r"[<>≤≥]|[+−–-]\d|\w[+−–-]$")
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NUMBER_WORDS = """
two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
hundred thousand once twice half double dwa dwie trzy cztery pięć sześć siedem osiem
dziewięć dziesięć raz два две три четыре пять шесть семь восемь девять десять
"""
NUMBER_WORDS = frozenset(_NUMBER_WORDS.split())
DATE = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|today|yesterday|tomorrow|morning|noon|afternoon|evening|night|daily|weekly|monthly"
    r"|stycz\w+|lut(?:y|ego|ym)|mar(?:zec|ca|cu)|kwie(?:cień|tnia|tniu)|maj[ua]?"
    r"|czerw(?:iec|ca|cu)|lip(?:iec|ca|cu)|sierp\w+|wrze(?:sień|śnia|śniu)|październik\w*"
    r"|listopad\w*|grud(?:zień|nia|niu)"
    r"|poniedział\w+|wtor\w+|środ[aęy]|czwart(?:ek|ku)|piąt(?:ek|ku)|sobot\w+|niedziel\w+"
    r"|wczoraj|jutro|dziś|dzisiaj|rano|wieczorem"
    r"|январ\w+|феврал\w+|март\w*|апрел\w+|ма[йяе]|июн\w+|июл\w+|август\w*|сентябр\w+"
    r"|октябр\w+|ноябр\w+|декабр\w+|понедельник\w*|вторник\w*|сред[ауы]|четверг\w*"
    r"|пятниц\w+|суббот\w+|воскресень\w+|вчера|завтра|сегодня|утром|вечером)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|cannot|stopped|quit"
    r"|nie|bez|nigdy|ani|przestał[aey]?|rzucił[aey]?"
    r"|не|нет|без|никогда|ни|перестал[аи]?|бросил[аи]?)\b|n['’]t\b",
    re.IGNORECASE,
)
_APART = """
left right upper lower over under above below until some all only
mother father brother sister son daughter wife husband grandmother grandfather uncle aunt before after more less high low higher lewy
lewa lewe lewej prawy prawa prawe prawej matka matki ojciec ojca brat siostra
syn córka żona mąż babcia dziadek wysoki niski wysokie niskie левый левая левое правый
правая правое мать отец брат сестра сын дочь жена муж
"""
APART = frozenset(_APART.split())
"""Each without the other says something else."""
_PAST = """
was were had former formerly previously used off był była było byli miał miała dawniej
был была было были раньше прежде
"""
PAST = frozenset(_PAST.split())
_FILLING = """
indeed really actually truly currently never none without nigdy naprawdę faktycznie
obecnie никогда действительно
"""
FILLING = frozenset(_FILLING.split())
"""Says nothing, or denies, which is compared apart."""
_EMPTY = """
a an the is are am be been being has have having do does s now also too just
jest są ma mają teraz też сейчас теперь тоже
"""
EMPTY = frozenset(_EMPTY.split()) | FILLING - {"none", "without"}
OWNERS = frozenset(map(stem, NAMES_OF_THE_USER))
CANNOT = re.compile(r"\bcan(?:['’]t|not)\b", re.IGNORECASE)
SHORT_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
NEVER = re.compile(r"\bnever\b", re.IGNORECASE)
NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[^\W\d_a-z][^\W_]*")


def negated(text: str) -> bool:
    """Whether the sentence denies something."""
    return NEGATION.search(text) is not None


def _numbers(text: str) -> list[str]:
    words = [t for t in tokens(text) if t in NUMBER_WORDS]
    signed = [t for t in told(text) if SIGNED.search(t)]
    return sorted(NUMBER.findall(text)) + sorted(words) + sorted(signed)


def told(text: str) -> list[str]:
    """Every word and number with its sign, lower case, in order."""
    return TOLD.findall(text.lower())


def _apart(text: str) -> frozenset[str]:
    return APART & {as_mother(t) for t in tokens(text)}


def _dates(text: str) -> list[str]:
    return sorted(match.lower() for match in DATE.findall(text))


def _names_missing(text: str, other: str) -> bool:
    there = {stem(t) for t in tokens(other)}
    names = (name for name in NAME.findall(text) if name[0].isupper())
    return any(not there & {stem(t) for t in tokens(name)} for name in names)


def said_words(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    said = (as_mother(t) for t in content_tokens(text) if t not in FILLING)
    return frozenset(map(stem, said))


def same_words(one: str, other: str) -> bool:
    """Whether both say the same words in the same order, where the last may stand first:
    "In May the weight was 80 kg".

    Warfarin after metformin is news, and so is insulin before metformin when it was
    metformin before insulin, however alike a model finds the two sentences.
    """
    ours, theirs = _said_in_order(one), _said_in_order(other)
    turned = (theirs[n:] + theirs[:n] for n in range(max(len(theirs), 1)))
    return len(ours) == len(theirs) and ours in turned


def _said_in_order(text: str) -> list[str]:
    denied = NEVER.sub("not", SHORT_NOT.sub(" not", CANNOT.sub("can not", text)))
    words = TOLD.findall(denied)
    kept = [
        t for n, t in enumerate(words) if t.lower() not in EMPTY or (n and t == "A")
    ]
    return [stem(as_mother(t.lower())) for t in kept]


def retells(fact: str, other: str) -> bool:
    """Whether one of the two says what the other says and no more than words around
    it: "Ibuprofen allergy" after "User is allergic to ibuprofen"."""
    ours, theirs = said_words(fact) - OWNERS, said_words(other) - OWNERS
    within = bool(ours and theirs) and (ours <= theirs or theirs <= ours)
    return within and _apart(fact) == _apart(other)


def differ(one: str, other: str) -> bool:
    """Whether two near neighbours differ in a number, a date, a negation, a tense, a
    name, in a word of a pair such as left and right, or each says a word of its own."""
    ours, theirs = said_words(one), said_words(other)
    return (
        _numbers(one) != _numbers(other)
        or _dates(one) != _dates(other)
        or negated(one) != negated(other)
        or _apart(one) != _apart(other)
        or bool(PAST & set(tokens(one))) != bool(PAST & set(tokens(other)))
        or bool(ours - theirs and theirs - ours)
        or (_names_missing(one, other) and _names_missing(other, one))
    )
