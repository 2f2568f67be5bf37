"""Whom a text is about, by its words: the first whom it names, as a rule.

"I take my mother to the clinic" is about the user, "my mother takes me" about her. A text
that names no one is about whom the sentence before it is, or the conversation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memory.subjects import (
    NO_HOUSEHOLD,
    UNSURE,
    UNSURE_TEXT,
    USER,
    Household,
    Subject,
)
from memory.wording import lexicon
from memory.wording.mentions import Mention, NamingText
from memory.wording.named_people import MOST_READ
from memory.wording.person_words import (
    ALSO,
    ANY_THIRD,
    FEMALE,
    JOINS,
    MALE,
    NOMINATIVES,
    POSSESSIVES,
    sex_of_name,
)
from memory.wording.reading import reading_of
from memory.wording.words import RELATIONS, folded, folded_pairs, levelled, plain
from memory.wording.words import USER as USER_WORDS

LEADING = re.compile(
    rf"(?:(?:the|el|la|der|die|de|o|a|у)\s+|l['’])?(?:{'|'.join(sorted(USER_WORDS))})"
    r"(?:['’]s)?(?!\w)[\s:]*|(?:用户|ユーザー|使用者)[的のはが]?",
    re.IGNORECASE,
)
OTHERS_AS_SUBJECT = folded(lexicon.OTHERS_AS_SUBJECT)
THIRD_PERSON_VERBS = folded_pairs(lexicon.THIRD_PERSON_VERBS)
BEGINNING = re.compile(r"([^\W\d_]+)(?:\s+|(?='))")
FIRST_PERSON = re.compile(r"\b(?:i|my|me|myself|we|our)\b")
CONTRACTED = re.compile(r"'(?:s|re|m)\s+(had|been|got)?")
LEAST_SAID = 2  # content words of a part of a sentence
LONGEST_LABEL = 3  # words, as in "my daughter Mia"
APPOSITION = 3  # words to a relative that explains a name


def subject_of(text: str, household: Household) -> Subject:
    """Whom a fact is about; UNSURE where its words leave it open."""
    return _decided(text, household, _said_before(text, household))


def said_subject(about: str, text: str, household: Household) -> Subject | None:
    """Whom a model says that a text is about; None if it leaves it to the words."""
    if about.strip() == UNSURE_TEXT:
        return UNSURE
    mentions = list(NamingText(about, household).mentions())
    named = [m.subject for m in mentions if m.subject is not None and not m.of_user]
    if named:
        return household.resolved(named[0])
    found = subject_of(text, household) if about else None
    is_user = any(mention.of_user for mention in mentions)
    return USER if found is not None and found.unsure and is_user else found


def asked_about(question: str, household: Household) -> Subject | None:
    """Whom a question names, else the conversation's person; None if there is neither."""
    mentions = list(NamingText(question, household).mentions())
    for mention in mentions:
        if not mention.of_user:
            found = _meant(mention, household, [])
            if mention.subject is not None or not found.unsure:
                return found
    return USER if any(m.of_user for m in mentions) else household.about


def speaks_of_another(text: str, household: Household) -> bool:
    """Whether it names a relative first, begins with a name, or means one by a pronoun."""
    mentions = _speaking(NamingText(text, household))
    if not mentions or mentions[0].of_user or mentions[0].vague:
        return False
    first, *later = mentions
    is_name = first.subject is not None and not first.subject.relation
    said_by_them = any(m.of_user and m.begins for m in later)  # "Tom: I'm vegan"
    is_told = (first.begins or first.reported) and not said_by_them
    return is_told if is_name else True


def mentions_another(text: str, household: Household = NO_HOUSEHOLD) -> bool:
    """Whether a text names a relative or another at all, or means one by a pronoun."""
    mentions = NamingText(text, household).mentions()
    return any(not (mention.of_user or mention.vague) for mention in mentions)


def parts_of_subjects(sentence: str, household: Household = NO_HOUSEHOLD) -> list[str]:
    """The sentence, cut where a clause begins to speak of another.

    "Mia has asthma and Leo is allergic to nuts" has two.
    """
    named = NamingText(sentence, household)
    mentions = [mention for mention in named.mentions() if not mention.vague]
    parts, begin = [], 0
    for place, mention in enumerate(mentions[1:], start=1):
        earlier = [m for m in mentions[:place] if m.start >= begin]
        another = earlier and _begins_with_another(earlier[0], mention)
        if not another or mention.reported:
            continue
        before = sentence[begin : mention.start]
        after = sentence[mention.start : mention.start + MOST_READ]
        if min(len(reading_of(part).stems) for part in (before, after)) >= LEAST_SAID:
            parts.append(_without_join(before))
            begin = mention.start
    return [*parts, sentence[begin:]]


