"""Whom a clause is about by its grammar: who comes before its verb."""

from collections.abc import Callable
from functools import cached_property

from memory.judgement.judge import MARGINS, judge
from memory.subjects import UNSURE, Subject
from memory.wording.named_people import BREAK, SURE_NAME, NamedPeople
from memory.wording.person_words import (
    ALSO,
    ANY_FIRST,
    COMMON_WORDS,
    FIRST,
    HAS,
    IS,
    JOINS,
    LEADING,
    OF_A_PERSON,
    PARTICIPLES,
    POSSESSIVES,
    PROFESSIONALS,
    SHORTEST_NAME,
    SOME_CHILD,
    SOMEONE,
    STRANGERS,
    SUBJECT_VERBS,
    WITH_POSSESSIVE,
    WORD_NAMES,
    has_genitive_s,
)

MOST_NOUNS = 4  # words: "the girl next door is diabetic"
NEAR_VERB = 3  # words from a verb to what it says
LIKE_NO_NAME = -1.05  # the score of a word that is known and no name
PARTNERS = {"husband", "wife"}


class ClauseSubjects(NamedPeople):
    """A text, read for who comes before its verbs."""

    def _named(self, place: int) -> tuple[Subject | None, int]:
        if end := self._end_of_stranger(place):
            is_own_doctor = self.words[place] in PROFESSIONALS
            if is_own_doctor or self.words[end - 1] not in STRANGERS | PROFESSIONALS:
                return UNSURE, end
            said = self._text(place, end - place)
            return Subject("", said[:1].upper() + said[1:], words=said), end
        return super()._named(place)

    def _is_of_relative(self, place: int) -> bool:
        after = range(place + 1, min(place + 3, len(self.words)))
        is_strangers = self.words[place] in POSSESSIVES and (
            any(map(self._end_of_stranger, after))
        )
        return is_strangers or super()._is_of_relative(place)

    def _is_relative(self, place: int) -> bool:
        """Also "a friend" and "the baby" as the subject of a clause."""
        if super()._is_relative(place):
            return True
        relation = self.relations[place]
        if self.words[place] not in WITH_POSSESSIVE or relation in {"", *PARTNERS}:
            return False
        before = range(place - 1, max(place - 3, -1), -1)
        article = next((n for n in before if self._is_article(n)), None)
        is_first = place == 0 and self._verb_after(place) != ""
        return is_first or (article is not None and self._begins(article))

    def _name(self, place: int, margin: float = MARGINS["name"]) -> str:
        """A name that is another word, too, or in lower case, only before a verb."""
        if self._known_name(place) or not self._begins(place):
            return super()._name(place, margin)
        word = self.found[place][0]
        if self.words[place] not in WORD_NAMES:
            name = super()._name(place, margin)
            return name or (word.title() if self._is_lower_name(place) else "")
        after = self.words[place + 1 : place + 3]
        if (after and after[0] in ALSO | {"s"}) or self._is_explained(place):
            return super()._name(place, margin) or word.title()
        if after and ":" in self.gaps[place]:
            return word.title() if _likeness(word) > SURE_NAME else ""
        verb = self._verb_after(place)
        is_own = verb in {"is", "has"} and self._has_user_after(place + 1)
        return word.title() if verb and verb != "is" and not is_own else ""

    def _is_explained(self, place: int) -> bool:
        """Whether "my daughter" is after a comma."""
        after = self.words[place + 1 : place + 3]
        is_my = after[:1] and after[0] in POSSESSIVES and len(after) > 1
        return bool(
            is_my and BREAK.search(self.gaps[place]) and self.relations[place + 2]
        )

    def _is_lower_name(self, place: int) -> bool:
        word = self.found[place][0]
        common = COMMON_WORDS.get(self.language, COMMON_WORDS[""])
        return (
            word.islower()
            and len(word) >= SHORTEST_NAME
            and not (self.relations[place] or self.words[place] in common | SOME_CHILD)
            and self._verb_after(place) != ""
            and _likeness(word) > SURE_NAME
        )

    def _verb_after(self, place: int) -> str:
        """What kind of verb of another is after a word: "person", "is", "has" or none."""
        after = place + 1
        while after < len(self.words) and self.words[after] in ALSO:
            after += 1
        if after >= len(self.words) or BREAK.search("".join(self.gaps[place:after])):
            return ""
        verb, near = self.words[after], self.words[after : after + NEAR_VERB + 1]
        if verb in self._of_a_person or (
            verb in IS and not self._of_a_person.isdisjoint(near)
        ):
            return "person"
        if verb in IS:
            return "is"
        return "has" if verb in self._subject_verbs else ""

    @cached_property
    def _subject_verbs(self) -> frozenset[str]:
        known = SUBJECT_VERBS.get(self.language)
        return known or frozenset().union(*SUBJECT_VERBS.values())

    @cached_property
    def _of_a_person(self) -> frozenset[str]:
        known = OF_A_PERSON.get(self.language)
        return known or frozenset().union(*OF_A_PERSON.values())

    def _is_article(self, place: int) -> bool:
        return self.words[place] in LEADING or self.words[place] == "a"

    def _has_user_after(self, place: int) -> bool:
        """But for "our" of a relative or a babysitter."""
        own = FIRST.get(self.language, ANY_FIRST)
        for n in range(place, len(self.words)):
            following = self.words[n + 1 : n + 2]
            is_others = self.words[n] in POSSESSIVES and (
                any(self.relations[n + 1 : n + 2])
                or not STRANGERS.isdisjoint(following)
            )
            if self._is_in(n, own) and not is_others:
                return True
        return False

    def _end_of_stranger(self, place: int) -> int:
        """The place after a teacher or "Will", who may be the subject of a clause; 0 if not."""
        if not (self._begins(place) or (place and self._begins(place - 1))):
            return 0
        known = STRANGERS | PROFESSIONALS | SOMEONE
        at = self._of_whose(place, lambda n: self.words[n] in known)
        is_name = self.words[place] in WORD_NAMES and not self._known_name(place)
        if at == place and is_name:
            verb, is_own = self._verb_after(place), self._has_user_after(place + 1)
            is_open = verb == ("has" if is_own else "is")
            return place + 1 if is_open and self.found[place][0][0].isupper() else 0
        word = self.words[at]
        is_told = word in PROFESSIONALS and not self._states(at)
        if is_told or (at == place and self._is_relative(place)):
            return 0
        is_stranger = word in known and not self._has_user_after(at + 1)
        return at + 1 if is_stranger else 0

    def _of_whose(self, place: int, known: Callable[[int], bool]) -> int:
        """The place of "teacher" in "Mia's new teacher"; the place itself if it is no name."""
        has_s = self.words[place + 1 : place + 2] == ["s"]
        is_genitive = has_s or (
            self.found[place][0][0].isupper()
            and has_genitive_s(self.words[place], self.language)
            and not self._verb_after(place)
        )
        first = place + 1 + has_s
        for near in range(first, min(first + 2, len(self.words)) * is_genitive):
            is_break = BREAK.search("".join(self.gaps[place:near]))
            if not is_break and known(near):
                return near
        return place

    def _end_of_chain(self, place: int) -> int:
        """Also of "Mia's best friend"."""
        end = super()._end_of_chain(place)
        at = end or self._of_whose(place, lambda n: bool(self.relations[n]))
        return end or (at + 1) * (at > place)

    def _states(self, place: int) -> bool:
        """Whether a doctor "takes" or "has", and not "has prescribed"."""
        verb = self._verb_after(place)
        if verb != "has":
            return verb == "person"
        is_auxiliary = self.words[place + 1] == HAS.get(self.language)
        said = place + 2 if self.language != "de" else len(self.words) - 1
        endings = tuple(PARTICIPLES.get(self.language, "").split())
        last = self.found[min(said, len(self.words) - 1)][0]
        return not (is_auxiliary and last.islower() and last.endswith(endings))

    @property
    def has_unknown_subject(self) -> bool:
        """Whether someone of no known word is who does it: "My tenant takes …"."""
        first = 0
        while first < len(self.words) - 1 and self._is_article(first):
            first += 1
        if self.words[first : first + 1] and self._is_some_child(first):
            return True
        if first:
            near = range(first, min(first + MOST_NOUNS, len(self.words) - 1))
            is_person = any(self._verb_after(n) == "person" for n in near)
            return is_person and not self._has_user_after(first)
        if len(self.words) <= 1 or self._verb_after(0) != "person":
            return False
        common = COMMON_WORDS.get(self.language, COMMON_WORDS[""])
        is_name = self.words[0] in WORD_NAMES or self.words[0] not in common
        return is_name and _likeness(self.found[0][0]) > LIKE_NO_NAME

    @property
    def asks_of_some_child(self) -> bool:
        """Whether "the youngest" is in a question, after its verb."""
        return any(
            self.words[n] in SOME_CHILD
            and (self._is_article(n - 1) or self.language == "pl")
            for n in range(1, len(self.words))
        )

    def _is_some_child(self, place: int) -> bool:
        """ "The youngest" or "Mała" before a verb, with up to two words between."""
        after = range(place, min(place + 2, len(self.words)))
        said = [n for n in after if self.words[n] in SOME_CHILD and self._verb_after(n)]
        return any(not self._is_age(n) for n in said)

    def goes_on(self, last: int, *, with_verb: bool) -> bool:
        """Whether a clause goes on after the word; `with_verb`, as after a new name."""
        if with_verb or self._verb_after(last):
            return bool(self._verb_after(last))
        following = self.words[last + 1 : last + 2]
        is_end = not following or BREAK.search(self.gaps[last])
        return not is_end and following[0] not in JOINS | ALSO

    def tells(self, last: int) -> bool:
        """Whether something is said of a word, perhaps without a verb: "Leo eczema"."""
        following = self.words[last + 1 : last + 2]
        is_also = bool(following) and following[0] in ALSO
        return is_also or self.goes_on(last, with_verb=False)

    def is_joined(self, last: int, place: int) -> bool:
        """Whether "and" alone is between two words."""
        return place == last + 2 and self._is_in(last + 1, JOINS)

    def _begins(self, place: int) -> bool:
        """Whether a clause begins there, but for "my" before it."""
        first = self._first_of_clause(place)
        if first == 0 or BREAK.search(self.gaps[first - 1]):
            return True
        return self._is_in(first - 1, JOINS)


def _likeness(word: str) -> float:
    (found,) = judge([word.title()])
    return found.scores.get("name", -1)
