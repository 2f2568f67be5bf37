"""The page about the model: its form, recipes, and how a trial went."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from conversations.model_trial import first_answer, try_model
from conversations.web.responses import retarget
from meddie.ai.configured import Entered, configured, store_provider, stored_provider
from meddie.ai.errors import AIError, Refused
from meddie.ai.local_servers import find_servers, known_servers
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from meddie.threads import run_db
from people.access import PageRequest, signed_in
from people.models import User

ADDRESSES = {
    "OpenAI": "https://api.openai.com/v1",
    "Anthropic": "https://api.anthropic.com/v1/",
    "Google": "https://generativelanguage.googleapis.com/v1beta/openai/",
    "Mistral": "https://api.mistral.ai/v1",
    "OpenRouter": "https://openrouter.ai/api/v1",
    "Ollama": "http://127.0.0.1:11434/v1",
    "LM Studio": "http://127.0.0.1:1234/v1",
}
NO_KEY = gettext_lazy("This is no key.")
FAILURES = {
    "wrong_key": gettext_lazy("The provider does not accept this key."),
    "no_quota": gettext_lazy("The key is right, but its account has no credit left."),
    "rate_limited": gettext_lazy(
        "The provider asks for fewer requests. Wait a minute and try again."
    ),
    "provider_down": gettext_lazy(
        "Nothing answers at this address. Check it, and whether the server runs."
    ),
    "timed_out": gettext_lazy(
        "No answer came within a minute. A large model may still be loading: try again."
    ),
    "not_found": gettext_lazy(
        "The provider does not know this model or this address. Most addresses end in"
        " /v1."
    ),
    "refused": gettext_lazy(
        "The provider refuses the request. Check the name of the model."
    ),
}
NOT_UNDERSTOOD = gettext_lazy(
    "What answers there does not speak OpenAI’s protocol. Most addresses end in /v1."
)


class ProviderForm(forms.Form):
    """A stored key is kept for its own address, and sent to no other."""

    base_url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        validators=[
            RegexValidator(
                r"^https?://", gettext_lazy("It begins with https:// or http://.")
            ),
            RegexValidator(r"^[!-~]+$", gettext_lazy("This is no address.")),
        ],
        widget=forms.TextInput(
            {"inputmode": "url", "autocomplete": "off", "list": "addresses"}
        ),
    )
    key = forms.CharField(
        label=gettext_lazy("Key"),
        required=False,
        max_length=500,
        validators=[RegexValidator(r"^[!-~]+$", NO_KEY)],
        widget=forms.PasswordInput({"autocomplete": "off"}, render_value=True),
        help_text=gettext_lazy("None is needed for a server of your own."),
    )
    model = forms.CharField(
        label=gettext_lazy("Model"),
        max_length=200,
        validators=[RegexValidator(r"^[!-~]+$", gettext_lazy("This is no name."))],
        widget=forms.TextInput({"autocomplete": "off", "list": "model-names"}),
        help_text=gettext_lazy("Its name as the provider writes it."),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "key" in data and not data["key"] and "base_url" in data:
            stored = stored_provider()
            if stored and configured().base_url == data["base_url"]:
                data["key"] = stored.key
            elif is_own(data["base_url"]):
                data["key"] = "local"
            else:
                self.add_error("key", _("Enter the key that the provider gave you."))
        return data


def may_enter_provider(user: User) -> bool:
    """Whether the user may set the provider here, which the environment does not."""
    here = settings.BUNDLED_DATABASE and not settings.OPENAI_API_KEY.strip()
    return user.is_superuser and here


@require_safe
@signed_in
async def real_model(request: PageRequest) -> HttpResponse:
    chosen = configured()
    form = ProviderForm(
        initial={"base_url": chosen.base_url, "model": chosen.chat_model}
    )
    return await _page(request, form)


async def _page(
    request: PageRequest, form: ProviderForm, status: int = 200
) -> HttpResponse:
    """Staff see what runs on this machine, if it is their own."""
    own = settings.LOCAL and settings.BUNDLED_DATABASE and request.user.is_staff
    chosen = configured()
    context = {
        "servers": await find_servers() if own else known_servers(),
        "looked": own,
        "offline": not current_provider().connected,
        "model": chosen.chat_model,
        "address": chosen.base_url,
        "form": form if may_enter_provider(request.user) else None,
        "has_provider": stored_provider() is not None,
        "addresses": ADDRESSES,
    }
    name = "conversations/model.html"
    answer = await run_db(render, request, name, context, status=status)
    return retarget(answer, "#content")


@require_POST
@signed_in
async def provider(request: PageRequest) -> HttpResponse:
    """Try a provider, and store it for all users if it answers; or remove it."""
    if not may_enter_provider(request.user):
        raise Http404
    if "remove" in request.POST:
        store_provider(None)
        messages.success(request, _("The provider is removed."))
        return redirect("conversations:real_model")
    form = ProviderForm(request.POST)
    if form.is_valid():
        entered = Entered(**form.cleaned_data)
        try:
            await first_answer(entered)
        except AIError as error:
            form.add_error(None, _sentence(error))
    if not form.is_valid():
        return await _page(request, form, 422)
    store_provider(entered)
    text = _("It answers. From now on %(model)s answers in all conversations.")
    messages.success(request, text % {"model": entered.model})
    return redirect("conversations:real_model")


def _sentence(error: AIError) -> Any:
    is_missing = isinstance(error, Refused) and error.status in {404, 405}
    return FAILURES.get("not_found" if is_missing else error.code, NOT_UNDERSTOOD)


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
