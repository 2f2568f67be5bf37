"""What a page may send."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from meddie.text import storable


class Words(forms.CharField):
    """Text without the characters that cannot be stored."""

    def to_python(self, value: Any) -> Any:
        """Clean before Django's validator refuses it."""
        return storable(super().to_python(value) or "")


class MessageForm(forms.Form):
    """A message, and the key that a page gives it, so that it is stored once however
    often it is sent. The rest says how a conversation begins, or which one goes on."""

    key = forms.UUIDField(required=False)
    text = Words(required=False, strip=False)
    quick = Words(required=False)
    conversation = forms.UUIDField(required=False)
    space = forms.UUIDField(required=False)
    person = forms.UUIDField(required=False)
    forgetful = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """A quick question is sent at once, whatever stands in the box."""
        said = super().clean() or self.cleaned_data
        return {**said, "text": said.get("quick") or said.get("text", "")}


class RenameForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=255)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["title"].widget.attrs.update(autofocus=True, dir="auto")
