"""Forms of the chat."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from conversations.models import Feedback
from conversations.models.message_rows import LONGEST_REASON
from meddie.text import storable


class StorableField(forms.CharField):
    """Drops characters that cannot be stored."""

    def to_python(self, value: Any) -> Any:
        return storable(super().to_python(value) or "")


class KeysField(forms.Field):
    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[UUID | None]:
        return [forms.UUIDField().to_python(key) for key in value or ()]


class MessageForm(forms.Form):
    """`key` identifies a resent message."""

    key = forms.UUIDField(required=False)
    text = StorableField(required=False, strip=False)
    quick = StorableField(required=False)
    attached = KeysField(required=False)
    conversation = forms.UUIDField(required=False)
    space = forms.UUIDField(required=False)
    person = forms.UUIDField(required=False)
    forgetful = forms.BooleanField(required=False)
    model = StorableField(required=False)

    def clean(self) -> dict[str, Any]:
        """A quick question replaces the text."""
        data = super().clean() or self.cleaned_data
        return {**data, "text": data.get("quick") or data.get("text", "")}


class FeedbackForm(forms.Form):
    """No rating takes the feedback back."""

    rating = forms.ChoiceField(choices=Feedback.Rating, required=False)
    reason = StorableField(required=False, max_length=LONGEST_REASON)


class OrganiseForm(forms.Form):
    """An action for conversations; deleting them is asked back once."""

    action = forms.CharField()
    conversation = KeysField()
    confirmed = forms.BooleanField(required=False)
    forget = forms.BooleanField(required=False)


class RenameForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=255)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["title"].widget.attrs.update(autofocus=True, dir="auto")
