from typing import Any

from django import forms
from django.utils.translation import gettext as _

from conversations.web.forms import StorableField
from conversations.web.memory_page.entries import Entry
from memory.models.memory import CONTENT_LIMIT


class EditFactForm(forms.Form):
    text = StorableField(
        max_length=CONTENT_LIMIT,
        widget=forms.Textarea({"dir": "auto", "autofocus": True}),
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["text"]
        self.entry = entry
        field.initial = entry.editable
        field.label = entry.label or _("What is true")
        field.widget.attrs["rows"] = 1 if entry.label else 3

    @property
    def fact(self) -> str:
        """The text as typed; the stored one where nothing else was typed."""
        text: str = self.cleaned_data["text"]
        return self.entry.stored if text == self.entry.editable else text
