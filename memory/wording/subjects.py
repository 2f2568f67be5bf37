"""Whom a text is about, by its words: the first whom it names, as a rule.

"I take my mother to the clinic" is about the user, "my mother takes me" about her. A text
that names no one is about whom the sentence before it is, or the conversation.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memory.judgement.judge import belongs
from memory.subjects import UNSURE, USER, Household, Subject
from memory.wording import lexicon
from memory.wording.reading import reading_of
from memory.wording.words import (
    ENDINGS,
    RELATIONS,
    STOP_WORDS,
    WORD,
    folded,
    levelled,
    plain,
    spoken_language,
)
from memory.wording.words import USER as USER_WORDS

USER_WORDS_LISTED = "|".join(sorted(USER_WORDS))
LEADING = re.compile(
    rf"(?:(?:the|el|la|der|die|de|o|a|у)\s+|l['’])?(?:{USER_WORDS_LISTED})"
    r"(?:['’]s)?(?!\w)[\s:]*|(?:用户|ユーザー|使用者)[的のはが]?",
    re.IGNORECASE,
)
BREAK = re.compile(r"[,;:()]|\s[-–—]\s")
FIRST = {code: folded(words) for code, words in lexicon.ABOUT_USER.items()}
THIRD = {code: folded(words) for code, words in lexicon.THIRD_PERSON.items()}
ANY_FIRST = frozenset().union(*FIRST.values()) | USER_WORDS
ANY_THIRD = frozenset().union(*THIRD.values()) - ANY_FIRST
POLISH_PAST = re.compile(r"\w{2,}l[ae]m")  # "brałam", "miałem", as folded
REPORTS, GIVES, FOR = map(folded, (lexicon.REPORTS, lexicon.GIVES, lexicon.FOR))
JOINS, TITLES, OF = map(folded, (lexicon.JOINS, lexicon.TITLES, lexicon.OF))
CALLED, NOMINATIVES = folded(lexicon.CALLED), folded(lexicon.FIRST_PERSON)
POSSESSIVES = folded(lexicon.POSSESSIVES) | USER_WORDS
FEMALE, MALE = folded(lexicon.FEMALE), folded(lexicon.MALE)
NEAR = 4  # words between what the user gives and to whom
SHORTEST_NAME = 3  # letters, in lower case
LONGEST_ENDING = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """Of the user or another; without a subject, of one who was named before.

    `begins`: a clause; `given`: what the user gives or does is for them.
    """

    place: int  # of the word
    word: str  # folded
    subject: Subject | None
    begins: bool = False
    given: bool = False
    reported: bool = False  # what follows is reported by them

    @property
    def of_user(self) -> bool:
        return self.subject is not None and self.subject.is_user


def subject_of(text: str, household: Household) -> Subject:
    """Whom a fact is about; UNSURE where its words leave it open."""
    return _decided(text, household, _subject_before(text, household))


def asked_about(question: str, household: Household) -> Subject | None:
    """Whom a question names, else the conversation's person; None if there is neither."""
    mentions = list(_mentions(question, household))
    others = [mention for mention in mentions if not mention.of_user]
    for mention in others:
        found = _meant(mention, household, None)
        if mention.subject is not None or not found.unsure:
            return found
    return USER if len(mentions) > len(others) else household.about


def labelled(text: str, subject: Subject) -> str:
    """With whom it is about, unless it says so: "Mia: she takes montelukast"."""
    if subject.unsure or subject.is_user or names(text, subject):
        return text
    begins = text.split(maxsplit=1)[0] if text else ""
    if plain(begins) in ANY_THIRD:
        text = text[:1].lower() + text[1:]
    return f"{subject.label}: {text}"


def without_label(text: str, subject: Subject) -> str:
    """As said, for a list that is headed by the subject."""
    rest = text.removeprefix(f"{subject.label}: ")
    return rest[:1].upper() + rest[1:] if rest != text else text


def names(text: str, subject: Subject) -> bool:
    """Whether a text names the subject."""
    return any(
        mention.subject is not None and subject.is_same(mention.subject)
        for mention in _mentions(text, Household(relatives=[subject]))
        if not mention.of_user
    )


def shown_text(fact: str) -> str:
    """The fact without the user at its beginning: "Lives in Bergen", "Mother has asthma"."""
    found = LEADING.match(levelled(fact))
    rest = fact[found.end() :] if found else ""
    return rest[:1].upper() + rest[1:] if rest else fact


