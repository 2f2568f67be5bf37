# ruff: noqa: RUF001 - Russian letters are meant
"""Whom a sentence is about: the user, somebody of whom there is one, or others."""

import re

_USER = """
user użytkownik użytkownika użytkowniczka użytkowniczki пользователь пользователя
пользовательница пользовательницы
"""
NAMES_OF_THE_USER = frozenset(_USER.split())
_ONE_OF_A_KIND = """
mother mom mum father dad husband wife spouse matka mama ojciec tata mąż żona
мать мама отец папа муж жена
"""
_ONE = "|".join(_ONE_OF_A_KIND.split())
_THE_USER = "|".join(NAMES_OF_THE_USER)
SINGLE = re.compile(
    rf"(?:the )?(?:{_THE_USER})|(?:the )?user's (?:{_ONE})|(?:{_ONE}) (?:{_THE_USER})",
    re.IGNORECASE,
)
_SEVERAL = """
brother sister sibling son daughter child kid children kids baby friend uncle aunt cousin
nephew niece grandmother grandfather grandma grandpa grandson granddaughter partner
girlfriend boyfriend colleague boss neighbour neighbor dog cat brat bratu brata siostra
siostry siostrę syn syna synowi córka córki córkę dziecko dzieci przyjaciel przyjaciółka
kolega koleżanka wujek ciocia babcia dziadek partner partnerka pies kot брат брата сестра
сестры сын сына дочь дочка дочери ребёнок ребенок дети друг подруга дядя тётя тетя
бабушка дедушка собака кошка
"""
SEVERAL = frozenset(_SEVERAL.split())
"""There can be two of them: what is said of one is not said of the other."""
_INFLECTED = """
mothers fathers parents family matki matkę mamy mamę ojca taty męża żony żonę rodzice
матери мамы отца папы мужа жены жену родители
"""
KIN = SEVERAL | frozenset((_ONE_OF_A_KIND + _INFLECTED).split())


_PARENTS = {
    "mom": "mother", "mum": "mother", "dad": "father", "mama": "matka",
    "tata": "ojciec", "taty": "ojca", "мама": "мать", "папа": "отец",
}  # fmt: skip


def as_mother(token: str) -> str:
    """Mother for mom, and father for dad; any other word as it is."""
    return _PARENTS.get(token, token)


def is_single(subject: str) -> bool:
    """Whether the subject is the user or a relative of whom there is one."""
    return SINGLE.fullmatch(subject.strip().replace("’", "'")) is not None
