"""Whom facts are about, as values (decision 60). `memory.wording.subjects` finds it in texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Self
from uuid import UUID

from memory.wording.words import RELATIONS, plain

UNSURE_TEXT = "?"
SUBJECT_LIMIT = 255  # characters, as of a Person's name
NAMED = frozenset(RELATIONS.values())
ALSO_CALLED = {
    "child": {"son", "daughter", "child"},
    "partner": {"husband", "wife", "partner", "girlfriend", "boyfriend"},
    "sibling": {"brother", "sister"},
}
"""Relations that a wider word may mean."""
AT_HOME = frozenset(
    [
        "child",
        "son",
        "daughter",
        "husband",
        "wife",
        "partner",
        "girlfriend",
        "boyfriend",
        "mother",
        "father",
        "parents",
        "brother",
        "sister",
        "sibling",
        "twin",
        "grandmother",
        "grandfather",
        "stepson",
        "stepdaughter",
        "stepmother",
        "stepfather",
        "stepchild",
    ]
)
"""Of those who are often Persons of a space."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The user, unless something is given.

    `relation` is in English, as in `lexicon.RELATIONS`, `name` as said, `person_id` that
    of a Person of the space. `words` are how the user called them, as in "my mother".
    """

    relation: str = ""
    name: str = ""
    person_id: UUID | None = None
    unsure: bool = False
    words: str = field(default="", compare=False)

    @classmethod
    def read(cls, text: str | None, person_id: UUID | None = None) -> Self:
        """Of a column or a line of an export."""
        if text is None or text == UNSURE_TEXT:
            return cls(unsure=True)
        first, _, rest = text.partition(" ")
        if first in NAMED:
            return cls(first, rest, person_id)
        return cls("", text, person_id)

    @property
    def text(self) -> str:
        """As stored: "daughter Mia", "mother", "Leo", "" for the user, "?" if unsure."""
        if self.unsure:
            return UNSURE_TEXT
        return " ".join(filter(None, (self.relation, self.name)))[:SUBJECT_LIMIT]

    @property
    def digest(self) -> str:
        """For events, which keep no names."""
        return sha256(f"{self.text} {self.person_id or ''}".encode()).hexdigest()

    @property
    def is_user(self) -> bool:
        return self == USER

    @property
    def label(self) -> str:
        """What a line begins with that does not name them."""
        return self.name or self.words or self.relation

    def is_same(self, other: "Subject") -> bool:
        """Whether both may be one: "my daughter" and Mia, of whom it is known."""
        if self.unsure or other.unsure or self.is_user or other.is_user:
            return self == other
        if self.person_id and other.person_id:
            return self.person_id == other.person_id
        if self.name and other.name:
            share_only = _shares_name(self, other) or _shares_name(other, self)
            is_one = same_name(self.name, other.name) and may_be(self, other)
            return is_one and not share_only
        return bool(self.relation and other.relation) and may_be(self, other)


USER = Subject()
UNSURE = Subject(unsure=True)


def same_name(one: str, other: str) -> bool:
    """Whether they are equal, or one is the first name of the other."""
    ours, theirs = own_name(one), own_name(other)
    shared = min(len(ours), len(theirs))
    return ours[:shared] == theirs[:shared]


def _shares_name(relative: Subject, person: Subject) -> bool:
    """Whether "my aunt Anna" has no more than a name in common with a Person."""
    is_unknown = person.person_id is not None and not person.relation
    return is_unknown and relative.relation not in AT_HOME | {""}


def own_name(name: str) -> list[str]:
    """The folded words of a name, without "Grandma" of "Grandma Helena"."""
    words = plain(name).split()
    return words[1:] if len(words) > 1 and words[0] in RELATIONS else words


def of_whole_name(found: Sequence[Subject], name: str) -> Sequence[Subject]:
    """Those called exactly so rather than those of that first name."""
    whole = plain(name)
    return [known for known in found if plain(known.name) == whole] or found


def may_be(one: Subject, other: Subject) -> bool:
    """Whether the relations allow that both are one."""
    ours, theirs = one.relation, other.relation
    wide = ALSO_CALLED.get(ours, {ours}) & ALSO_CALLED.get(theirs, {theirs})
    return not (ours and theirs) or bool(wide)


@dataclass(frozen=True, slots=True)
class Household:
    """Whom a text may name: people of the space, and those whom facts are about.

    `own_ids` are the user's own Persons. `about` is the person of the conversation, `said`
    the message and `before` the user's message before it, to which pronouns point.
    """

    people: Sequence[Subject] = ()
    relatives: Sequence[Subject] = ()
    own_ids: frozenset[UUID] = frozenset()
    about: Subject | None = None
    said: str = ""
    before: str = ""

    def with_about(self, person_id: UUID | None) -> "Household":
        found = (person for person in self.people if person.person_id == person_id)
        about = self._as_user(next(found, None)) if person_id else None
        return replace(self, about=about)

    def resolved(self, named: Subject) -> Subject:
        """The one who is meant; UNSURE if it may be several."""
        found: Sequence[Subject] = self._distinct(
            known for known in (*self.people, *self.relatives) if known.is_same(named)
        )
        if named.name:
            found = of_whole_name(found, named.name)
        if len(found) > 1 and named.relation and named.name:
            found = [known for known in found if known.relation == named.relation]
        if len(found) > 1 or (not found and self._may_be_person(named)):
            return UNSURE
        if not found:
            return named
        (known,) = found
        if known.person_id in self.own_ids and named.relation and not known.relation:
            return named  # "my mother Anna" of Anna
        known = replace(
            known,
            relation=known.relation or named.relation,
            name=known.name or named.name,
            words=named.words,
        )
        return self._as_user(known) or USER

    def _may_be_person(self, named: Subject) -> bool:
        """Whether "my daughter" may be a Person of whom no relation is known."""
        is_child = named.relation in ALSO_CALLED["child"] and not named.name
        return is_child and any(
            not person.relation and person.person_id not in self.own_ids
            for person in self.people
        )

    def _distinct(self, subjects: Iterable[Subject]) -> list[Subject]:
        """Each once; what is known of a Person is the Person."""
        kept: list[Subject] = []
        for subject in sorted(subjects, key=lambda s: (not s.person_id, not s.name)):
            if not any(_is_known(subject, known) for known in kept):
                kept.append(subject)
        return kept

    def _as_user(self, person: Subject | None) -> Subject | None:
        return USER if person and person.person_id in self.own_ids else person


def _is_known(subject: Subject, known: Subject) -> bool:
    """A relative with the name of a Person is another until the user says so."""
    unlinked = bool(subject.name and subject.relation and not known.relation)
    return known.is_same(subject) and not unlinked


NO_HOUSEHOLD = Household()
