"""Whom facts are about: the user, a person of the space, a relative, or another."""

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from conversations.web.memory_page.entries import Entry
from memory import service
from people.models import Person, Space, User

RELATIONS = {
    "mother": gettext_lazy("Your mother"),
    "father": gettext_lazy("Your father"),
    "parents": gettext_lazy("Your parents"),
    "husband": gettext_lazy("Your husband"),
    "wife": gettext_lazy("Your wife"),
    "partner": gettext_lazy("Your partner"),
    "brother": gettext_lazy("Your brother"),
    "sister": gettext_lazy("Your sister"),
    "son": gettext_lazy("Your son"),
    "daughter": gettext_lazy("Your daughter"),
    "child": gettext_lazy("Your child"),
    "children": gettext_lazy("Your children"),
    "grandmother": gettext_lazy("Your grandmother"),
    "grandfather": gettext_lazy("Your grandfather"),
    "aunt": gettext_lazy("Your aunt"),
    "uncle": gettext_lazy("Your uncle"),
    "friend": gettext_lazy("Your friend"),
    "dog": gettext_lazy("Your dog"),
    "cat": gettext_lazy("Your cat"),
}


@dataclass(frozen=True, order=True, slots=True)
class GroupName:
    place: int
    key: str
    label: str = field(compare=False)


class Subjects:
    def __init__(self, user: User, space: Space) -> None:
        people = Person.objects.in_space(space.pk).exclude(user=user)
        self.people = [(person.name, _beginning(person.name)) for person in people]
        self.user = GroupName(0, "", pgettext("heading", "You"))
        self.others = GroupName(2, "", _("Other"))
        self.lore = GroupName(3, "", _("Shared in this space"))

    def group_of(self, entry: Entry) -> GroupName:
        if entry.read_only:
            return self.lore
        if entry.profile_key:
            return self.user
        group = self._group_of_text(entry.stored)
        # What the user wrote about no relative or person is about them: "Lives in Bergen".
        return self.user if group is self.others and entry.by_hand else group

    def _group_of_text(self, fact: str) -> GroupName:
        subject = service.subject_of(fact)
        if subject is not None and not subject.key:
            return self.user
        if subject is not None:
            label = RELATIONS.get(subject.key) or service.shown_text(subject.words)
            return GroupName(1, subject.key, str(label))
        for name, beginning in self.people:
            if beginning.match(fact):
                return GroupName(1, name.casefold(), name)
        return self.others


def _beginning(name: str) -> re.Pattern[str]:
    """The whole name, or its first word."""
    first = name.partition(" ")[0]
    return re.compile(rf"(?:{re.escape(name)}|{re.escape(first)})\b", re.IGNORECASE)
