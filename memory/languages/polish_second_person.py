"""A Polish fact as the user reads it, and what the user writes as a fact.

The second person is the third with "sz" or, in the past, "ś" at its end. Words of the
user of which no rule makes a fact are quoted.
"""

import re
from collections.abc import Callable

Rule = tuple[str, str | Callable[[re.Match[str]], str]]
_LETTER = "(?-i:[a-ząćęłńóśźż])"
_ADVERB = (
    r"((?:(?:nie|już|teraz|zawsze|nigdy|często|zwykle|też|dobrze|źle|\w+nie) ){0,2})"
)
_USER = rf"^użytkowni(?:k|czka) {_ADVERB}"
_ALONE = (
    r"\b(?!.*\b(?:(?:jego|jej|jemu|mu|on|ona|że|który|która)\b"
    r"|(?:i|a|ale|oraz|lub|bo) (?:(?:nie|się) )*(?:\w+uje\b|\w+ła?\b|\w+[aeiy] \w)))"
)
_NO_VERB = r"(?!(?:ani|ale|także|powinna|dobrze|źle|\w+(?:[oa]na|nie))\b)"
_NO_SZ = r"(?!(?:[nw]asz|tomasz|łukasz|eliasz|jonasz)\b)"  # endings, not "sz" of a verb
_NO_M = r"(?!(?:adam|sam|tam|program)\b)"
_PRESENT_IN_LA = "(?:działa|woła|wysyła)"
_RELATIVE = (
    "matka|mama|ojciec|tata|rodzice|mąż|żona|brat|siostra|syn|córka|dziecko|dzieci|babcia"
    "|dziadek|ciocia|wujek|przyjaciel|przyjaciółka|kolega|koleżanka|partner|partnerka|pies|kot"
)
_YOUR = {"tata": "Twój", "kolega": "Twój", "rodzice": "Twoi"} | dict.fromkeys(
    ("dziecko", "dzieci"), "Twoje"
)


def _your(found: re.Match[str]) -> str:
    word = found[1].lower()
    usual = "Twoja" if word.endswith("a") else "Twój"
    return f"{_YOUR.get(word, usual)} {word}"


def _second(ending: str) -> Callable[[re.Match[str]], str]:
    def words(found: re.Match[str]) -> str:
        text = f"{found[1]}{found[2]}{ending}"
        return text[:1].upper() + text[1:]

    return words


def _of(user: str, ending: str = "") -> Callable[[re.Match[str]], str]:
    return lambda found: f"{user} {found[1].lower()}{found[2].lower()}{ending}"


SECOND_PERSON: tuple[Rule, ...] = (
    (r"^użytkowni(?:k|czka) mówi: („.*”)$", r"\1"),
    (rf"^({_RELATIVE}) użytkowni(?:ka|czki)\b", _your),
    (rf"{_USER}(jest){_ALONE}", _second("eś")),
    (rf"{_USER}({_LETTER}*(?<!ó{_LETTER})ł){_ALONE}", _second("eś")),
    (rf"{_USER}(?!{_PRESENT_IN_LA}\b)({_LETTER}+ła){_ALONE}", _second("ś")),
    (
        rf"{_USER}{_NO_VERB}({_LETTER}+(?:[ae]|[^\Wgk]i|(?:[csr]z|ż)y)){_ALONE}",
        _second("sz"),
    ),
)
_OWN = (
    r"\b(?!.*\b(?:(?:m|tw)[oó][ij]\w*|mnie|mną|mi|ci|ciebie|cię|tobie|tobą"
    r"|(?:i|a|ale|oraz|lub|bo|że) (?:nie )?\w+(?:ę|[ae]m|sz|łe[mś]|ła[mś]))\b)"
)
_HOW = r"(?: \w+(?:ie|o))? (?:\w+[nt]|chor|zdrow)"  # an adjective without its ending
OF_WOMAN: tuple[Rule, ...] = (
    (rf"^użytkownik\b(?! {_ADVERB}(?:\w+ł|jest{_HOW}y)\b)", "Użytkowniczka"),
    (r"\bużytkownika\b", "użytkowniczki"),
)
AS_FACT: tuple[Rule, ...] = (
    (r"^„([^„”]+)”$", r"Użytkownik mówi: „\1”"),
    (
        rf"^(?:tw|m)(?:ój|oja|oje|oi) ({_RELATIVE})\b",
        lambda found: f"{found[1].capitalize()} użytkownika",
    ),
    (rf"^{_ADVERB}(jest)e[mś](?={_HOW}a\b){_OWN}", _of("Użytkowniczka")),
    (rf"^{_ADVERB}(jest)e[mś]{_OWN}", _of("Użytkownik")),
    (rf"^{_ADVERB}(\w+(?<!o[gs])ł)e[mś]{_OWN}", _of("Użytkownik")),
    (rf"^{_ADVERB}(?!{_PRESENT_IN_LA}[mś])(\w+ła)[mś]{_OWN}", _of("Użytkowniczka")),
    (rf"^{_ADVERB}{_NO_SZ}(\w+[aeiy])sz{_OWN}", _of("Użytkownik")),
    (rf"^{_ADVERB}{_NO_M}(\w+a|\w*je|\w*wie|(?:roz)?umie)m{_OWN}", _of("Użytkownik")),
    (rf"^{_ADVERB}(\w+[aeiuy]j)ę{_OWN}", _of("Użytkownik", "e")),
    (
        r"^((?:(?:ja|nie|już|od \w+) )*(?:\w+ę|\w+łe?m|\w+łam|mam|jestem|mieszkam|m[oó]j[ae]?|mnie)\b[^„”]*?)\.?$",
        r"Użytkownik mówi: „\1”",
    ),
)
