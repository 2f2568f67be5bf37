"""Closed classes of words that say whom a text is about, by language."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from memory.wording import lexicon
from memory.wording.words import RELATIONS, folded, folded_pairs, plain, tokens
from memory.wording.words import USER as USER_WORDS

FIRST_PERSON_ENDINGS = {
    "pl": ("ę", "am", "em"),
    "es": ("o", "é"),
    "it": ("o",),
    "pt": ("o",),
}
"""Of a verb without a pronoun; nouns have them, too."""
POLISH_PAST = ("lam", "lem")  # endings of "brałam" and "miałem", as folded
COMMON_BY_LANGUAGE = {
    code: folded((lexicon.STOP_WORDS.get(code, ""), lexicon.SHOWING.get(code, "")))
    for code in {*lexicon.STOP_WORDS, *lexicon.SHOWING}
}
COMMON = frozenset().union(*COMMON_BY_LANGUAGE.values())

SHORTEST_NAME = 3  # letters of a name in lower case
DECLINING = frozenset({"pl", "cs", "sk", "uk", "ru", "hr", "bg"})
GENITIVES = ("y", "i", "и", "ы", "і", "ї")
"""Endings of a Slavic name that is in no nominative."""
OF_EITHER_SEX = folded(lexicon.NAMES_OF_EITHER_SEX)
NOMINATIVE_NAMES = folded(
    "Kuba Barnaba Antoni Jerzy Ignacy Cezary Walenty Wincenty Idzi Jiří Юрий"
)
GENITIVE_S = frozenset({"en", "de", "nl", "sv", "da", "nb", ""})
ENDS_OF_S = ("s", "x", "z")
CASES_OF_A = [
    "i",
    "ii",
    "y",
    "ie",
    "ę",
    "ą",
    "u",
    "ou",
    "ě",
    "і",
    "ї",
    "ю",
    "у",
    "е",
    "ой",
    "ою",
]
CASES = ["a", "owi", "em", "iem", "u", "ovi", "om", "emu", "а", "ові", "у", "ом", "ем"]
CHANGED = {"d": "dzie", "t": "cie", "r": "rze", "k": "ce", "g": "dze", "l": "le"}
"""Last letters of a stem before the ending of a Polish dative: "Jagoda", "Jagodzie"."""
REPLACED = {"ek": "k", "a": "", "\u0430": "", "o": "on"}
"""Endings of a name in its cases: "Janek", "Janka"; "Leo", "Leona"."""


def _forms(words: str) -> frozenset[str]:
    """As written, and folded unless that is another word: "él", not "el"."""
    listed = words.split()
    return frozenset(
        form
        for word in listed
        for form in (word, plain(word))
        if form in listed or form not in COMMON
    )


def _by_language() -> dict[str, frozenset[str]]:
    languages = defaultdict(set)
    for table in (
        lexicon.STOP_WORDS,
        lexicon.SHOWING,
        lexicon.ABOUT_USER,
        lexicon.THIRD_PERSON,
        lexicon.VERBS,
        lexicon.FURTHER_VERBS,
        lexicon.OF_A_PERSON,
        lexicon.POSSESSIVES_BY_LANGUAGE,
    ):
        for code, words in table.items():
            for word in words.split():
                languages[word.partition("=")[0]].add(code)
    return {word: frozenset(codes) for word, codes in languages.items()}


LANGUAGES = _by_language()

THIRD = {code: _forms(words) for code, words in lexicon.THIRD_PERSON.items()}
VERBS = {code: _forms(words) for code, words in lexicon.VERBS.items()}
# But for what is a verb about another without its accents: "dostaje".
FIRST = {
    code: _forms(f"{words} {lexicon.POSSESSIVES_BY_LANGUAGE.get(code, '')}")
    - VERBS.get(code, frozenset())
    for code, words in lexicon.ABOUT_USER.items()
}
ANY_FIRST = frozenset().union(*FIRST.values()) - THIRD["en"]  # "he has", not "he ido"
ANY_VERB = frozenset().union(*VERBS.values()) - COMMON
# Those that are a word of no other language.
ANY_THIRD = frozenset(
    word
    for code, words in THIRD.items()
    for word in words
    if code == "en" or LANGUAGES.get(word) == frozenset({code})
)
OWN_VERBS = folded(
    word
    for code, endings in FIRST_PERSON_ENDINGS.items()
    for word in lexicon.ABOUT_USER[code].split()
    if word.endswith(endings)
    and word not in lexicon.POSSESSIVES_BY_LANGUAGE[code].split()
)
NOMINATIVES = folded(lexicon.FIRST_PERSON) | {"moi"} | OWN_VERBS
SUBJECT_VERBS = {
    code: folded(f"{lexicon.VERBS.get(code, '')} {verbs}")
    for code, verbs in lexicon.FURTHER_VERBS.items()
}
OF_A_PERSON = {code: folded(words) for code, words in lexicon.OF_A_PERSON.items()}
WORD_NAMES = folded(lexicon.WORD_NAMES)
BOTH, SO, WITH = map(folded, (lexicon.BOTH, lexicon.SO, lexicon.WITH))
STRANGERS, PROFESSIONALS = folded(lexicon.STRANGERS), folded(lexicon.PROFESSIONALS)
IS, SOMEONE = folded(lexicon.IS), folded(lexicon.SOMEONE)
PERSONS = _forms(lexicon.PERSONS)
PERSONS_OR_THINGS = folded(lexicon.PERSONS_OR_THINGS)
HAS, PARTICIPLES = lexicon.HAS, lexicon.PARTICIPLES
REPORTS, LETTERS = folded(lexicon.REPORTS), lexicon.LETTERS
ANIMALS = frozenset(lexicon.ANIMALS.split())
POSSESSIVES = folded(lexicon.POSSESSIVES_BY_LANGUAGE.values()) | USER_WORDS
POSSESSIVES_OF = {
    code: folded(words) for code, words in lexicon.POSSESSIVES_BY_LANGUAGE.items()
}
LEADING = POSSESSIVES | folded(lexicon.ARTICLES)
WITH_POSSESSIVE = folded(lexicon.ALSO_STRANGERS)
AFTER_MY = folded_pairs(lexicon.RELATIONS_AFTER_MY)
RELATIVES_IN_NOMINATIVE = {
    code: folded(words) for code, words in lexicon.RELATIVES_IN_NOMINATIVE.items()
}
GERMAN_CHILDREN = frozenset(lexicon.GERMAN_CHILDREN.split())  # as written
SOME_CHILD = folded(lexicon.SOME_CHILD)
AT_THE_AGE = {code: folded(words) for code, words in lexicon.AT_THE_AGE.items()}
WE = {code: folded(words) for code, words in lexicon.WE.items()}
KIN_OF_KIN = folded_pairs(lexicon.KIN_OF_KIN)
FOR, LIKE, SAME = map(folded, (lexicon.FOR, lexicon.LIKE, lexicon.SAME))
GIVES = {code: folded(words) for code, words in lexicon.GIVES.items()}
ANY_GIVES = frozenset().union(*GIVES.values()) - COMMON
THAT = folded(lexicon.THAT)
JOINS, OF, CALLED = map(folded, (lexicon.JOINS, lexicon.OF, lexicon.CALLED))
TITLES, HONORIFICS = folded(lexicon.TITLES), folded(lexicon.HONORIFICS)
FEMALE, MALE = folded(lexicon.FEMALE), folded(lexicon.MALE)
NAMES_OF_SELF = folded(lexicon.NAMES_OF_SELF)
LITTLE, ALSO = folded(lexicon.LITTLE), folded(lexicon.ALSO)
REFLEXIVES = folded("się sie me mi si se")
NO_NAMES = (
    TITLES | HONORIFICS | ANY_GIVES | FOR | LIKE | JOINS | OF | CALLED | LITTLE | ALSO
) | folded(lexicon.ARTICLES)
# As written: "avó" and "avô" are two.
WRITTEN = {
    word: meaning or word
    for pair in lexicon.RELATIONS.split()
    for word, _, meaning in [pair.partition("=")]
}
BY_LANGUAGE = {
    code: folded_pairs(words) for code, words in lexicon.RELATIONS_BY_LANGUAGE.items()
}


def language_by_words(text: str) -> str:
    """The code of the language that most words of a text are of; empty if it is open."""
    counts: Counter[str] = Counter()
    words = text.split()
    lower = [word for word in words[1:] if not word[0].isupper() or text.isupper()]
    for word in tokens(" ".join([*words[:1], *lower])):  # "Ela" is a name
        codes = LANGUAGES.get(word, frozenset())
        counts.update(dict.fromkeys(codes, 1 / len(codes)) if codes else {})
    letters = set(text.lower())
    counts.update({c: 1.5 for c in LETTERS if not letters.isdisjoint(LETTERS[c])})
    best = counts.most_common(2)
    is_clear = best and (len(best) == 1 or best[0][1] > best[1][1])
    return best[0][0] if is_clear else ""


def relation_of(word: str, language: str) -> str:
    """The relation that a word as written means, in English; empty if none."""
    lower, folded_word = word.lower(), plain(word)
    found = BY_LANGUAGE.get(language, {}).get(folded_word) or WRITTEN.get(lower)
    if found or not lower.isascii():
        return found or RELATIONS.get(folded_word, "")
    return RELATIONS.get(folded_word) or _of_genitive(folded_word)


def _of_genitive(word: str) -> str:
    """Of "Muttis" and "nans"."""
    relation = "" if word in COMMON else RELATIONS.get(word.removesuffix("s"), "")
    return "" if relation in ANIMALS else relation  # "allergic to cats"


def is_chain(name: str) -> bool:
    """Whether it is as "Mia's brother", whose first word names another."""
    words = name.replace("-", " ").replace("'", " ").split()
    return len(words) > 1 and any(
        relation_of(word, "") or plain(word) in STRANGERS | PROFESSIONALS
        for word in words
    )


def common_words(language: str) -> frozenset[str]:
    """The words that are no names in a language, or in any if it is open."""
    if language not in FIRST:
        return COMMON | ANY_FIRST | ANY_VERB | NO_NAMES | POSSESSIVES | REPORTS
    tables: Iterator[frozenset[str]] = (
        table.get(language, frozenset())
        for table in (COMMON_BY_LANGUAGE, FIRST, THIRD, VERBS)
    )
    return NO_NAMES.union(REPORTS, *tables)


COMMON_WORDS = {code: common_words(code) for code in ("", *FIRST)}


def sex_of_name(name: str) -> str:
    """Of a first name in -a or -o, as most have it; "" of others."""
    first = plain(name.partition(" ")[0])
    if first in RELATIONS or first in OF_EITHER_SEX:
        return ""
    return {"a": "female", "o": "male"}.get(first[-1:], "")


def has_genitive_s(word: str, language: str) -> bool:
    return language in GENITIVE_S and word.endswith(ENDS_OF_S)


def is_genitive(name: str, relation: str, language: str) -> bool:
    """Whether a folded Slavic name is one by its ending: "Mii"; of a man's "Marka", too."""
    is_mans = language == "pl" and relation in MALE
    endings = (*GENITIVES, "a") if is_mans else GENITIVES
    return name.endswith(endings) and name not in NOMINATIVE_NAMES


