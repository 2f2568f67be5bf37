"""Whom facts are about, as pages name and offer them."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.fact_texts import subject_label
from conversations.web.forms import StorableField
from memory.household import household
from memory.subjects import (
    SUBJECT_LIMIT,
    UNSURE,
    USER,
    Household,
    Subject,
    of_whole_name,
)
from memory.wording.words import RELATIONS, plain
from people.models import Person
from people.scope import Scope

OF_USER, OF_UNSURE, OF_NAMED, OTHER = "you", "unsure", "named:", "other"


@dataclass(frozen=True, slots=True)
class About:
    """`key` names the subject in addresses and forms."""

    key: str
    subject: Subject
    label: str

    @property
    def person_id(self) -> UUID | None:
        return self.subject.person_id


class Subjects:
    """The user, the people of the space and who else is known, in that order."""

    def __init__(self, household: Household) -> None:
        self.own_ids = household.own_ids
        self.people = {
            person.person_id: person
            for person in household.people
            if person.person_id not in self.own_ids
        }
        known = [USER, *self.people.values(), *household.relatives]
        self.known = list({about.key: about for about in map(self.of, known)}.values())

    @classmethod
    def in_scope(cls, scope: Scope) -> "Subjects":
        """The people in the order of their page."""
        found = household(scope)
        people = {person.person_id: person for person in found.people}
        keys = Person.objects.in_space(scope.space_id).values_list("pk", flat=True)
        ordered = [people[key] for key in keys if key in people]
        return cls(replace(found, people=ordered))

    def of(self, subject: Subject) -> About:
        """A Person that is gone is a mere name."""
        if subject.unsure:
            return About(OF_UNSURE, UNSURE, subject_label(UNSURE))
        if subject.is_user or subject.person_id in self.own_ids:
            return About(OF_USER, USER, subject_label(USER))
        if person := self.people.get(subject.person_id):
            return About(str(person.person_id), person, person.name)
        named = Subject(subject.relation, subject.name)
        if not named.text:
            return self.of(USER)
        return About(f"{OF_NAMED}{named.text}", named, subject_label(named))

    def find(self, key: str, name: str = "") -> Subject | None:
        if key == OTHER:
            return self._typed(name)
        if key == OF_UNSURE:
            return UNSURE
        known = {about.key: about.subject for about in self.known}
        return known.get(key)

    def _typed(self, text: str) -> Subject | None:
        """One who is known, or a new name: "Leo", "my mother", "daughter Mia"."""
        words = text.split()
        relations = [
            RELATIONS[plain(word)] for word in words if plain(word) in RELATIONS
        ]
        names = [word for word in words if plain(word) not in RELATIONS]
        if relations:
            names = [word for word in names if word[:1].isupper()]
        named = Subject(relations[0] if relations else "", " ".join(names))
        known = [
            about.subject
            for about in self.known
            if about.subject.is_same(named)
            and bool(about.subject.name) == bool(named.name)
        ]
        known = list(of_whole_name(known, named.name))
        found = known[0] if len(known) == 1 else named
        return found if found.text else None


class AboutForm(forms.Form):
    about = forms.ChoiceField(label=gettext_lazy("About"), required=False)
    name = StorableField(
        label=gettext_lazy("Name or relation of someone else"),
        max_length=SUBJECT_LIMIT,
        required=False,
        widget=forms.TextInput({"dir": "auto", "autocomplete": "off"}),
    )

    def __init__(
        self, *args: Any, subjects: Subjects, about: str = "", **kwargs: Any
    ) -> None:
        """`about` is chosen at first; without it the words decide."""
        super().__init__(*args, **kwargs)
        self.subjects = subjects
        field: Any = self.fields["about"]
        open_choice = [] if about else [("", _("As the text says"))]
        field.choices = [
            *open_choice,
            *((known.key, known.label) for known in subjects.known),
            (OTHER, _("Someone else")),
        ]
        field.initial = about

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        key, name = data.get("about", ""), data.get("name", "")
        key = OTHER if name else key
        data["subject"] = self.subjects.find(key, name) if key else None
        if key == OTHER and not name:
            self.add_error("name", _("Write a name or a relation."))
        return data
