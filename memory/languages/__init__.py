"""The words of all languages, joined from one module per language in LANGUAGES.

Words are in lower case. Those with a Russian yo are also listed with ye.
"""

import re
from collections.abc import Callable

from memory.languages import english, german, polish, russian, without_spaces

FLAGS = re.IGNORECASE | re.MULTILINE
Rules = tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]
LANGUAGES = (english, polish, russian, german)
CODES = ("en", "pl", "ru", "de")


def _words(name: str) -> frozenset[str]:
    listed = " ".join(getattr(language, name) for language in LANGUAGES)
    return frozenset(listed.split()) | frozenset(
        listed.replace("ё", "\N{CYRILLIC SMALL LETTER IE}").split()
    )


def _pattern(name: str) -> re.Pattern[str]:
    listed = (f"(?:{one})" for lang in LANGUAGES for one in getattr(lang, name))
    return re.compile("|".join(listed), FLAGS)


def _ending(name: str) -> re.Pattern[str]:
    """Patterns for the end of a text of words in lower case with one space between."""
    return re.compile(rf"\b(?:{_pattern(name).pattern})$", re.IGNORECASE)


def _ordered(name: str) -> tuple[re.Pattern[str], ...]:
    """Patterns with a place in an order, such as months."""
    return tuple(
        re.compile("|".join(same), re.IGNORECASE)
        for same in zip(*(getattr(lang, name) for lang in LANGUAGES), strict=True)
    )


def _forms(name: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in _words(name))


def _rewriting(name: str) -> Rules:
    return tuple(
        (re.compile(words, re.IGNORECASE), form)
        for language in LANGUAGES
        for words, form in getattr(language, name)
    )


STOP_WORDS = _words("STOP_WORDS") | _words("SMALL_TALK")
SMALL_TALK = _words("SMALL_TALK")
# Stop words of one language only, with its code.
LANGUAGE_OF = {
    word: code
    for code, language in zip(CODES, LANGUAGES, strict=True)
    for word in language.STOP_WORDS.split()
    if sum(word in other.STOP_WORDS.split() for other in LANGUAGES) == 1
}
FILLING = _words("FILLING")
AUXILIARIES = _words("AUXILIARIES")
SUFFIXES = tuple(
    suffix for language in LANGUAGES for suffix in language.SUFFIXES.split()
)
ENDINGS = _words("ENDINGS")

MONTHS = _ordered("MONTHS")
AMBIGUOUS_MONTHS = _words("AMBIGUOUS_MONTHS")
WEEKDAYS = _ordered("WEEKDAYS")
TIMES = _words("TIMES")
NUMBERS = _words("NUMBERS")
UNITS = _words("UNITS") | frozenset(without_spaces.UNITS.split())
NEGATIONS = _pattern("NEGATIONS")
LACKING = _pattern("LACKING")
NOT = tuple(
    (re.compile(form, re.IGNORECASE), plain)
    for language in LANGUAGES
    for form, plain in language.NOT
)
PAST = _words("PAST")
PAST_FORMS = _pattern("PAST_FORMS")
PAST_ENDINGS = tuple(sorted(_words("PAST_ENDINGS")))
FORMERLY = _pattern("FORMERLY")
WAS = _words("WAS")
IS = _words("IS")
PERFECT = _words("PERFECT")
PRESENT_ENDINGS = tuple(sorted(_words("PRESENT_ENDINGS")))
SIDES = _words("SIDES") | frozenset(without_spaces.SIDES.split())
OPPOSITES = _words("OPPOSITES")

USER = _words("USER")
RELATIVE_FORMS = _forms("RELATIVE_FORMS")
RELATIONS = _forms("RELATIONS")
RELATIVES = _words("RELATIVES")
FIRST_PERSON = _words("FIRST_PERSON")
FIRST_PERSON_ENDINGS = tuple(sorted(_words("FIRST_PERSON_ENDINGS")))
THIRD_PERSON = _words("THIRD_PERSON")
SECOND_PERSON = _rewriting("SECOND_PERSON")
AS_FACT = _rewriting("AS_FACT")  # of "I …" and "You …"
OF_WOMAN = _rewriting("OF_WOMAN")

HEALTH = _words("HEALTH")

FORGETTING = _pattern("FORGETTING")
REMINDER = _pattern("REMINDER")
TAKEN_BACK = _pattern("TAKEN_BACK")
SUPPOSED = _pattern("SUPPOSED")
UNCERTAIN = _pattern("UNCERTAIN")
PLAYED = _pattern("PLAYED")
RESUMED = _pattern("RESUMED")
JOKED = _pattern("JOKED")
LAUGHTER = _pattern("LAUGHTER")
PRESUPPOSED = _pattern("PRESUPPOSED")
LIKEWISE = _pattern("LIKEWISE")
CONDITION = _pattern("CONDITION")
NAMING = _words("NAMING")
STATES = " ".join(sorted(_words("STATES")))
ASKING = _words("ASKING")
JOINTS = _words("JOINTS")
WITH = _words("WITH")
REPORTED = _pattern("REPORTED")
# Words for the user in languages whose verbs say "I" by their ending.
USER_BY_ENDING = frozenset(
    word
    for language in LANGUAGES
    if language.FIRST_PERSON_ENDINGS
    for word in language.USER.split()
)
PEOPLE = _words("PEOPLE")
ROLES = _words("ROLES")
INSTRUCTIONS = re.compile(
    f"{_pattern('INSTRUCTIONS').pattern}|{without_spaces.INSTRUCTIONS}", FLAGS
)
ANSWERING = _pattern("ANSWERING")
ADDRESSED = _pattern("ADDRESSED")
REPORTS = _pattern("REPORTS")
PASSWORDS = _pattern("PASSWORDS")
PINS = _pattern("PINS")
COPULAS = _words("COPULAS")

FILES = _pattern("FILES")
RECALLING = _pattern("RECALLING")
OVERVIEW = _ending("OVERVIEW")
OVERVIEW_ALONE = _ending("OVERVIEW_ALONE")
ABOUT_USER = _pattern("ABOUT_USER")
OPENING_WORDS = _words("OPENING_WORDS") | SMALL_TALK
CLOSING_WORDS = _words("CLOSING_WORDS")
CONFIRMING = _words("CONFIRMING")
# At the beginning of a text or of a sentence, after words such as "oh" or "thanks".
_BEGINNING = (
    r"(?:\A|(?<=[.!?…。！？\n]))(?:[^\S\n]|[*_])*(?:(?:{})\b[\s,.!]*){{0,2}}".format(
        "|".join(sorted(map(re.escape, OPENING_WORDS)))
    )
)
TOPIC_MARKERS = re.compile(
    f"{_BEGINNING}(?:{_pattern('TOPIC_MARKERS').pattern}|{without_spaces.TOPIC_MARKERS})",
    re.IGNORECASE,
)