def labelled(text: str, subject: Subject) -> str:
    """With whom it is about, unless it says so: "Mia: she takes montelukast"."""
    if subject.unsure or subject.is_user or names(text, subject):
        return text
    first = text.split(maxsplit=1)[0] if text else ""
    if plain(first) in ANY_THIRD:
        text = text[:1].lower() + text[1:]
    return f"{subject.label}: {text}"


def without_label(text: str, subject: Subject) -> str:
    """As said, for a list that is headed by the subject."""
    label, colon, rest = text.partition(": ")
    is_label = label == subject.label or (
        len(label.split()) <= LONGEST_LABEL and names(label, subject)
    )
    return rest[:1].upper() + rest[1:] if colon and is_label else text


def without_user(text: str) -> str:
    """For a fact that moves to another: "Takes ramipril" of "User takes ramipril"."""
    shown = shown_text(text)
    first = next(iter(NamingText(text, NO_HOUSEHOLD).mentions()), None)
    if shown != text or first is None or not first.of_user:
        return shown
    word, _space, rest = text.partition(" ")
    says_user = levelled(word).partition("'")[0] in NOMINATIVES | POSSESSIVES
    return rest[:1].upper() + rest[1:] if says_user and rest else text


def names(text: str, subject: Subject) -> bool:
    """Whether a text names the subject."""
    return any(
        mention.subject is not None and subject.is_same(mention.subject)
        for mention in NamingText(text, Household(relatives=[subject])).mentions()
    )


def shown_text(fact: str) -> str:
    """The fact without the user at its beginning: "Lives in Bergen", "Mother has asthma"."""
    found = LEADING.match(levelled(fact))
    rest = fact[found.end() :] if found else ""
    return rest[:1].upper() + rest[1:] if rest else fact


def in_third_person(text: str) -> str:
    """As a doctor reads it: "Takes …" for "I take …"; as said where that needs grammar."""
    plain_text = levelled(text)
    found = BEGINNING.match(plain_text)
    if found is None or found[1] not in OTHERS_AS_SUBJECT | {"i"}:
        return text
    rest, folded_rest = text[found.end() :], plain_text[found.end() :]
    if contracted := CONTRACTED.match(folded_rest):
        verb = "has" if contracted[1] else "is"
        rest = f"{verb} {rest[contracted.end() - len(contracted[1] or '') :]}"
    elif found[1] == "i":
        verb, space, others = rest.partition(" ")
        if verb.lower() not in THIRD_PERSON_VERBS:
            return text
        rest = f"{THIRD_PERSON_VERBS[verb.lower()]}{space}{others}"
    if found[1] == "i" and FIRST_PERSON.search(levelled(rest)):
        return text
    return rest[:1].upper() + rest[1:]


def _decided(text: str, household: Household, before: Sequence[Subject]) -> Subject:
    mentions = _speaking(NamingText(text, household))
    if not mentions:
        return next(iter(before), None) or household.about or USER
    first, *later = mentions
    given = [mention for mention in later if mention.given and not mention.of_user]
    if first.of_user and not given:
        return USER
    chosen = given[0] if first.of_user else first
    chosen = next((_joined(chosen, m) for m in later if _explains(chosen, m)), chosen)
    others = (m for m in later if _begins_with_another(chosen, m))
    if any(_says_enough(text[mention.start :]) for mention in others):
        return UNSURE
    return _meant(chosen, household, before)


def _speaking(named: NamingText) -> list[Mention]:
    """Without what is compared, and those who only tell: "I think my father …"."""
    mentions = list(named.mentions())
    mentions = [mention for mention in mentions if not mention.compared] or mentions
    mentions = [mention for mention in mentions if not mention.vague] or mentions
    if len(mentions) > 1 and mentions[0].bare and not mentions[1].bare:
        mentions = mentions[1:]  # "le gambe di mio nonno"
    is_written = mentions and mentions[0].of_user and mentions[0].word in USER_WORDS
    if is_written:  # by a model: "User thinks that …"
        return mentions[:1]
    return list(named.told_in(mentions))


