"""Whom a message asks about: the facts about them come first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.subjects import NO_HOUSEHOLD, USER, Household, Subject
from memory.values import Recalled
from memory.wording.dialogue import is_short
from memory.wording.mentions import NamingText
from memory.wording.splitting import is_question
from memory.wording.subject_labels import names
from memory.wording.subjects import asked_about, asks_of_all, mentions_another

FOLLOWED = 3  # messages of the user that a follow-up may continue
ALL = "family"
EACH = {"parents": ("mother", "father"), "grandparents": ("grandmother", "grandfather")}
"""Relations that several people have."""


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A question, and whom it is about; without a `subject` it may be anyone.

    UNSURE: those whom its words may mean.
    """

    question: str = ""
    subject: Subject | None = None

    def means(self, subject: Subject) -> bool:
        """Whether what is known about them may answer it."""
        asked = self.subject
        if asked is None:
            return True
        if asked.unsure:
            return not subject.unsure and names(self.question, subject)
        return asked.is_same(subject) or subject.relation in EACH.get(
            asked.relation, ()
        )

    def may_mean(self, text: str) -> bool:
        """Whether a fact may answer it of which it is unsure about whom it is."""
        asked = self.subject
        if asked is None or asked.unsure:
            return True
        mentions = [m for m in NamingText(text, NO_HOUSEHOLD).mentions() if not m.vague]
        of_user = any(mention.of_user for mention in mentions)
        if asked.is_user:
            return of_user or not mentions_another(text)
        named = [m.subject for m in mentions if m.subject and not m.of_user]
        known = [subject for subject in named if not subject.unsure]
        return any(map(asked.is_same, known)) or not (known or of_user)

    def person_ids(self, household: Household) -> list[UUID]:
        """Of the people of the space whom it may mean."""
        asked = self.subject
        if asked is None:
            return []
        if asked.is_user:
            return sorted(household.own_ids)
        meant = [known for known in household.people if self.means(known)]
        return [known.person_id for known in meant if known.person_id]

    def first(self, items: Iterable[Recalled]) -> list[Recalled]:
        """Those about whom it asks, then those that may be, then the others."""
        if self.subject is None:
            return list(items)
        return sorted(items, key=self._distance)

    def _distance(self, item: Recalled) -> int:
        if item.shared or self.means(item.about):
            return 0
        return 1 if item.about.unsure else 2


def whom_asked(
    question: str, household: Household, earlier: Sequence[str] = ()
) -> AskedAbout:
    """By its words, else by the conversation's person, else by what it follows.

    `earlier` are the user's messages before it, the last one first.
    """
    followed = earlier[:FOLLOWED]
    household = replace(household, said=question, before="\n".join(followed[::-1]))
    alone = replace(household, before="")  # "Hat Klaus …" begins with a verb alone
    has_pronoun = any(
        mention.subject is None and not mention.bare
        for mention in NamingText(question, household).mentions()
    )
    subject = asked_about(question, household if has_pronoun else alone)
    if subject is not None and _is_new(subject, household):
        lower = question[:1].lower() + question[1:]  # "Zeig" is no name
        subject = asked_about(lower, household)
    if subject is None and is_short(question):
        subject = _followed(followed, household)
    is_of_all = subject is not None and subject.relation == ALL
    if is_of_all or (subject == USER and asks_of_all(question)):
        subject = None
    return AskedAbout(question, subject)


def _is_new(subject: Subject, household: Household) -> bool:
    """Whether it is a name that nothing is known of."""
    known = (*household.people, *household.relatives)
    related = subject.relation or subject.person_id
    return bool(subject.name) and not related and subject not in known


def _followed(earlier: Sequence[str], household: Household) -> Subject | None:
    for message in earlier:
        subject = asked_about(message, replace(household, said=message, before=""))
        if subject is not None:
            asks = is_question(message) or not subject.is_user
            return subject if asks else None
        if not is_short(message):
            return None
    return None
