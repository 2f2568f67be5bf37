"""Words of a text in any script: folded, without their endings, and by what they say."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from functools import lru_cache
from itertools import takewhile
from threading import Lock

import snowballstemmer

from memory.wording import lexicon

# Han, kana and hangul are written without spaces, or join particles to words.
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
DENSE = re.compile(f"[{CJK}]")
WORD = re.compile(r"[^\W_]+")
PIECE = re.compile(rf"[{CJK}]+|\d+|[^\W\d_{CJK}]+")
HIRAGANA = re.compile("[\u3040-\u309f]+")  # particles and endings of Japanese
NEAR_NEGATION = 3  # words between "not" and what it denies
STEM, LEAST = 5, 3  # letters of a stem that two texts share
SHOWS_LANGUAGE = 2000  # characters that show the language of a text
OFTEN = 8  # in so many words one stop word is the least
# Folding, of Python and of the search in PostgreSQL, whose expressions have \u, too.
# Marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, tatweel, soft hyphens and
# variants of emoji; marks of other scripts are vowels or tones, and й is a letter.
MARKS = (
    r"(?<!и)\u0306|[\u00ad\u0300-\u0305\u0307-\u036f\u0483-\u0489\u0591-\u05bd"
    r"\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    r"\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    r"\ufe00-\ufe0f\ufe20-\ufe2f]"
)
MARK = re.compile(MARKS)
# Letters without a decomposition. All minus signs are one.
LETTERS, PLAIN_LETTERS = "łøđðħŧıςیکىة\u2212\u2013", "loddhtiσيكيه--"
LIGATURES = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
PLAIN = str.maketrans({**dict(zip(LETTERS, PLAIN_LETTERS, strict=True)), **LIGATURES})
# German without umlauts: "Faehre"; "neue" and "Quelle" have none.
TYPED_UMLAUT = re.compile(r"(?<![aeiouyq])([aou])e(?=[a-z])")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def plain(text: str) -> str:
    """NFKC in lower case without accents, as search folds words."""
    if text.isascii():
        return text.lower()
    letters = MARK.sub("", unicodedata.normalize("NFKD", text).lower())
    return unicodedata.normalize("NFC", letters).translate(PLAIN)


def spellings(token: str) -> list[str]:
    """The plain word, and how else German has it with or without an umlaut."""
    word = plain(token)
    others = (TYPED_UMLAUT.sub(r"\1", word), plain(token.translate(UMLAUTS)))
    return list(dict.fromkeys((word, *others)))


def levelled(text: str) -> str:
    """Folded letter by letter, with one straight apostrophe, so that places stay."""
    return "".join((plain(letter) or letter)[:1] for letter in text).replace("’", "'")


def folded(words: str | Iterable[str]) -> frozenset[str]:
    """Words of the lexicon, as `plain` folds those of a text."""
    listed = words if isinstance(words, str) else " ".join(words)
    return frozenset(map(plain, listed.split()))


def folded_pairs(pairs: str) -> dict[str, str]:
    """Each word and what it means; a word alone means itself."""
    listed = (pair.partition("=") for pair in pairs.split())
    return {plain(word): meaning or word for word, _, meaning in listed}


def either(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


STOP_WORDS = frozenset(
    word
    for listed in (*lexicon.STOP_WORDS.values(), *lexicon.SMALL_TALK.values())
    for word in listed.split()
)


def _telling(*tables: Mapping[str, str]) -> dict[str, str]:
    """The language of each word that only one of them has."""
    words = [(word, code) for t in tables for code in t for word in t[code].split()]
    languages = defaultdict(set)
    for word, code in words:
        languages[word].add(code)
    return {word: code for word, code in words if len(languages[word]) == 1}


LISTED = list(dict.fromkeys([*lexicon.STOP_WORDS, *lexicon.SHOWING]))
LANGUAGE_OF = _telling(lexicon.STOP_WORDS)
SPOKEN = _telling(lexicon.STOP_WORDS, lexicon.SHOWING, lexicon.SMALL_TALK)
USER = folded(lexicon.USER)
ABBREVIATIONS, DOSES = folded(lexicon.ABBREVIATIONS), folded(lexicon.DOSES)
RELATIONS = folded_pairs(lexicon.RELATIONS)
FILLING = folded(lexicon.FILLING)
UNTELLING = folded(STOP_WORDS) | USER | FILLING
NEGATIONS, LACKING = either(lexicon.NEGATIONS), either(lexicon.LACKING)
ENDINGS = sorted(folded(lexicon.POLISH_ENDINGS), key=len, reverse=True)
STEMMING = Lock()  # a stemmer keeps the word in itself
ENGLISH, RUSSIAN = map(snowballstemmer.stemmer, ("english", "russian"))


def tokens(text: str) -> list[str]:
    """Words in lower case, with their accents."""
    if text.isascii():
        return WORD.findall(text.lower())
    letters = unicodedata.normalize("NFKC", text).lower()
    return WORD.findall(MARK.sub("", unicodedata.normalize("NFC", letters)))


def content_tokens(text: str) -> list[str]:
    """The words except stop words, each once, in order."""
    return [t for t in dict.fromkeys(tokens(text)) if t not in STOP_WORDS]


def language_of(text: str, showing: Mapping[str, str] = LANGUAGE_OF) -> str:
    """The code of the language that the stop words show; empty if they show none."""
    words = tokens(text[:SHOWS_LANGUAGE])
    counts = Counter(showing[word] for word in words if word in showing)
    ordered = sorted(counts, key=LISTED.index)  # of equal ones the first of the lexicon
    code = max(ordered, key=lambda known: counts[known], default="")
    count = counts[code]
    return code if count * OFTEN > len(words) else ""


def spoken_language(text: str) -> str:
    """The same of what a user says, in more languages; else by letters of one alone."""
    found = language_of(text, SPOKEN)
    letters = set(text[:SHOWS_LANGUAGE].lower())
    return found or next(
        (code for code, own in lexicon.LETTERS.items() if not letters.isdisjoint(own)),
        "",
    )


@lru_cache(maxsize=50_000)
def stem(token: str) -> str:
    """The beginning that inflections of a word share."""
    if any(character.isdigit() for character in token):
        return token
    snowball = RUSSIAN if "а" <= token[0] <= "я" else ENGLISH
    with STEMMING:
        stemmed = snowball.stemWord(token)
    letters = zip(token, stemmed, strict=False)
    beginning = token[: len(list(takewhile(lambda pair: pair[0] == pair[1], letters)))]
    if len(beginning) < LEAST:
        return token
    for ending in ENDINGS:
        if beginning.endswith(ending) and len(beginning) - len(ending) >= LEAST:
            return beginning.removesuffix(ending)
    return beginning


def negated(text: str) -> bool:
    return NEGATIONS.search(text) is not None


def stems_of(text: str) -> frozenset[str]:
    """Stems of content words; pairs of characters where there are no spaces."""
    return frozenset().union(*map(_stems_of_piece, PIECE.findall(plain(text))))


def shared_stems(ours: Set[str], theirs: Set[str]) -> list[str]:
    """Our stems that are also theirs, or a shorter or longer form of one."""
    near = forms_of(theirs)
    return [
        our for our in ours if our in near or not theirs.isdisjoint(forms_of_stem(our))
    ]


def grounded(fact: str, text: str) -> bool:
    """Whether the text has the stem of a content word, or a number, of the fact."""
    return bool(shared_stems(stems_of(fact), stems_of(text)))


def denies(clause: str, stems: Set[str]) -> bool:
    """Whether one "not" is near one of the words; two make a yes."""
    denials = [found.span() for found in NEGATIONS.finditer(clause)]
    if len(denials) != 1:
        return False
    if DENSE.search(clause):
        return True
    start, end = denials[0]
    after = [found[0] for found in WORD.finditer(clause, end)]
    before = [found[0] for found in WORD.finditer(clause[:start])]
    near = after[:NEAR_NEGATION] or before[-NEAR_NEGATION:]
    return bool(shared_stems(stems, stems_of(" ".join(near))))


def forms_of(stems: Collection[str]) -> set[str]:
    """The stems, and what shorter forms of their words begin with."""
    return set().union(*map(forms_of_stem, stems))


@lru_cache(maxsize=50_000)
def forms_of_stem(one: str) -> tuple[str, ...]:
    ends = () if one.isdigit() else range(LEAST, len(one))
    return (one, *(one[:end] for end in ends))


@lru_cache(maxsize=50_000)
def _stems_of_piece(piece: str) -> tuple[str, ...]:
    if not re.match(f"[{CJK}]", piece):
        return () if piece in UNTELLING else (stem(piece)[:STEM],)
    starts = range(max(len(piece) - 1, 1))
    pairs = (piece[start : start + 2] for start in starts)
    return tuple(p for p in pairs if p not in USER and not HIRAGANA.fullmatch(p))
