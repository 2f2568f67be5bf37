"""The same for Polish, whose verbs carry the person and may stand anywhere."""

import re

QUESTION = re.compile(
    r"(?:co|kto|kim|czy|jak|jaki|jaka|jakie|jakim|kiedy|gdzie|dlaczego|czemu|ile|który"
    r"|która|które|powiedz|jeśli|jeżeli|gdyby|gdybym|może|skąd|po co)\b",
    re.IGNORECASE,
)
VERBS = {
    "jestem": ("jest", "jesteś"),
    "mam": ("ma", "masz"),
    "lubię": ("lubi", "lubisz"),
    "kocham": ("kocha", "kochasz"),
    "uwielbiam": ("uwielbia", "uwielbiasz"),
    "wolę": ("woli", "wolisz"),
    "nienawidzę": ("nienawidzi", "nienawidzisz"),
    "unikam": ("unika", "unikasz"),
    "mieszkam": ("mieszka", "mieszkasz"),
    "pracuję": ("pracuje", "pracujesz"),
    "studiuję": ("studiuje", "studiujesz"),
    "uczę": ("uczy", "uczysz"),
    "biorę": ("bierze", "bierzesz"),
    "przyjmuję": ("przyjmuje", "przyjmujesz"),
    "zażywam": ("zażywa", "zażywasz"),
    "stosuję": ("stosuje", "stosujesz"),
    "jem": ("je", "jesz"),
    "jadam": ("jada", "jadasz"),
    "piję": ("pije", "pijesz"),
    "palę": ("pali", "palisz"),
    "choruję": ("choruje", "chorujesz"),
    "cierpię": ("cierpi", "cierpisz"),
    "ćwiczę": ("ćwiczy", "ćwiczysz"),
    "biegam": ("biega", "biegasz"),
    "pływam": ("pływa", "pływasz"),
    "jeżdżę": ("jeździ", "jeździsz"),
    "chodzę": ("chodzi", "chodzisz"),
    "gram": ("gra", "grasz"),
    "śpię": ("śpi", "śpisz"),
    "ważę": ("waży", "ważysz"),
    "noszę": ("nosi", "nosisz"),
    "nazywam": ("nazywa", "nazywasz"),
    "pochodzę": ("pochodzi", "pochodzisz"),
    "toleruję": ("toleruje", "tolerujesz"),
    "planuję": ("planuje", "planujesz"),
    "mówię": ("mówi", "mówisz"),
}
_FIRST = re.compile(rf"\b(?:{'|'.join(VERBS)})\b|\b\w{{2,}}ł[ea]m\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:(?:cześć|hej|witaj|dzień dobry|no|tak|więc|też|a|i|ale|oraz|ja|wiesz|zapamiętaj"
    r"|pamiętaj|proszę|że|meddie|przy okazji|niestety|dodam)\b[\s,:!-]*)+",
    re.IGNORECASE,
)
_JOINT = re.compile(
    rf"(?:,\s*|\s+)(?:(?:a|i|oraz|ale)\s+)(?=(?:mój|moja|moje|moi|moim|nie|{'|'.join(VERBS)})\b)"
    rf"|,\s*(?=(?:mój|moja|moje|moi|moim|{'|'.join(VERBS)})\b)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"\s*\b(?:teraz|obecnie|aktualnie|właściwie|(?:tak )?naprawdę)\b", re.IGNORECASE
)
_PRESENTLY = re.compile(r"\bjestem (?:w|we|na|u)\b|\bmam ból", re.IGNORECASE)
_PASSING = re.compile(
    r"\b(?:dziś|dzisiaj|wczoraj|jutro|teraz|przed chwilą|mam (?:pytanie|problem|nadzieję"
    r"|prośbę|się|ochotę|katar|gorączkę)|jestem (?:bardzo )?(?:zmęczon|głodn|śpiąc|chętn"
    r"|ciekaw|pewn|zadowolon|smutn|gotow|w domu|w pracy)\w*"
    r"|(?:zapomnia|chcia|pyta|my[śs]la|napisa|zobaczy|powiedzia|by)ł[ea]m)\b",
    re.IGNORECASE,
)
_FEMALE = re.compile(r"łam\b|\bjestem (?:\w*na|chora|\w*ką)\b", re.IGNORECASE)
_MINE = re.compile(
    r"^(?P<my>mój|moja|moje|moi|moim|moją) (?P<who>\w+(?: \w+){0,2}?) (?P<rest>(?:nie )?(?:ma"
    r"|mają|jest|są|to|był|była|miał|miała|choruje|chorował|chorowała|cierpi|mieszka|pracuje"
    r"|nazywa|bierze|lubi|zmarł|zmarła|urodził|urodziła|przeszedł|przeszła|pali|je|pije)\b.+)",
    re.IGNORECASE,
)


def without_opening(text: str) -> str:
    """The text without "well, please remember that" and the like."""
    return _OPENING.sub("", text)


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that could stand alone."""
    whole = sentence if _PRESENTLY.search(sentence) else _ADVERB.sub("", sentence)
    pieces = (_OPENING.sub("", piece.strip(" ,")) for piece in _JOINT.split(whole))
    return [piece for piece in pieces if piece]


def statement(clause: str) -> tuple[str, str] | None:
    """The fact about the user and how to say it to them; None if it will not last."""
    if _PASSING.search(clause):
        return None
    if mine := _MINE.match(clause):
        who, rest = mine["who"], mine["rest"]
        fact = f"{who[0].upper()}{who[1:]} użytkownika {rest}"
        return fact, _yours(clause)
    verb = _FIRST.search(clause)
    if verb is None or len(clause[: verb.start()].split()) > 4:
        return None
    user = "Użytkowniczka" if _FEMALE.search(clause) else "Użytkownik"
    return f"{user} {_lower(_third(clause))}", _yours(_lower(_second(clause)))


def _third(clause: str) -> str:
    clause = _FIRST.sub(lambda verb: _form(verb[0], 0), clause)
    return re.sub(r"\bm(ó|o)j", r"sw\1j", clause, flags=re.IGNORECASE)


def _second(clause: str) -> str:
    return _FIRST.sub(lambda verb: _form(verb[0], 1), clause)


def _form(verb: str, person: int) -> str:
    if known := VERBS.get(verb.lower()):
        return known[person]
    stem, female = verb[:-2], verb.lower().endswith("łam")
    if person:
        return stem + ("aś" if female else "eś")
    return stem + ("a" if female else "")


def _yours(clause: str) -> str:
    return re.sub(r"\bm(ó|o)j", r"tw\1j", clause, flags=re.IGNORECASE)


def _lower(clause: str) -> str:
    return clause[:1].lower() + clause[1:]
