"""Whom a text is about, by its words: the first whom it names, as a rule.

"I take my mother to the clinic" is about the user, "my mother takes me" about her. A text
that names no one is about whom the sentence before it is, or the conversation.
"""

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
from memory.wording.joint_sentences import (
    are_joined,
    begins_with_another,
    explains,
    is_another,
    is_called,
    tells_of_others,
)
from memory.wording.mentions import Mention, NamingText
from memory.wording.named_people import MOST_READ
from memory.wording.person_words import (
    ALSO,
    FEMALE,
    JOINS,
    MALE,
    NAMES_OF_SELF,
    PERSONS,
    PERSONS_OR_THINGS,
    REPORTS,
    sex_of_name,
)
from memory.wording.reading import reading_of
from memory.wording.words import RELATIONS, plain
from memory.wording.words import USER as USER_WORDS

LEAST_SAID = 2  # content words of a part of a sentence


def subject_of(text: str, household: Household) -> Subject:
    """Whom a fact is about; UNSURE where its words leave it open."""
    return _decided(text, household, _said_before(text, household))


def said_subject(about: str, text: str, household: Household) -> Subject | None:
    """Whom a model says that a text is about; None if it leaves it to the words."""
    if about.strip() == UNSURE_TEXT:
        return UNSURE
    mentions = list(NamingText(about, household).mentions())
    named = [m.subject for m in mentions if m.subject is not None and not m.of_user]
    of_user = any(mention.of_user for mention in mentions)
    if named:
        is_joint = of_user or not all(named[0].is_same(other) for other in named)
        return UNSURE if is_joint else household.resolved(named[0])
    if not about.strip():
        return None
    others = list(NamingText(text, household).mentions())
    if not others:
        return USER if of_user else UNSURE
    found = subject_of(text, household)
    if not found.unsure or not of_user:
        return found
    return UNSURE if any(m.of_user for m in others) else USER


def asked_about(question: str, household: Household) -> Subject | None:
    """Whom a question names, else the conversation's person; None if there is neither."""
    mentions = list(NamingText(question, household).mentions())
    mentions = [mention for mention in mentions if not mention.vague] or mentions
    for mention in mentions:
        if not mention.of_user:
            found = _meant(mention, household, [])
            if mention.subject is not None or mention.given or not found.unsure:
                return found
    if any(mention.of_user for mention in mentions):
        return USER
    persons = PERSONS | PERSONS_OR_THINGS
    is_other = any(mention.word in persons for mention in mentions)
    if is_other or NamingText(question, household).asks_of_some_child:
        return UNSURE
    return household.about


def asks_of_all(question: str) -> bool:
    """Whether the user asks of "us" alone: "What are we allergic to?"."""
    named = NamingText(question, NO_HOUSEHOLD)
    return any(named.mentions()) and all(map(named.is_of_us, named.mentions()))


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


def mentions_user(text: str, household: Household) -> bool:
    named = NamingText(text, household)
    is_named = any(mention.of_user for mention in named.mentions())
    return is_named or not NAMES_OF_SELF.isdisjoint(named.words)


def parts_of_subjects(sentence: str, household: Household = NO_HOUSEHOLD) -> list[str]:
    """The sentence, cut where a clause begins to speak of another.

    "Mia has asthma and Leo is allergic to nuts" has two.
    """
    named = NamingText(sentence, household)
    mentions = [mention for mention in named.mentions() if not mention.vague]
    parts, begin = [], 0
    for place, mention in enumerate(mentions[1:], start=1):
        earlier = [m for m in mentions[:place] if m.start >= begin]
        if not earlier or mention.reported:
            continue
        before, after = sentence[begin : mention.start], sentence[mention.start :]
        later = [m for m in mentions[place:] if m.start >= mention.start]
        if (
            is_another(named, earlier[0], mention)
            and _says(before, earlier, begin)
            and _says(after[:MOST_READ], later, mention.start)
            and _names_alone(after[:MOST_READ], mention, household)
        ):
            parts.append(_without_join(before))
            begin = mention.start
    return [*parts, sentence[begin:]]


def _names_alone(part: str, mention: Mention, household: Household) -> bool:
    """Whether the part is still of the user, or of another, when it is read by itself."""
    first = next(NamingText(part, household).mentions(), None)
    return first is not None and first.of_user == mention.of_user


def _says(part: str, mentions: Sequence[Mention], begin: int) -> bool:
    """Whether a part of a sentence says something besides whom it names."""
    for mention in reversed(mentions):
        end = mention.end - begin
        part = f"{part[: mention.start - begin]} {part[end:]}"
    words = _without_join(part).split()
    said = [word for word in words if plain(word.strip(",")) not in REPORTS]
    return bool(reading_of(" ".join(said)).stems)


def _decided(text: str, household: Household, before: Sequence[Subject]) -> Subject:
    named = NamingText(text, household)
    mentions = _speaking(named)
    if not mentions:
        known = next(iter(before), None) or household.about or USER
        return UNSURE if known.is_user and named.has_unknown_subject else known
    first, *later = mentions
    given = [mention for mention in later if mention.given and not mention.of_user]
    if first.of_user and is_called(named, first, later):
        return household.resolved(later[0].subject or UNSURE)
    if first.of_user and not later and (about := _done_for(named, first)):
        return about
    if first.of_user and not given:
        return UNSURE if tells_of_others(named, first, later) else USER
    chosen = given[0] if first.of_user else first
    chosen = next((_joined(chosen, m) for m in later if explains(chosen, m)), chosen)
    others = (m for m in later if begins_with_another(chosen, m))
    if are_joined(named, chosen, later) or any(
        _says_enough(text[m.start :]) for m in others
    ):
        return UNSURE
    return _meant(chosen, household, before)


def _done_for(named: NamingText, user: Mention) -> Subject | None:
    """For whom the user does it, or what "we" do."""
    about = named.household.about
    if about is None or about.is_user:
        return None
    if named.is_done_for_another(user):
        return about
    return UNSURE if named.is_of_us(user) else None


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
    for mention in reversed([*NamingText(household.before, earlier).mentions()]):
        if mention.subject is not None and not mention.of_user:
            yield household.resolved(mention.subject)


def _without_join(part: str) -> str:
    """The part of a sentence without "and" at its end."""
    words = part.rstrip(" ,;").split()
    while words and plain(words[-1].strip(",")) in JOINS:
        words.pop()
    return " ".join(words).rstrip(" ,;")
