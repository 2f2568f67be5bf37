"""The relatives and names in a text, word by word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from memory.judgement.judge import MARGINS, judge
from memory.subjects import UNSURE, Household, Subject, own_name
from memory.wording.person_words import (
    AFTER_MY,
    ANY_THIRD,
    AT_THE_AGE,
    CALLED,
    COMMON_WORDS,
    GERMAN_CHILDREN,
    HONORIFICS,
    JOINS,
    KIN_OF_KIN,
    LEADING,
    LITTLE,
    OF,
    POSSESSIVES,
    POSSESSIVES_OF,
    RELATIVES_IN_NOMINATIVE,
    SHORTEST_NAME,
    SOME_CHILD,
    THIRD,
    TITLES,
    WITH_POSSESSIVE,
    has_genitive_s,
    is_chain,
    is_form,
    is_genitive,
    language_by_words,
    relation_of,
)
from memory.wording.words import STOP_WORDS, USER, plain

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
PART = re.compile(r"[^\W_]+")
BREAK = re.compile(r"[,;:()]|\s[-–—]\s")
MOST_READ = 500  # characters, the most of a fact
LEAST_AFTER_RELATIVE = -0.6  # of a name: "my aunt Inge"
SURE_NAME = 0.5  # the margin of a name before a relative in its sentence


@dataclass(frozen=True)
class NamedPeople:
    """A text, read for the relatives and names in it."""

    text: str
    household: Household

    @cached_property
    def found(self) -> list[re.Match[str]]:
        words = WORD.finditer(self.text, 0, MOST_READ)
        return [part for word in words for part in self._parts(word)]

    def _parts(self, word: re.Match[str]) -> Iterator[re.Match[str]]:
        """A word with hyphens is one if it means a relative: "belle-mère"."""
        if "-" not in word[0] or relation_of(word[0], self.language):
            yield word
        else:
            yield from PART.finditer(self.text, word.start(), word.end())

    @cached_property
    def words(self) -> list[str]:
        return [plain(word[0]) for word in self.found]

    @cached_property
    def gaps(self) -> list[str]:
        return [self.text[a.end() : b.start()] for a, b in pairwise(self.found)]

    @cached_property
    def language(self) -> str:
        said = (self.text, self.household.said, self.household.before)
        return next(filter(None, map(language_by_words, said)), "")

    @cached_property
    def relations(self) -> list[str]:
        """Of each word, the relation that it means; "" if none."""
        read = [relation_of(word[0], self.language) for word in self.found]
        return [
            "" if relation == "child" and self._is_age(place) else relation
            for place, relation in enumerate(read)
        ]

    def _is_age(self, place: int) -> bool:
        """Whether "as a" or "als" is before "child"."""
        before = self.words[max(place - 2, 0) : place]
        if before[-1:] == ["a"] or before[-1:] == ["an"]:
            before.pop()
        return bool(before) and before[-1] in AT_THE_AGE.get(self.language, ())

    @cached_property
    def known_names(self) -> list[tuple[str, str]]:
        """The first names of the household, folded, with the names."""
        relatives = (r for r in self.household.relatives if not is_chain(r.name))
        known = (*self.household.people, *relatives)
        names = dict.fromkeys(person.name for person in known if person.name)
        return [(first, name) for name in names for first in own_name(name)[:1]]

    @cached_property
    def likeness_to_name(self) -> dict[str, float]:
        """The judged scores of all words that may be names."""
        common = COMMON_WORDS.get(self.language, COMMON_WORDS[""])
        words = [
            found[0]
            for place, found in enumerate(self.found)
            if found[0][0].isupper()
            and len(self.words[place]) >= SHORTEST_NAME + found[0].isupper()
            and not (self.relations[place] or self.words[place] in common)
        ]
        return {found.text: found.scores.get("name", -1) for found in judge(words)}

    def _written(self, place: int) -> str:
        return self.found[place][0].lower()

    def _is_in(self, place: int, words: frozenset[str]) -> bool:
        return self._written(place) in words or (
            self.words[place] in words and self._written(place).isascii()
        )

    def _is_third(self, place: int) -> bool:
        return self._is_in(place, THIRD.get(self.language, ANY_THIRD))

    def _is_of_relative(self, place: int) -> bool:
        """Whether "my" is that of "my older sister"."""
        is_genitive = self.words[place + 1 : place + 2] == ["s"]
        is_written = self.words[place] in USER
        if not is_written and (is_genitive or self._is_name_of_other(place)):
            return False  # "Mia's brother"
        alone = 0 if is_written else 2  # "User likes dogs"
        near = 3 if is_genitive else alone
        after = range(place + 1, min(place + near + 1, len(self.words)))
        following = takewhile(lambda n: self.words[n] not in JOINS, after)
        return self.words[place] in POSSESSIVES and (
            any(map(self._is_relative, following)) or self._is_sure_name(place + 1)
        )

    def _is_name_of_other(self, place: int) -> bool:
        """Whether it is a known name, and "my" in another language or at another place."""
        is_my = self.words[place] in POSSESSIVES_OF.get(self.language, POSSESSIVES)
        is_name = place > 0 and self.found[place][0][0].isupper()
        return (is_name or not is_my) and bool(self._known_name(place))

    def _is_sure_name(self, place: int) -> bool:
        """Whether a known or clear name is there, as in "our Arthur"."""
        if place >= len(self.words):
            return False
        score = self.likeness_to_name.get(self.found[place][0], -1)
        return score > SURE_NAME or bool(self._known_name(place))

    def _is_relative(self, place: int) -> bool:
        """Not "kind of", nor the French "son", nor "Frau" without "my"."""
        word = self.words[place]
        if not POSSESSIVES.isdisjoint(self.words[max(place - 2, 0) : place]):
            return bool(self.relations[place] or self._after_my(place))
        return bool(self.relations[place]) and not (
            self._is_third(place) or word in STOP_WORDS or word in WITH_POSSESSIVE
        )

    def _after_my(self, place: int) -> str:
        """The relation of "my eldest" and of "my other half"."""
        two = "_".join(self.words[place - 1 : place + 1])
        if self.found[place][0] in GERMAN_CHILDREN:  # not "mein kleiner Finger"
            return "child"
        return AFTER_MY.get(self.words[place]) or AFTER_MY.get(two, "")

    def _named(self, place: int) -> tuple[Subject | None, int]:
        """The relative or name at a place, and the place after it."""
        of_another = place > 0 and self._is_third(place - 1)
        if self._is_relative(place) or (of_another and self.relations[place]):
            return self._relative(place, of_another=of_another)
        if self._is_titled(place):  # "Frau Petersen"
            return Subject("", self._text(place, 2)), place + 2
        name = "" if self._is_of_relative(place) else self._name(place)
        if name:  # "mia madre" is not about Mia
            if end := self._end_of_chain(place):
                return self._of_chain(place, end), end
            little = self._word_before(place) in LITTLE
            return Subject("child" if little else "", name), place + 1
        return None, place + 1

    def _relative(self, place: int, *, of_another: bool) -> tuple[Subject, int]:
        relation = self.relations[place] or self._after_my(place)
        if self.words[place + 1 : place + 3] == ["in", "law"]:
            return Subject(f"{relation}-in-law"), place + 3
        if end := self._end_of_chain(place):
            return self._of_chain(place, end), end
        name, end = self._name_after(place)
        if of_another:
            named = Subject("", name, words=self._text(place - 1, 2))
            return (named if name else UNSURE), end
        return Subject(relation, name, words=self._called(place)), end

    def _end_of_chain(self, place: int) -> int:
        """Of "mother's sister", "siostra mojej mamy" and "brat Mii" the place after it; else 0."""
        end = place + 1
        if self._is_genitive(place):
            return end + 1
        while end < min(len(self.words), place + 4) and (
            self.words[end] in (OF | POSSESSIVES if end == place + 1 else OF | LEADING)
            and not self._is_name_of_other(end)
        ):
            end += 1
        if end == len(self.words) or BREAK.search("".join(self.gaps[place:end])):
            return 0
        if end == place + 1:
            return end + 1 if self._is_name_in_genitive(place, end) else 0
        of_name = self.words[place + 1] in OF - {"s"} and self._is_others(place)
        is_kid = self.words[place + 1] == "s" and self.words[end] in AFTER_MY
        is_chain = self.relations[end] or is_kid or (of_name and self._name(end))
        return end + 1 if is_chain else 0

    def _is_name_in_genitive(self, place: int, end: int) -> bool:
        """Whether a Slavic name after a relative says whose: "brat Mii", not "brat Adam"."""
        relatives = RELATIVES_IN_NOMINATIVE.get(self.language, frozenset())
        name, word = self._name(end, LEAST_AFTER_RELATIVE), self.words[end]
        if self.words[place] not in relatives or not (name and self._is_others(place)):
            return False
        if self._known_name(end):
            return plain(name.partition(" ")[0]) != word
        return is_genitive(word, self.relations[place], self.language)

    def _is_others(self, place: int) -> bool:
        """Whether a relative is not the user's: no "my" is before it."""
        before = self.words[max(place - 2, 0) : place]
        return bool(self.relations[place]) and POSSESSIVES.isdisjoint(before)

    def _is_genitive(self, place: int) -> bool:
        """Of "mums sister", "Mias Bruder" and "syn brata"."""
        if not any(self.relations[place + 1 : place + 2]) or self.gaps[place] != " ":
            return False
        return self._is_slavic_chain(place) or has_genitive_s(
            self.words[place], self.language
        )

    def _is_slavic_chain(self, place: int) -> bool:
        """As in "syn brata", whose second word is in no nominative."""
        relatives = RELATIVES_IN_NOMINATIVE.get(self.language, frozenset())
        return self.words[place] in relatives and self.words[place + 1] not in relatives

    def _of_chain(self, place: int, end: int) -> Subject:
        """The relative of a relative, whose own relation is known of some."""
        first, last = self.relations[place], self.relations[end - 1]
        is_owned = self.words[place + 1] == "s"
        if is_owned:
            last = last or AFTER_MY.get(self.words[end - 1], "")
        if is_owned or (self._is_genitive(place) and not self._is_slavic_chain(place)):
            first, last = last, first
        relation = KIN_OF_KIN.get(f"{first}-{last}", "")
        said = self._text(place, end - place)
        # With a capital, as what is stored begins with a relation in lower case.
        name = "" if relation else said[:1].upper() + said[1:]
        return Subject(relation, name, words=said)

    def _name_after(self, place: int) -> tuple[str, int]:
        """The name of a relative: "my daughter Mia", "my daughter is called Mia"."""
        after = place + 1
        if not CALLED.isdisjoint(self.words[after : after + 4]):
            while after < len(self.words) - 1 and not self.found[after][0][0].isupper():
                after += 1
        is_near = after < len(self.words)
        name = self._name(after, LEAST_AFTER_RELATIVE) if is_near else ""
        return name, after + 1 if name else place + 1

    def _is_titled(self, place: int) -> bool:
        return (
            self.words[place] in HONORIFICS
            and place + 1 < len(self.words)
            and self.found[place + 1][0][0].isupper()
            and self.words[place + 1] not in TITLES
        )

    def _name(self, place: int, margin: float = MARGINS["name"]) -> str:
        """The known name that a word is a form of, or a first name that is new."""
        if known := self._known_name(place):
            return known
        is_titled = place > 0 and self.words[place - 1] in TITLES | HONORIFICS
        if is_titled or self.words[place] in SOME_CHILD:
            return ""
        if place == 0 and any(map(self._is_third, range(1, len(self.words)))):
            margin = LEAST_AFTER_RELATIVE  # "Inge comes today, she …"
        word = self.found[place][0]
        return word if self.likeness_to_name.get(word, margin) > margin else ""

    def _known_name(self, place: int) -> str:
        """The whole name; the word itself if several people have it."""
        word = self.found[place][0]
        forms = {
            whole: first
            for first, whole in self.known_names
            if is_form(word, first, self.language)
        }
        exact = [whole for whole, first in forms.items() if first == self.words[place]]
        names = exact or list(forms)
        following = self.words[place + 1 : place + 2] or ["-"]
        whole = [name for name in names if plain(name).split()[1:2] == following]
        names = whole if len(whole) == 1 else names
        return names[0] if len(names) == 1 else word if names else ""

    def _word_before(self, place: int) -> str:
        """But for "my" and articles."""
        place = self._first_of_clause(place)
        return self.words[place - 1] if place > 0 else ""

    def _first_of_clause(self, place: int) -> int:
        while (
            place > 0
            and (self.words[place - 1] in LEADING or self._is_theirs(place))
            and not BREAK.search(self.gaps[place - 1])
        ):
            place -= 1
        return place

    def _is_theirs(self, place: int) -> bool:
        """Whether it is the relative of "her brother"."""
        return bool(self.relations[place]) and self._is_third(place - 1)

    def _text(self, place: int, count: int) -> str:
        last = self.found[min(place + count, len(self.found)) - 1]
        return self.text[self.found[place].start() : last.end()]

    def _called(self, place: int) -> str:
        """The relative as the user called them, like "my mother"."""
        first = place - 1 if place and self.words[place - 1] in POSSESSIVES else place
        return self._text(first, place - first + 1)
