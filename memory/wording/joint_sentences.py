"""Whether a sentence speaks of several: the user and another, or one after another."""

from collections.abc import Sequence

from memory.wording.mentions import Mention, NamingText
from memory.wording.person_words import (
    BOTH,
    PERSONS,
    PERSONS_OR_THINGS,
    POSSESSIVES,
    POSSESSIVES_OF,
    PROFESSIONALS,
    SO,
    TITLES,
    WITH,
)
from memory.wording.words import USER as USER_WORDS

APPOSITION = 3  # words to a relative that explains a name
DOCTORS = PROFESSIONALS | TITLES


def is_another(named: NamingText, first: Mention, mention: Mention) -> bool:
    """Whether a mention begins to speak of another than the first one does."""
    if not first.of_user:
        return begins_with_another(first, mention)
    if not _may_be_another(named, mention):
        return False
    known = mention.subject and (mention.subject.relation or mention.subject.person_id)
    return named.goes_on(mention.last, with_verb=not known)


def _may_be_another(named: NamingText, mention: Mention) -> bool:
    """After the user: who begins a clause, but for "she" of a doctor named before."""
    if mention.of_user or mention.compared or not mention.begins:
        return False
    if mention.subject is not None and (
        mention.subject.unsure or mention.subject.words
    ):
        is_relative = mention.subject.relation
        return bool(is_relative) or named.goes_on(mention.last, with_verb=True)
    if mention.subject is not None:
        return True
    is_person = mention.word in PERSONS or (
        mention.word in PERSONS_OR_THINGS and named.household.about is not None
    )
    return is_person and not (
        not DOCTORS.isdisjoint(named.words[: mention.place])
        or any(m.place < mention.place and not m.of_user for m in named.mentions())
    )


def begins_with_another(chosen: Mention, mention: Mention) -> bool:
    if not mention.begins or mention.subject is None:
        return False
    if mention.of_user:
        return mention.is_nominative and not chosen.of_user
    return chosen.subject is None or not (
        chosen.subject.is_same(mention.subject) or explains(chosen, mention)
    )


def explains(chosen: Mention, mention: Mention) -> bool:
    """Whether a relative is who was just named: "Rosa, my daughter, …"."""
    named = bool(chosen.subject and chosen.subject.name and not chosen.subject.relation)
    is_near = mention.place - chosen.place <= APPOSITION
    return named and is_near and bool(mention.subject and not mention.subject.name)


def is_called(named: NamingText, first: Mention, later: Sequence[Mention]) -> bool:
    """Whether a name explains whom "our" means: "our tortoise, Lola, has drops"."""
    if not later or first.place or first.word not in POSSESSIVES:
        return False
    near, end = later[0].place <= APPOSITION, later[0].last
    is_name = later[0].begins and later[0].subject is not None
    is_apart = is_name and not later[0].of_user and end < len(named.gaps)
    return near and is_apart and named.gaps[end].startswith(",")


def tells_of_others(
    named: NamingText, first: Mention, later: Sequence[Mention]
) -> bool:
    """Whether the user speaks of another, too: "I have asthma, Leo eczema", "me and Leo"."""
    others = [mention for mention in later if not mention.of_user]
    for mention in others:
        is_so = not SO.isdisjoint(
            named.words[max(mention.place - 2, 0) : mention.place]
        )
        is_named = mention is others[0] and mention.last > mention.place
        tells = is_named or named.tells(mention.last)  # "and my wife Xarelto"
        if is_so or (tells and _may_be_another(named, mention)):
            return True
    if not later:
        is_own = first.word not in USER_WORDS or named.words[1:2] == ["s"]
        is_only = first.place == 0 and first.word in POSSESSIVES and is_own
        return is_only and named.has_unknown_subject
    return first.is_nominative and named.is_joined(first.last, later[0].place)


def are_joined(named: NamingText, chosen: Mention, later: Sequence[Mention]) -> bool:
    """Whether another and the user are one subject: "Ben and me", "both of us"."""
    own = POSSESSIVES_OF.get(named.language, POSSESSIVES)
    is_joined = any(
        m.of_user and m.word not in own and named.is_joined(chosen.last, m.place)
        for m in later
    )
    several = bool(later) or named.words[chosen.place - 1] in WITH
    return is_joined or (named.words[0] in BOTH and several)