def _says_enough(clause: str) -> bool:
    """Unlike "…, I think", but like "…, me too"."""
    is_also = not ALSO.isdisjoint(map(plain, clause.split()))
    return is_also or len(reading_of(clause).stems) >= LEAST_SAID


def _begins_with_another(chosen: Mention, mention: Mention) -> bool:
    if not mention.begins or mention.subject is None:
        return False
    if mention.of_user:
        return mention.is_nominative and not chosen.of_user
    return chosen.subject is None or not (
        chosen.subject.is_same(mention.subject) or _explains(chosen, mention)
    )


def _explains(chosen: Mention, mention: Mention) -> bool:
    """Whether a relative is who was just named: "Rosa, my daughter, …"."""
    named = bool(chosen.subject and chosen.subject.name and not chosen.subject.relation)
    is_near = mention.place - chosen.place <= APPOSITION
    return named and is_near and bool(mention.subject and not mention.subject.name)


def _joined(chosen: Mention, explaining: Mention) -> Mention:
    """The one who was named, with the relation: "Lucie, a friend of mine, …"."""
    name = chosen.subject.name if chosen.subject else ""
    relation = explaining.subject.relation if explaining.subject else ""
    return replace(chosen, subject=Subject(relation, name))


def _meant(
    mention: Mention, household: Household, before: Sequence[Subject]
) -> Subject:
    if mention.subject is not None:
        return household.resolved(mention.subject)
    near = _fitting(mention.word, before)
    if near:
        return UNSURE if _is_open(mention, near) else near[0]
    if about := _fitting(mention.word, [household.about]):
        return about[0]
    earlier = _fitting(mention.word, _named_last(household))
    if not earlier or _is_open(mention, earlier):
        return UNSURE
    return earlier[0]


def _fitting(pronoun: str, known: Iterable[Subject | None]) -> list[Subject]:
    others = (s for s in known if s and not (s.is_user or s.unsure))
    return [subject for subject in others if _fits(pronoun, subject)]


def _is_open(mention: Mention, fitting: Sequence[Subject]) -> bool:
    """Whether a pronoun may stand for several, of one of whom the sex is not known.

    A verb alone goes on about the last one.
    """
    first, pronoun = fitting[0], mention.word
    if mention.bare and pronoun not in MALE ^ FEMALE:
        return False
    several = any(not first.is_same(subject) for subject in fitting)
    return several and not (_sexes(first) and pronoun in MALE ^ FEMALE)


def _fits(pronoun: str, subject: Subject) -> bool:
    """Whether a pronoun may stand for them, as far as the sex is known."""
    sexes = _sexes(subject)
    female, male = "female" in sexes, "male" in sexes
    if pronoun in MALE - FEMALE:
        return not female
    return not (male and pronoun in FEMALE - MALE)


def _sexes(subject: Subject) -> set[str]:
    words = {subject.relation, *map(plain, subject.words.split())}
    relations = words | {RELATIONS.get(word, word) for word in words}
    sexes = {"female": FEMALE, "male": MALE}
    found = {sex for sex, known in sexes.items() if relations & known}
    return found or set(filter(None, [sex_of_name(subject.name)]))


def _said_before(text: str, household: Household) -> list[Subject]:
    """The subjects of the sentences before the text in the message, the last one first."""
    before: list[Subject] = []
    for sentence in reading_of(household.said).sentences:
        for part in parts_of_subjects(sentence, household):
            if text.strip(" .!") in part:
                return before
            before.insert(0, _decided(part, household, before))
    return []


def _named_last(household: Household) -> Iterator[Subject]:
    """Whom the message before is about, and whom it names; the last one first."""
    earlier = replace(household, before="", said=household.before)
    before: list[Subject] = []
    for sentence in reading_of(household.before).sentences:
        for part in parts_of_subjects(sentence, earlier):
            before.insert(0, _decided(part, earlier, before))
    yield from before
    for mention in NamingText(household.before, earlier).mentions():
        if mention.subject is not None and not mention.of_user:
            yield household.resolved(mention.subject)


def _without_join(part: str) -> str:
    """The part of a sentence without "and" at its end."""
    words = part.rstrip(" ,;").split()
    while words and plain(words[-1].strip(",")) in JOINS:
        words.pop()
    return " ".join(words).rstrip(" ,;")
