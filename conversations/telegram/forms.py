"""Forms for the bot and the links of a space."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.telegram.bot_api.schema import LARGEST_ID
from conversations.telegram.models import TelegramLink
from people.forms import MemberField
from people.models import Person, Space, User


class TokenForm(forms.Form):
    token = forms.CharField(
        label=gettext_lazy("Token"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]
    telegram_id = forms.IntegerField(
        label=gettext_lazy("Telegram ID"),
        min_value=1,
        max_value=LARGEST_ID - 1,
        help_text=gettext_lazy("The bot shows it to accounts that are not linked."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    class Meta:
        model = TelegramLink
        fields = ("telegram_id", "person", "user")

    def __init__(self, data: QueryDict | None = None, *, space: Space) -> None:
        super().__init__(data, instance=TelegramLink(space=space))
        self.fields["person"] = forms.ModelChoiceField(
            Person.objects.in_space(space.pk),
            label=_("Person"),
            required=False,
            empty_label=_("None"),
        )
        members = User.objects.filter(
            memberships__in=space.memberships.with_account(), is_active=True
        )
        self.fields["user"] = MemberField(
            members.order_by("name", "email"),
            label=_("User"),
            required=False,
            empty_label=_("None"),
            help_text=_(
                "Only a linked user has a memory on Telegram. Other users are asked"
                " to confirm the link first."
            ),
        )

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if not cleaned.get("person") and not cleaned.get("user"):
            raise forms.ValidationError(_("Choose a person, a user, or both."))
        return cleaned

    def clean_telegram_id(self) -> int:
        telegram_id: int = self.cleaned_data["telegram_id"]
        here = TelegramLink.objects.filter(space=self.instance.space)
        if here.filter(telegram_id=telegram_id).exists():
            raise forms.ValidationError(_("This Telegram ID is already linked here."))
        return telegram_id
