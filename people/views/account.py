"""Sign-in, passwords and the user's own account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.forms import AuthenticationForm
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from meddie.themes import CHOICES, COOKIE
from people import email_changes, mail, throttling
from people.access import PageRequest, signed_in
from people.forms import (
    AccountForm,
    ChangePasswordForm,
    EmailChangeForm,
    NewPasswordForm,
    QuietPasswordResetForm,
    SignInForm,
)
from people.models import EmailChange, User


class SignIn(auth.LoginView):
    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        form.get_user().adopt_time_zone(form.cleaned_data["time_zone"])
        return super().form_valid(form)


sign_in = SignIn.as_view(
    template_name="people/sign_in.html",
    authentication_form=SignInForm,
    redirect_authenticated_user=True,
)

sign_out = auth.LogoutView.as_view(http_method_names=["post", "options"])

password_reset = auth.PasswordResetView.as_view(
    form_class=QuietPasswordResetForm,
    template_name="people/password_reset.html",
    subject_template_name="people/mail/password_reset_subject.txt",
    email_template_name="people/mail/password_reset.txt",
    success_url=reverse_lazy("people:password_reset_done"),
)

password_reset_confirm = auth.PasswordResetConfirmView.as_view(
    form_class=NewPasswordForm,
    template_name="people/password_reset_confirm.html",
    success_url=reverse_lazy("people:account"),
    post_reset_login=True,  # also where failures of others lock the sign-in
    post_reset_login_backend="django.contrib.auth.backends.ModelBackend",
)


class PasswordChange(auth.PasswordChangeView):
    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


password_change = PasswordChange.as_view(
    form_class=ChangePasswordForm,
    template_name="people/password_change.html",
    success_url=reverse_lazy("people:account"),
)


@signed_in
@require_http_methods(["GET", "POST"])
def account(request: PageRequest) -> HttpResponse:
    # A copy: an invalid form would change the user that the page header shows.
    user = get_object_or_404(User, pk=request.user.pk)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(user.locale):  # as on the next page
            messages.success(request, _("Saved."))
        return redirect("people:account")
    memberships = request.user.memberships.select_related("space").order_by(
        "space__name", "pk"
    )
    page = {
        "form": form,
        "memberships": memberships,
        "programs": request.user.api_keys.of_programs()
        .select_related("space")
        .order_by("created_at", "pk"),
        "has_mail": mail.is_set_up(),
        "change": EmailChange.objects.open().filter(user=request.user).first(),
        "awaiting": request.user.telegram_links.awaiting(),
    }
    return render(request, "people/account.html", page)


@sensitive_post_parameters("password")
@signed_in
@require_http_methods(["GET", "POST"])
def change_email(request: PageRequest) -> HttpResponse:
    """Mail a link to the new address; the answer is the same for every address."""
    form = EmailChangeForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        if throttling.EMAIL_CHANGES.allows(request.user.pk):
            email_changes.start_change(request, form.cleaned_data["email"])
            return redirect("people:account")
        text = _("You have reached the daily limit of changes. Try again tomorrow.")
        form.add_error(None, text)
    page = {"form": form, "has_mail": mail.is_set_up()}
    status = 422 if form.errors else 200
    return render(request, "people/account_email.html", page, status=status)


@require_POST
@signed_in
def cancel_email(request: PageRequest) -> HttpResponse:
    EmailChange.objects.filter(user=request.user).delete()
    return redirect("people:account")


@never_cache
@signed_in
@require_http_methods(["GET", "POST"])
def confirm_email(request: PageRequest, token: str) -> HttpResponse:
    """The page of a link, for the user who asked for it."""
    try:
        change = email_changes.find_change(request.user, token)
        if request.method == "GET":
            page = {"change": change}
            return render(request, "people/account_email_confirm.html", page)
        email_changes.confirm_change(request.user, token)
    except email_changes.ChangeOver:
        return render(request, "people/account_email_over.html", status=410)
    except email_changes.AddressInUse:
        messages.error(request, _("This address cannot be used. Choose another one."))
        return redirect("people:change_email")
    messages.success(request, _("Your email address is now %s.") % change.email)
    return redirect("people:account")


@signed_in
@require_POST
def choose(request: PageRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in dict(CHOICES):
        raise Http404
    response = redirect("people:account")
    response.set_cookie(
        COOKIE, theme, max_age=365 * 24 * 3600, samesite="Lax", httponly=True
    )
    return response
