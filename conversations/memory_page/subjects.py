"""Whom facts are about: the user, a person of the space, a relative, or another."""

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from conversations.memory_page.entries import Entry
from memory import service
from people.models import Person, Space, User


@dataclass(frozen=True, order=True, slots=True)
class GroupName:
    place: int
    key: str
    label: str = field(compare=False)


class Subjects:
    def __init__(self, user: User, space: Space) -> None:
        people = Person.objects.in_space(space.pk).exclude(user=user)
        self.people = [(person.name, _beginning(person.name)) for person in people]
        self.user = GroupName(0, "", _("You"))
        self.lore = GroupName(3, "", _("Shared in this space"))

    def group_of(self, entry: Entry) -> GroupName:
        if entry.read_only:
            return self.lore
        return self.user if entry.label else self._group_of_text(entry.stored)

    def _group_of_text(self, fact: str) -> GroupName:
        subject = service.subject_of(fact)
        if subject is not None and not subject.key:
            return self.user
        if subject is not None:
            words = service.in_second_person(f"{subject.words} ").strip()
            return GroupName(1, subject.key, words[:1].upper() + words[1:])
        for name, beginning in self.people:
            if beginning.match(fact):
                return GroupName(1, name.casefold(), name)
        return GroupName(2, "", _("Other"))


def _beginning(name: str) -> re.Pattern[str]:
    """The whole name, or its first word."""
    first = name.partition(" ")[0]
    return re.compile(rf"(?:{re.escape(name)}|{re.escape(first)})\b", re.IGNORECASE)
