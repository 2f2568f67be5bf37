"""The forms that add and edit a fact."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from conversations.web.facts.about import AboutForm, Subjects
from conversations.web.forms import StorableField
from conversations.web.memory_page.entries import Entry
from memory.subjects import Subject
from memory.values import CONTENT_LIMIT


class FactForm(AboutForm):
    field_order = ("text", "about", "name")
    text = StorableField(
        label=gettext_lazy("What is true"),
        max_length=CONTENT_LIMIT,
        widget=forms.Textarea({"dir": "auto", "autofocus": True, "rows": 3}),
    )


class EditFactForm(FactForm):
    def __init__(
        self, *args: Any, entry: Entry, subjects: Subjects, **kwargs: Any
    ) -> None:
        about = "" if entry.about.unsure else subjects.of(entry.about).key
        super().__init__(*args, subjects=subjects, about=about, **kwargs)
        field = self.fields["text"]
        self.entry = entry
        field.initial = entry.editable
        if entry.label:
            field.label = entry.label
            field.widget.attrs["rows"] = 1
        if not entry.can_move:
            del self.fields["about"], self.fields["name"]

    @property
    def fact(self) -> str:
        """The text as typed; the stored one where nothing else was typed."""
        text: str = self.cleaned_data["text"]
        return self.entry.stored if text == self.entry.editable else text

    @property
    def is_moved(self) -> bool:
        return not {"about", "name"}.isdisjoint(self.changed_data)

    @property
    def chosen_subject(self) -> Subject | None:
        """None where the words and the old fact decide."""
        subject: Subject | None = self.cleaned_data.get("subject")
        return subject
