"""Whom a text names, in order: the user, relatives, names, and pronouns for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory.subjects import USER, Subject
from memory.wording.clause_subjects import ClauseSubjects
from memory.wording.named_people import SURE_NAME
from memory.wording.person_words import (
    ALSO,
    ANY_FIRST,
    ANY_GIVES,
    ANY_VERB,
    FIRST,
    FIRST_PERSON_ENDINGS,
    FOR,
    GIVES,
    JOINS,
    LIKE,
    NOMINATIVES,
    POLISH_PAST,
    REFLEXIVES,
    REPORTS,
    SAME,
    THAT,
    VERBS,
    WE,
)
from memory.wording.words import USER as USER_WORDS

NEAR = 7  # words between what the user gives and to whom


@dataclass(frozen=True, slots=True)
class Mention:
    """Of the user or another; without a subject, of one whom a pronoun or verb means.

    `begins`: a clause, at `start`. It ends before `end`. `reported`: by "says" or the like. `given`: what the user gives or does is for them.
    `compared`: "like my son", "according to my son". `bare`: a verb alone.
    `vague`: it may be no name.
    """

    place: int
    last: int  # place
    start: int
    end: int
    word: str  # folded
    subject: Subject | None
    begins: bool = False
    reported: bool = False
    given: bool = False
    compared: bool = False
    bare: bool = False
    vague: bool = False

    @property
    def of_user(self) -> bool:
        return self.subject is not None and self.subject.is_user

    @property
    def is_nominative(self) -> bool:
        return self.word in NOMINATIVES


class NamingText(ClauseSubjects):
    """A text, read for whom it names."""

    def told_in(self, mentions: Sequence[Mention]) -> Sequence[Mention]:
        """Those after "says", "that" and the like; all if none is there."""
        for place in range(len(self.words) - 1, -1, -1):
            told = [mention for mention in mentions if mention.place > place]
            if self._is_by_another(place) and told and told[0].of_user:
                return told
            if self.words[place] not in REPORTS | THAT:
                continue
            while len(told) > 1 and told[0].of_user and not told[0].is_nominative:
                told = told[1:]  # "told me that Leo …"
            if told and self._is_told(told[0], place, mentions[0]):
                return told
        return mentions

    def _is_told(self, mention: Mention, place: int, teller: Mention) -> bool:
        """Whether what follows "says", or follows "that" at once, is told of them."""
        if self.words[place] in REPORTS and (mention.begins or mention.reported):
            return True
        is_named = mention.subject is not None and teller.subject is not None
        is_other = is_named and mention.of_user != teller.of_user
        return is_other and self._first_of_clause(mention.place) - 1 == place

    def _is_aside(self, place: int, last: int) -> bool:
        """Whether "her husband" explains a name, as it ends its clause."""
        is_theirs = place > 0 and self._is_theirs(place)
        return is_theirs and not self.goes_on(last, with_verb=False)

    def _is_by_another(self, place: int) -> bool:
        """Whether "according to him" is there."""
        near = range(place + 1, min(place + 3, len(self.words)))
        return self.words[place] in LIKE and any(map(self._is_third, near))

    def is_done_for_another(self, mention: Mention) -> bool:
        """As in "I think it is asthma"."""
        gives = GIVES.get(self.language, ANY_GIVES)
        following = self.words[mention.place : mention.place + 4]
        return not (gives | REPORTS).isdisjoint(following)

    def is_of_us(self, mention: Mention) -> bool:
        return mention.word in WE.get(self.language, frozenset())

    def mentions(self) -> Iterator[Mention]:
        yield from self._mentions

    @cached_property
    def _mentions(self) -> list[Mention]:
        return list(self._read())

    def _read(self) -> Iterator[Mention]:
        following = 0
        gives = GIVES.get(self.language, ANY_GIVES)
        for place, word in enumerate(self.words):
            if place < following:
                continue
            subject, following = self._named(place)
            if subject is None and self._is_user(place):
                subject = USER
            elif subject is None and not (
                (self._is_third(place) and not self._is_of_third(place))
                or self._is_bare_verb(place)
            ):
                continue
            last = max(following, place + 1) - 1
            yield Mention(
                place,
                last,
                self.found[self._first_of_clause(place)].start(),
                self.found[last].end(),
                word,
                subject,
                begins=self._begins(place) and not self._is_aside(place, last),
                reported=not REPORTS.isdisjoint(self.words[max(place - 3, 0) : place]),
                given=self._word_before(place) in FOR
                or (
                    self._is_third(place)
                    and not gives.isdisjoint(self.words[place + 1 : place + 2])
                )
                or not gives.isdisjoint(self.words[max(place - NEAR, 0) : place]),
                compared=self._is_compared(place),
                bare=subject is None and not self._is_third(place),
                vague=subject is not None and self._is_vague(place, subject),
            )

    def _is_user(self, place: int) -> bool:
        word = self.words[place]
        own = FIRST.get(self.language, ANY_FIRST)
        is_user = self._is_in(place, own) or word in USER_WORDS
        past = self.language == "pl" and word.endswith(POLISH_PAST) and len(word) > 5
        is_user = is_user or past or self._is_told_verb(place)
        return is_user and not self._is_of_relative(place)

    def _is_told_verb(self, place: int) -> bool:
        """Whether "dice que ronco" has a verb of the first person there."""
        endings = FIRST_PERSON_ENDINGS.get(self.language)
        if endings is None or self.relations[place]:
            return False
        before = place - 1
        while before > 0 and self.words[before] in JOINS | ALSO | REFLEXIVES:
            before -= 1
        told = before >= 0 and before < place - 1 and self.words[before] in REPORTS
        return told and self._written(place).endswith(endings)

    def _is_of_third(self, place: int) -> bool:
        """Whether "her" is that of "her husband"."""
        following = self.relations[place + 1 : place + 2]
        return self._is_third(place) and any(following)

    def _is_bare_verb(self, place: int) -> bool:
        """Whether a text begins with a verb that leaves out whom it is about."""
        first = all(word in JOINS | ALSO for word in self.words[:place])
        return first and self._is_in(place, VERBS.get(self.language, ANY_VERB))

    def _is_compared(self, place: int) -> bool:
        """Whether "like", or "igual que", is before it."""
        first = self._first_of_clause(place)
        *_, earlier, before = ("", "", *self.words[:first])
        near = self.words[max(first - 4, 0) : max(first - 1, 0)]
        is_same = earlier in LIKE or not SAME.isdisjoint(near)
        return before in LIKE or (before in THAT and is_same)

    def _is_vague(self, place: int, subject: Subject) -> bool:
        """Whether a name is new, and may be another word."""
        if self._known_name(place) or not subject.name or subject.words:
            return False
        score = self.likeness_to_name.get(self.found[place][0], 1)
        is_new = not (subject.relation or subject.person_id or subject.unsure)
        return is_new and score < SURE_NAME
