"""The forms for a person and their notes."""

from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people import units
from people.forms import MemberField, SentenceCaseForm
from people.models import Membership, Person, User

FAULTS = (
    *("invalid", "min_value", "max_value", "step_size"),
    *("max_digits", "max_decimal_places", "max_whole_digits"),
)


def _for_any_fault(text: Promise | str) -> dict[str, object]:
    return dict.fromkeys(FAULTS, text)


class PersonForm(SentenceCaseForm):
    """Members say whether the person is they; admins may also link other members."""

    is_me = forms.BooleanField(
        label=gettext_lazy("This is me"),
        required=False,
        help_text=gettext_lazy("Meddie then answers you with these notes in mind."),
    )

    class Meta:
        model = Person
        fields = (
            "name",
            "sex",
            "date_of_birth",
            "height_cm",
            "weight_kg",
            "user",
            *Person.NOTES,
        )
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "date_of_birth": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            "health_notes": forms.Textarea(attrs={"rows": 6}),
            "supplements": forms.Textarea(attrs={"rows": 4}),
            "medications": forms.Textarea(attrs={"rows": 4}),
        }
        help_texts: ClassVar[dict[str, object]] = {
            "health_notes": gettext_lazy("You can write Markdown."),
        }
        error_messages: ClassVar[dict[str, dict[str, object]]] = {
            "height_cm": _for_any_fault(
                gettext_lazy("Enter the height in centimetres, such as 171.5.")
            ),
            "weight_kg": _for_any_fault(
                gettext_lazy("Enter the weight in kilograms, such as 64.5.")
            ),
        }

    def __init__(
        self, *args: Any, viewer: User, is_admin: bool, imperial: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer
        self.before = {name: getattr(self.instance, name) for name in Person.NOTES}
        self._offer_accounts(is_admin)
        if imperial:
            self._measure_in_pounds_and_feet()
        else:
            for name in ("height_cm", "weight_kg"):
                if (stored := getattr(self.instance, name)) is not None:
                    self.initial[name] = units.shortest(stored)
        first = ("name", "is_me", "sex", "date_of_birth", "height_cm", "height_ft")
        self.order_fields((*first, "height_in", "weight_kg", "weight_lb", "user"))

    def _offer_accounts(self, is_admin: bool) -> None:  # noqa: FBT001 -- one caller
        linked, me = self.instance.user_id, self.viewer.pk
        self.initial["is_me"] = linked == me
        if self._others_linked_to(self.viewer) or not (
            is_admin or linked in {None, me}
        ):
            del self.fields["is_me"]
        if not is_admin:
            del self.fields["user"]
            return
        if linked == me:
            self.initial["user"] = None
        accounts = Membership.objects.with_account().exclude(user=me)
        members = accounts.filter(space_id=self.instance.space_id)
        if not members.exists():
            del self.fields["user"]
            return
        self.fields["user"] = MemberField(
            User.objects.filter(memberships__in=members).order_by("name", "email"),
            label=_("Account of another member"),
            required=False,
            empty_label=_("No account"),
        )

    def _measure_in_pounds_and_feet(self) -> None:
        del self.fields["height_cm"], self.fields["weight_kg"]
        half: dict[str, Any] = {
            "max_digits": 5,
            "decimal_places": 1,
            "step_size": 0.5,
            "required": False,
            "error_messages": _for_any_fault(_("Enter a number such as 7 or 7.5.")),
        }
        self.fields.update(
            {
                "height_ft": forms.IntegerField(
                    label=_("Height in feet"), min_value=0, max_value=9, required=False
                ),
                "height_in": forms.DecimalField(
                    label=_("and inches"), min_value=0, max_value=11.5, **half
                ),
                "weight_lb": forms.DecimalField(
                    label=_("Weight in pounds"), min_value=1, max_value=2000, **half
                ),
            }
        )
        if self.instance.height_cm is not None:
            feet, inches = units.feet_and_inches(self.instance.height_cm)
            self.initial["height_ft"], self.initial["height_in"] = feet, inches
        if self.instance.weight_kg is not None:
            self.initial["weight_lb"] = units.pounds(self.instance.weight_kg)

    def _others_linked_to(self, account: User) -> bool:
        others = Person.objects.in_space(self.instance.space_id)
        return others.exclude(pk=self.instance.pk).filter(user=account).exists()

    def clean_date_of_birth(self) -> date | None:
        born: date | None = self.cleaned_data["date_of_birth"]
        if born and not date(1900, 1, 1) <= born <= timezone.localdate():
            raise forms.ValidationError(_("This cannot be a date of birth."))
        return born

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in Person.NOTES:
            if name in cleaned:
                cleaned[name] = cleaned[name].replace("\r\n", "\n")
        self._convert_measures(cleaned)
        self._link_account(cleaned)
        return cleaned

    def _convert_measures(self, cleaned: dict[str, Any]) -> None:
        """Only what was changed, so that rounding does not add up."""
        changed = set(self.changed_data)
        if changed & {"height_ft", "height_in"}:
            feet, inches = cleaned.get("height_ft"), cleaned.get("height_in")
            height = units.centimetres(feet or 0, inches or Decimal(0))
            cleaned["height_cm"] = height or None
        if "weight_lb" in changed:
            weight = cleaned.get("weight_lb")
            cleaned["weight_kg"] = units.kilograms(weight) if weight else None

    def _link_account(self, cleaned: dict[str, Any]) -> None:
        account = cleaned.get("user", self.instance.user)
        if cleaned.get("is_me"):
            if cleaned.get("user"):
                told = _("Choose either “This is me” or the account of another member.")
                self.add_error("user", told)
            account = self.viewer
        elif account == self.viewer and "is_me" in self.fields:
            account = None
        if account and self._others_linked_to(account):
            self.add_error(
                "user" if "user" in self.fields else None,
                _(
                    "This account is already linked to another person in this household."
                ),
            )
        cleaned["user"] = account


class EditPersonForm(PersonForm):
    """A person, and the version that was displayed.

    If the row has changed since, nothing is saved, and `stored` holds the current
    values.
    """

    version = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.current = self.instance.updated_at.isoformat()
        self.initial["version"] = self.current
        self.stored: list[tuple[str, str]] = []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("version") != self.current:
            self._show_again(cleaned)
        return cleaned

    def _show_again(self, cleaned: dict[str, Any]) -> None:
        self.add_error(
            None,
            _(
                "These notes have changed since you opened this page, so nothing was"
                " saved. Your version is below, the stored version above it. Save again"
                " to replace the stored version."
            ),
        )
        self.stored = [
            (str(self.fields[name].label), self.before[name])
            for name in Person.NOTES
            if cleaned.get(name) != self.before[name]
        ]
        posted = {name: self.data.get(name) for name in self.data}
        self.data = {**posted, "version": self.current}