def _decided(text: str, household: Household, before: Subject | None) -> Subject:
    mentions = _without_reporters(list(_mentions(text, household)))
    if not mentions:
        return before or household.about or USER
    first, *later = mentions
    given = [mention for mention in later if mention.given and not mention.of_user]
    if first.of_user and not given:
        return USER
    chosen = given[0] if first.of_user else first
    if any(_begins_with_another(chosen, mention) for mention in later):
        return UNSURE
    return _meant(chosen, household, before)


def _without_reporters(mentions: list[Mention]) -> list[Mention]:
    """Without those who only tell of others: "I think my father …", "Dad says I …"."""
    while len(mentions) > 1 and mentions[0].reported:
        following = mentions[1]
        if following.of_user and following.word not in NOMINATIVES:
            break
        mentions = mentions[1:]
    return mentions


def _begins_with_another(chosen: Mention, mention: Mention) -> bool:
    if not mention.begins or mention.subject is None:
        return False
    if mention.of_user:
        return mention.word in NOMINATIVES
    return chosen.subject is None or not chosen.subject.is_same(mention.subject)


def _meant(mention: Mention, household: Household, before: Subject | None) -> Subject:
    if mention.subject is not None:
        return household.resolved(mention.subject)
    candidates = (before, household.about, *_named_last(household))
    for subject in candidates:
        if subject and not subject.is_user and _fits(mention.word, subject):
            return subject
    return UNSURE


def _fits(pronoun: str, subject: Subject) -> bool:
    """Whether a pronoun may stand for a relative, as far as the sex is known."""
    female, male = subject.relation in FEMALE, subject.relation in MALE
    if pronoun in MALE - FEMALE:
        return not female
    return not (male and pronoun in FEMALE - MALE)


def _subject_before(text: str, household: Household) -> Subject | None:
    """The subject of the sentences before the text in the message."""
    before = None
    for sentence in reading_of(household.said).sentences:
        if text.strip(" .!") in sentence:
            return before
        before = _decided(sentence, household, before)
    return None


def _named_last(household: Household) -> Iterator[Subject]:
    """Whom the message before is about, the last one first."""
    found: list[Subject] = []
    earlier = replace(household, before="", said=household.before)
    before = None
    for sentence in reading_of(household.before).sentences:
        before = _decided(sentence, earlier, before)
        found.append(before)
    yield from (subject for subject in reversed(found) if not subject.unsure)


def _mentions(text: str, household: Household) -> Iterator[Mention]:
    language = spoken_language(text) or spoken_language(household.said)
    first = FIRST.get(language, ANY_FIRST) | USER_WORDS
    third = THIRD.get(language, ANY_THIRD) - first
    found = list(WORD.finditer(text))
    words = [plain(word[0]) for word in found]
    gaps = [text[one.end() : two.start()] for one, two in pairwise(found)]
    skipped = 0
    for place, word in enumerate(words):
        if place < skipped:
            continue
        subject, end = _named_at(place, found, words, household, third)
        if subject is None:
            is_user = word in first or (
                language == "pl" and POLISH_PAST.fullmatch(word)
            )
            if is_user and not _is_of_relative(place, words, third):
                subject = USER
            elif word not in third:
                continue
        yield Mention(
            place,
            word,
            subject,
            begins=_begins(place, words, gaps),
            given=_is_given(place, words),
            reported=_reports(end, words),
        )
        skipped = end


def _named_at(
    place: int,
    found: Sequence[re.Match[str]],
    words: Sequence[str],
    household: Household,
    third: frozenset[str],
) -> tuple[Subject | None, int]:
    """The relative or name at a place, and the place after it."""
    word = words[place]
    relation = RELATIONS.get(word)
    if relation and _is_relative(place, words, third):
        if words[place + 1 : place + 3] == ["in", "law"]:
            return Subject(
                f"{relation}-in-law", words=_text(found, place, 3)
            ), place + 3
        if end := _end_of_chain(place, words):
            return Subject("", _text(found, place, end - place)), end
        name, end = _name_after(place, found, words, household)
        return Subject(relation, name, words=_said(place, found, words)), end
    if name := _name(found[place][0], household, titled=words[max(place - 1, 0)]):
        if end := _end_of_chain(place, words):
            return Subject("", _text(found, place, end - place)), end
        return Subject("", name), place + 1
    return None, place + 1


def _is_relative(place: int, words: Sequence[str], third: frozenset[str]) -> bool:
    """Not "kind of", nor "son" for "his", nor a word that only means one with "my"."""
    word = words[place]
    if words[max(place - 2, 0) : place] and not POSSESSIVES.isdisjoint(
        words[max(place - 2, 0) : place]
    ):
        return True
    return word not in third and word not in STOP_WORDS


