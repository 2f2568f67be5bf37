"""The page about the model: recipes, a provider's key, and how a trial went."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from conversations.model_trial import try_model
from meddie.ai.local_servers import find_servers, known_servers
from meddie.ai.provider import current_provider
from meddie.ai.stored_key import store_key, stored_key
from meddie.threads import run_db
from people.access import PageRequest, signed_in
from people.models import User


class KeyForm(forms.Form):
    key = forms.CharField(
        label=gettext_lazy("Key of OpenAI"),
        max_length=500,
        validators=[RegexValidator(r"^[!-~]+$", gettext_lazy("This is no key."))],
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


def may_enter_key(user: User) -> bool:
    """Whether the user may set the provider's key here, which the environment does not."""
    here = settings.BUNDLED_DATABASE and not settings.OPENAI_API_KEY.strip()
    return user.is_superuser and here


@require_safe
@signed_in
async def real_model(request: PageRequest) -> HttpResponse:
    """Three recipes. Staff see what runs on this machine, if it is their own."""
    own = settings.LOCAL and settings.BUNDLED_DATABASE and request.user.is_staff
    context = {
        "servers": await find_servers() if own else known_servers(),
        "looked": own,
        "offline": not current_provider().connected,
        "model": settings.CHAT_MODEL,
        "address": settings.OPENAI_BASE_URL,
        "key_form": KeyForm() if may_enter_key(request.user) else None,
        "has_key": bool(stored_key()),
    }
    return await run_db(render, request, "conversations/model.html", context)


@require_POST
@signed_in
def provider_key(request: PageRequest) -> HttpResponse:
    """Store a key for all users, or remove it."""
    if not may_enter_key(request.user):
        raise Http404
    form = KeyForm(request.POST)
    if "remove" in request.POST:
        store_key("")
        messages.success(request, _("The key is removed."))
    elif form.is_valid():
        store_key(form.cleaned_data["key"])
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("This is no key."))
    return redirect("conversations:real_model")


@require_POST
@signed_in
def try_the_model(request: PageRequest) -> HttpResponse:
    """Try the configured models, which takes a slow one minutes, and show the result."""
    if not request.user.is_staff:
        raise Http404
    for _step in try_model():
        pass
    if "HX-Request" in request.headers:
        return render(request, "conversations/_trial.html")
    return redirect("conversations:real_model")
