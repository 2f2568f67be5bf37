"""Sign-in of programs: the page of consent, and the addresses that programs call."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from csp.decorators import csp_update
from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import DataError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from oauth2_provider import views
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.forms import AllowForm
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidRequestError

from meddie.http.api_edge import ApiError, api_view, read_json
from meddie.http.headers import rate_limit
from people import api_keys, programs
from people.access import PageRequest, first_space, program_key_of, signed_in
from people.models import Program, Space
from people.scope import NotAMember
from people.throttling import PROGRAMS, REGISTRATIONS, Limit, client_address

JSON = "application/json"
NONSENSE = (ValueError, RecursionError, DataError)
"""What the library raises for bytes that no text has."""


class TooManyCalls(ApiError):
    def __init__(self, limit: Limit) -> None:
        text = _("Too many calls came from this address. Try again later.")
        told = rate_limit("calls", limit.times, limit.seconds, 0, limit.seconds)
        after = {"Retry-After": str(limit.seconds), **told}
        super().__init__(429, text, after, code="rate_limit_exceeded")


class ConsentForm(AllowForm):  # type: ignore[misc]
    """What a program asks for, hidden, and the space that the user gives it."""

    space = forms.ModelChoiceField(
        Space.objects.none(), label=gettext_lazy("Household"), empty_label=None
    )

    def __init__(self, *args: Any, spaces: QuerySet[Space], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["allow"]  # the button has it
        self.fields["space"].queryset = spaces
        if len(spaces) == 1:
            self.fields["space"].widget = forms.HiddenInput()
            self.initial["space"] = spaces[0]

    def clean_client_id(self) -> str:
        """Raises ValidationError if the program is gone by now."""
        client_id = str(self.cleaned_data["client_id"])
        if not Program.objects.filter(client_id=client_id).exists():
            raise forms.ValidationError("")
        return client_id

    def clean(self) -> dict[str, Any]:
        return {**self.cleaned_data, "allow": "allow" in self.data}


class Consent(views.AuthorizationView):  # type: ignore[misc]
    """Asks each time. What is wrong with a request is shown, and sent nowhere."""

    template_name = "people/consent.html"
    form_class = ConsentForm
    space: Space

    def get(self, request: HttpRequest, *parts: Any, **named: Any) -> HttpResponse:
        asked = request.GET.copy()
        for silent in ("approval_prompt", "prompt"):
            asked.pop(silent, None)
        request.GET = asked  # type: ignore[assignment]
        response: HttpResponse = super().get(request, *parts, **named)
        return response

    def handle_no_permission(self) -> HttpResponse:
        return redirect_to_login(self.request.get_full_path())

    def validate_authorization_request(self, request: HttpRequest) -> Any:
        scopes, credentials = super().validate_authorization_request(request)
        if credentials.get("code_challenge_method") != "S256":
            problem = InvalidRequestError(description="Use PKCE with S256.")
            raise OAuthToolkitError(problem, credentials["redirect_uri"])
        self._check_resource(request.GET.getlist("resource"), credentials)
        return scopes, credentials

    def create_authorization_response(
        self, request: HttpRequest, scopes: str, credentials: Any, allow: Any
    ) -> Any:
        asked = credentials.get("resource", [])
        self._check_resource(asked, credentials)
        credentials["resource"] = asked or [programs.resource_of(request)]
        credentials["space"] = self.space
        return super().create_authorization_response(
            request, scopes, credentials, allow
        )

    def _check_resource(self, asked: list[str], credentials: Any) -> None:
        own = programs.resource_of(self.request)
        if all(resource.rstrip("/") == own for resource in asked):
            return
        text = f"Tokens are for {own} alone."
        problem = CustomOAuth2Error(
            error="invalid_target", description=text, state=credentials.get("state")
        )
        raise OAuthToolkitError(problem, credentials["redirect_uri"])

    def get_form_kwargs(self) -> dict[str, Any]:
        spaces = Space.objects.of(self.request.user)
        if not spaces:
            first_space(self.request.user)
        return {**super().get_form_kwargs(), "spaces": spaces.all()}

    def form_valid(self, form: ConsentForm) -> HttpResponse:
        self.space = form.cleaned_data["space"]
        try:
            response: HttpResponse = super().form_valid(form)
        except (api_keys.TooManyKeys, NotAMember):
            text = _("You have 20 API keys and programs. Remove some, then try again.")
            messages.error(self.request, text)
            return redirect("people:account")
        return response

    def form_invalid(self, form: ConsentForm) -> HttpResponse:
        return redirect(self.request.get_full_path())  # which tells what is wrong

    def error_response(self, error: Any, application: Any, **named: Any) -> Any:
        if self.request.method == "GET":  # else it would send anyone anywhere
            error = FatalClientError(error=error.oauthlib_error)
        return super().error_response(error, application, **named)

    def render_to_response(self, context: Any, **named: Any) -> Any:
        place = urlsplit(context.get("redirect_uri", ""))
        context["place"] = place.hostname or place.scheme
        response = super().render_to_response(context, **named)
        # Browsers check also where the answer to the form leads.
        source = f"{place.scheme}:"
        if place.scheme in {"http", "https"}:
            source += f"//{place.netloc}"
        return csp_update({"form-action": [source]})(lambda _request: response)(
            self.request
        )


consent = Consent.as_view()


def for_programs(
    *methods: str, limit: Limit = PROGRAMS
) -> Callable[[Callable[..., HttpResponse]], Callable[..., Any]]:
    """Count calls by address, and answer each refusal without a page."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., Any]:
        @wraps(view)
        def answer(request: HttpRequest, **parts: str) -> HttpResponse:
            if not limit.allows(client_address(request)):
                raise TooManyCalls(limit)
            try:
                with transaction.atomic():
                    response = view(request, **parts)
            except NONSENSE as error:
                text = _("The request is not valid.")
                raise ApiError(400, text) from error
            if response.headers["Content-Type"].startswith("text/html"):
                response.headers["Content-Type"] = JSON  # of the library's errors
            return response

        return api_view(*methods)(answer)

    return decorate


class ResourceMetadata(views.OAuthProtectedResourceMetadataView):  # type: ignore[misc]
    def get_resource(self, request: HttpRequest) -> str:
        return programs.resource_of(request)


class Token(views.TokenView):  # type: ignore[misc]
    def post(self, request: HttpRequest, *parts: Any, **named: Any) -> HttpResponse:
        """No devices: a program has a browser, or a key."""
        response: HttpResponse = self.authorization_flow_token_response(request)
        return response


@for_programs("POST", limit=REGISTRATIONS)
def register(request: HttpRequest) -> HttpResponse:
    read_json(request.body)
    response: HttpResponse = views.DynamicClientRegistrationView.as_view()(request)
    return response


registration = for_programs("GET", "PUT", "DELETE")(
    views.DynamicClientRegistrationManagementView.as_view()
)
server_metadata = for_programs("GET")(views.OAuthServerMetadataView.as_view())
resource_metadata = for_programs("GET")(ResourceMetadata.as_view())
token = for_programs("POST")(Token.as_view())
revoke = for_programs("POST")(views.RevokeTokenView.as_view())


@signed_in
@require_POST
def disconnect(request: PageRequest, key_pk: uuid.UUID) -> HttpResponse:
    api_keys.revoke(program_key_of(request.user, key_pk))
    messages.success(request, _("The program is disconnected."))
    return redirect("people:account")
