"""Forms about accounts and spaces, and the rules of new passwords."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    SetPasswordMixin,
)
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    UserAttributeSimilarityValidator,
)
from django.template.loader import render_to_string
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from people import mail, throttling
from people.access import PageRequest
from people.models import ApiKey, Invitation, Space, User
from people.models.user import zone_names
from people.zone_field import ZoneField

NOT_YOURS = gettext_lazy("This is not your password.")
ERRORS: dict[str, Any] = {
    "password_mismatch": gettext_lazy("The two passwords differ.")
}


class NotCommon(CommonPasswordValidator):
    def get_error_message(self) -> str:
        return _("Many people use this password. Choose another one.")


class NotPersonal(UserAttributeSimilarityValidator):
    def __init__(self) -> None:
        super().__init__(user_attributes=("name", "email"))

    def get_error_message(self) -> str:
        return _("This password is too much like your name or address.")


def password_fields(label: Any) -> tuple[forms.CharField, forms.CharField]:
    """A new password, and the same again."""
    again = gettext_lazy("The same password again")
    first, second = SetPasswordMixin.create_password_fields(label, again)
    first.help_text = gettext_lazy(
        "At least 8 characters, and nothing that is easy to guess."
    )
    second.help_text = ""
    return first, second


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    error_messages = ERRORS
    new_password1, new_password2 = password_fields(gettext_lazy("New password"))


EMAIL_ERRORS: dict[str, Any] = {
    "invalid": gettext_lazy("Enter an email address such as anna@example.com.")
}


class SentenceCaseForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form whose selections begin each option with a capital."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, forms.TypedChoiceField):
                options: Any = field.choices
                field.choices = [(value, capfirst(text)) for value, text in options]


class SignInForm(AuthenticationForm):
    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": gettext_lazy(
            "The address or the password is wrong. Check both and try again."
        ),
    }
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).strip().lower()


class PasswordForm(forms.Form):
    """The password of a signed-in user."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: PageRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        return _own_password(self.request, self.cleaned_data["password"])


def _own_password(request: PageRequest, password: str) -> str:
    """Raises ValidationError, which counts as a failed sign-in."""
    user = request.user
    if authenticate(request, username=user.email, password=password) != user:
        raise forms.ValidationError(NOT_YOURS)
    return password


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    field_order = PasswordChangeForm.field_order

    def __init__(self, *args: Any, request: PageRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("Your password")
        self.request = request

    def clean_old_password(self) -> str:
        return _own_password(self.request, self.cleaned_data["old_password"])


class EmailChangeForm(PasswordForm):
    # Also one with an account, which only its owner may learn.
    email = forms.EmailField(
        label=gettext_lazy("New email address"),
        max_length=254,
        error_messages=EMAIL_ERRORS,
    )
    field_order = ("email", "password")

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if email == self.request.user.email:
            raise forms.ValidationError(_("This is your address already."))
        return email


class QuietPasswordResetForm(PasswordResetForm):
    """Takes the same time for known and unknown mail."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        error_messages=EMAIL_ERRORS,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def save(self, *args: Any, **options: Any) -> None:
        """Use Meddie's public address, not the request's host."""
        if not throttling.may_reset(options["request"], self.cleaned_data["email"]):
            return
        extra = {"address": mail.public_url(options["request"])}
        super().save(*args, **options | {"extra_email_context": extra})

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Queue the mail, in the recipient's language."""
        with override(context["user"].locale):
            subject = render_to_string(subject_template_name, context)
            body = render_to_string(email_template_name, context)
        mail.send_later(subject, body, to_email)


class AccountForm(SentenceCaseForm):
    time_zone = ZoneField(label=gettext_lazy("Time zone"), max_length=64)

    class Meta:
        model = User
        fields = (
            *("name", "locale", "time_zone", "units", "instructions"),
            *("memory_on", "answer_notices"),
        )
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "instructions": forms.Textarea({"rows": 4, "dir": "auto"})
        }
        help_texts: ClassVar[dict[str, object]] = {
            "instructions": gettext_lazy(
                "Such as the tone, the length, or what to keep in mind. It holds for your"
                " own conversations in all households; no other member sees it."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["time_zone"]
        assert isinstance(field, ZoneField)  # noqa: S101 -- for mypy
        field.zones = zone_names() | {self.instance.time_zone}


class NewcomerForm(SetPasswordMixin, forms.Form):  # type: ignore[type-arg]
    """The account of an invited user; the address is the invitation's."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=255,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    error_messages = ERRORS
    password1, password2 = password_fields(gettext_lazy("Password"))
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean(self) -> dict[str, Any]:
        self.validate_passwords()
        user = User(email=self.email, name=self.cleaned_data.get("name", ""))
        self.validate_password_for_user(user)
        return self.cleaned_data


class NewSpaceForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Space
        fields = ("name", "memory_page")


class SpaceForm(NewSpaceForm):
    class Meta(NewSpaceForm.Meta):
        fields = ("name", "memory_on", "memory_page")  # type: ignore[assignment]


class InvitationForm(SentenceCaseForm):
    class Meta:
        model = Invitation
        fields = ("email", "role")
        error_messages: ClassVar[dict[str, dict[str, object]]] = {"email": EMAIL_ERRORS}
        help_texts: ClassVar[dict[str, object]] = {
            "role": gettext_lazy(
                "Members read and change the notes of all people in the household. Admins"
                " also invite and remove members, and change the settings."
            ),
        }

    def __init__(self, *args: Any, space: Space, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.space = space

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if self.space.memberships.filter(user__email=email).exists():
            raise forms.ValidationError(_("This person is already a member."))
        return email


class ApiKeyForm(forms.ModelForm):  # type: ignore[type-arg]
    """Only admins may trust a proxy."""

    class Meta:
        model = ApiKey
        fields = ("name", "trusted_proxy")
        help_texts: ClassVar[dict[str, object]] = {
            "trusted_proxy": gettext_lazy(
                "For a server such as Open WebUI that signs users in itself and says with"
                " each call who is asking. Each of them gets a memory of their own in"
                " this household."
            ),
        }

    def __init__(self, *args: Any, is_admin: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_admin:
            del self.fields["trusted_proxy"]


class MemberField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: User) -> str:
        return f"{obj.name} ({obj.email})" if obj.name else obj.email