def is_form(word: str, name: str, language: str) -> bool:
    """Whether a word is a folded first name, or one of its cases in a Slavic language.

    In a text of no known language that of a name in -a. A German genitive is one anywhere. "Paula" is another than Paul, and Lea than Leo.
    """
    if plain(word) == name:
        common = COMMON_BY_LANGUAGE.get(language, COMMON)
        in_lower_case = len(word) >= SHORTEST_NAME and name not in common
        return word[0].isupper() or in_lower_case
    if not word[0].isupper():
        return False
    if plain(word) == f"{name}s":
        return True
    end = next((end for end in REPLACED if name.endswith(end)), "")
    base = f"{name.removesuffix(end)}{REPLACED.get(end, '')}"
    of_a = end in {"a", "\u0430"}
    said, endings = word.lower(), CASES_OF_A if of_a else CASES
    is_stem = of_a and base.endswith("i") and len(base) >= SHORTEST_NAME
    declines = language in DECLINING or (of_a and not language)
    changed = CHANGED.get(base[-1:], "") if of_a else ""
    return declines and (
        (bool(changed) and plain(word) == f"{base[:-1]}{changed}")
        or (is_stem and said == base)
        or any(
            said.endswith(ending) and plain(said.removesuffix(ending)) == base
            for ending in endings
        )
    )
