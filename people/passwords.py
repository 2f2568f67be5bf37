"""New passwords: the rules, and the fields that ask for one."""

from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordForm, SetPasswordMixin
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    UserAttributeSimilarityValidator,
)
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
