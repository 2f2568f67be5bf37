# ruff: noqa: RUF001 - Russian letters are meant
"""Words of a text in any script, without the ones that say nothing.

Kept apart from the database's `simple` configuration, which has neither stop words nor
stems: both are chosen here, per query, and can change without a migration.
"""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")

ENGLISH = """
a about after again all also am an and any anything are aren as at be because been
before being between both but by can could couldn d did didn do does doesn doing don
during each else ever few for from further get give had hadn has hasn have haven having
he her here hers him his how i if in into is isn it its itself just kind know let ll lot
make many may me might mine more most much must my no nor not now of off on once one
only or other our ours out over own please re s same shall she should shouldn so some
something such t tell than that the their theirs them then there these they thing things
this those through to too under until up us ve very want was wasn way we were weren what
when where which while who whom whose why will with won would wouldn yet you your yours
"""
POLISH = """
a aby ale ani bardzo bez bo być był była było byli były będzie będę chcę ci ciebie cię
co coś czy dla do gdy gdzie go i ich im ile ja jak jaka jaki jakie jako je jego jej jest
jestem jeszcze jesteś już każdy kiedy kim kto która które który ma mam mamy masz mi mnie
mną moi moja moje mojej mojego moim może mu mój my na nad nam nas nasz nie nich nim niż
no o od on ona one oni ono oraz po pod przed przez przy proszę sam się są ta tak tam te
tego tej ten też to tobie tu tutaj twoja twoje twój ty tych tylko tym w we więc wszystko
wy z za ze że żeby
"""
RUSSIAN = """
а без бы был была были было быть в вам вас ваш весь во вот все всё вы где да для до его
ее её если есть еще ещё же за здесь и из или им их к как какая какие какой когда кто ли
меня мне мной мое моё моего моей мои мой моя мы на над нам нас наш не него нее неё нет
ни них но ну о об он она они оно от по под при про с сам себя со так также там те тебе
тебя то тобой тоже только том ты у уже что чтобы чем эта эти это этот я
"""
TALK = """
hello hi hey hiya thanks thank cheers welcome ok okay yes yeah yep nope bye goodbye good
great nice really quite well say says said see sure lol haha cześć hej witaj dzięki
dziękuję dobra dobrze spoko pa jasne fajnie super привет здравствуй здравствуйте спасибо
пока хорошо ладно ок ага отлично
"""
"""What people say to each other without saying anything."""
STOP_WORDS = frozenset((ENGLISH + POLISH + RUSSIAN + TALK).split())

ENDINGS = ("ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "ly", "s", "y", "e")
STEM = 4
"""An ending is only taken off where at least so many letters stay."""
LONG = 7
"""Longer stems lose up to two letters more: ibuprofenu, ibuprofenem, ibuprofen."""


JOINERS = "\u200c\u200d"
"""Format characters that change how a word reads; all others are dropped."""


def _kept(character: str) -> str:
    if character.isspace():
        return " "
    if character in JOINERS:
        return character
    dropped = unicodedata.category(character) in {"Cc", "Cf", "Cs"}
    return "" if dropped else character


def one_line(text: str) -> str:
    """The text without control characters and line breaks, white space collapsed."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = "".join(map(_kept, text))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def tokens(text: str) -> list[str]:
    """Every word and number, lower case, in order."""
    return WORD.findall(text.lower())


def content_tokens(text: str) -> list[str]:
    """The words that say something, each once, in order."""
    return [t for t in dict.fromkeys(tokens(text)) if t not in STOP_WORDS]


def stem(token: str) -> str:
    """What inflections of a word have in common, roughly; numbers stay as they are."""
    if any(character.isdigit() for character in token):
        return token
    for ending in ENDINGS:
        if token.endswith(ending) and len(token) - len(ending) >= STEM:
            token = token.removesuffix(ending)
            break
    return token[: max(LONG - 1, len(token) - 2)]
