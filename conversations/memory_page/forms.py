from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.web.forms import StorableField
from memory.models.memory import CONTENT_LIMIT


class EditFactForm(forms.Form):
    text = StorableField(
        label=gettext_lazy("What is true"),
        help_text=gettext_lazy("Meddie notes facts about you as “User …”."),
        max_length=CONTENT_LIMIT,
        widget=forms.Textarea({"rows": 3, "dir": "auto", "autofocus": True}),
    )


def why_refused(reason: str) -> str:
    """Why a correction was not stored, from the decision's reason."""
    texts = {
        "too_long": _("This is too long to remember. Shorten it."),
        "secret": _("Meddie does not store passwords or numbers of accounts."),
        "instruction": _("Write a fact. Meddie does not remember orders to itself."),
        "question": _("Write a statement. Meddie does not remember questions."),
        "health": _("Health belongs in the notes on a person. Write it there."),
        "embedding_failed": _("Meddie cannot store this right now. Try again shortly."),
        "retracted": _("You asked Meddie to forget this. Tell it in a conversation."),
        "gone": _("This is no longer remembered."),
    }
    return texts.get(reason) or _("Meddie cannot remember this. Put it differently.")