def _is_of_relative(place: int, words: Sequence[str], third: frozenset[str]) -> bool:
    """Whether "my" is that of "my older sister"."""
    if words[place] not in POSSESSIVES:
        return False
    return any(
        words[n] in RELATIONS and _is_relative(n, words, third)
        for n in range(place + 1, min(place + 3, len(words)))
    )


def _end_of_chain(place: int, words: Sequence[str]) -> int:
    """Of "mother's sister" or "siostra mojej mamy" the place after it; else 0."""
    n = place + 1
    while n < min(len(words), place + 4) and words[n] in OF | POSSESSIVES:
        n += 1
    is_chain = n > place + 1 and n < len(words) and words[n] in RELATIONS
    return n + 1 if is_chain else 0


def _name_after(
    place: int,
    found: Sequence[re.Match[str]],
    words: Sequence[str],
    household: Household,
) -> tuple[str, int]:
    """The name of a relative: "my daughter Mia", "my daughter is called Mia"."""
    n = place + 1
    near = words[n : n + 4]
    if not CALLED.isdisjoint(near):
        while n < len(words) - 1 and not found[n][0][0].isupper():
            n += 1
    if n < len(words) and (name := _name(found[n][0], household)):
        return name, n + 1
    return "", place + 1


def _name(word: str, household: Household, titled: str = "") -> str:
    """The known name that a word is a form of, or a first name that is new."""
    folded_word = plain(word)
    for known in (*household.people, *household.relatives):
        first = known.name.partition(" ")[0]
        if first and _is_form(word, folded_word, first):
            return known.name
    if not word[0].isupper() or (word.isupper() and len(word) < SHORTEST_NAME):
        return ""
    if folded_word in STOP_WORDS | TITLES | ANY_FIRST | ANY_THIRD or titled in TITLES:
        return ""
    if folded_word in RELATIONS:
        return ""
    return word if belongs(word, "name") else ""


def _is_form(word: str, folded_word: str, name: str) -> bool:
    """Whether a word is a name, or one of its cases in Polish or German."""
    plain_name = plain(name)
    if folded_word == plain_name:
        return word[0].isupper() or (
            len(word) >= SHORTEST_NAME and folded_word not in STOP_WORDS
        )
    if (
        not word[0].isupper()
        or abs(len(folded_word) - len(plain_name)) > LONGEST_ENDING
    ):
        return False
    if folded_word == f"{plain_name}s":
        return True
    return not _stems(folded_word).isdisjoint(_stems(plain_name))


def _stems(word: str) -> set[str]:
    stems = {word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending)}
    if word.endswith("ek"):
        stems.add(f"{word[:-2]}k")
    return {s for s in {word, *stems} if len(s) >= SHORTEST_NAME - 1}


def _begins(place: int, words: Sequence[str], gaps: Sequence[str]) -> bool:
    """Whether a clause begins there, but for "my" before it."""
    while (
        place > 0
        and words[place - 1] in POSSESSIVES
        and not BREAK.search(gaps[place - 1])
    ):
        place -= 1
    if place == 0 or BREAK.search(gaps[place - 1]):
        return True
    return words[place - 1] in JOINS | REPORTS


def _is_given(place: int, words: Sequence[str]) -> bool:
    before = words[max(place - NEAR, 0) : place]
    near = [word for word in before if word not in POSSESSIVES]
    return bool(near) and (near[-1] in FOR or not GIVES.isdisjoint(before))


def _reports(end: int, words: Sequence[str]) -> bool:
    return not REPORTS.isdisjoint(words[end : end + 3])


def _text(found: Sequence[re.Match[str]], place: int, count: int) -> str:
    last = found[min(place + count, len(found)) - 1]
    return last.string[found[place].start() : last.end()]


def _said(place: int, found: Sequence[re.Match[str]], words: Sequence[str]) -> str:
    """The relative as the user called them, like "my mother"."""
    starts = place
    while starts > 0 and place - starts < 2 and words[starts - 1] in POSSESSIVES:
        starts -= 1
    return _text(found, starts, place - starts + 1)


def said_subject(about: str, text: str, household: Household) -> Subject | None:
    """Whom a model says that a text is about; None if it leaves it to the words."""
    named = [
        mention.subject
        for mention in _mentions(about, household)
        if mention.subject is not None and not mention.subject.is_user
    ]
    if named:
        return household.resolved(named[0])
    found = subject_of(text, household) if about else None
    return USER if found is not None and found.unsure else found
