"""Sign-in, passwords and the user's own account."""

from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people.forms import AccountForm, QuietPasswordResetForm, SignInForm
from people.models import TelegramLink, User
from people.requests import SignedInRequest

sign_in = auth.LoginView.as_view(
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
    template_name="people/password_reset_confirm.html",
    success_url=reverse_lazy("people:account"),
    post_reset_login=True,  # also where failures of others lock the sign-in
    post_reset_login_backend="django.contrib.auth.backends.ModelBackend",
)

password_change = auth.PasswordChangeView.as_view(
    template_name="people/password_change.html",
    success_url=reverse_lazy("people:account"),
)


@login_required
@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    # A copy: an invalid form would change the user that the page header shows.
    user = get_object_or_404(User, pk=request.user.pk)
    form = AccountForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("people:account")
    memberships = request.user.memberships.select_related("space").order_by(
        "space__name", "pk"
    )
    page = {
        "form": form,
        "memberships": memberships,
        "awaiting": TelegramLink.objects.awaiting(request.user),
    }
    return render(request, "people/account.html", page)
