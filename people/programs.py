"""Programs that act for a member by OAuth: the library's flow, tied to keys (decision 62)."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from oauth2_provider.cimd import is_cimd_client_id
from oauth2_provider.models import refresh_token_expire_timedelta
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.www_authenticate import build_bearer_challenge

from people import api_keys, mail
from people.models import (
    AccessToken,
    ApiKey,
    Program,
    ProgramCode,
    RefreshToken,
    Space,
    User,
)
from people.models.token import hash_token

RESOURCE = "/mcp"
"""The only address that tokens open."""
UNUSED_PROGRAMS_STAY = timedelta(days=7)


def resource_of(request: HttpRequest) -> str:
    return mail.public_url(request, RESOURCE)


def challenge(request: HttpRequest) -> str:
    """The header of a refusal, which tells programs where to sign in."""
    described = mail.public_url(
        request, reverse("oauth2_provider:oauth-resource-metadata")
    )
    problem = {"error": "invalid_token"} if "Authorization" in request.headers else None
    told: str = build_bearer_challenge(
        request, problem, resource_metadata_url=described
    )
    return told


def admit_program(request: HttpRequest) -> ApiKey:
    """The key of a program's token, or an API key itself. Raises InvalidApiKey."""
    authorization = request.headers.get("Authorization", "")
    scheme, _space, token = authorization.strip().partition(" ")
    if scheme.lower() == "bearer" and not token.startswith(api_keys.BEGINNING):
        tokens = AccessToken.objects.filter(
            token_checksum=hash_token(token.strip()),
            expires__gt=timezone.now(),
            key__in=ApiKey.objects.usable(),
        )
        found = tokens.select_related("key__user").first()
        if found is not None and found.allows_audience(resource_of(request)):
            return api_keys.note_use(found.key)
    return api_keys.authenticate(authorization)


@transaction.atomic
def connect_program(program: Program, user: User, space: Space) -> ApiKey:
    """The key that the program's tokens act for. Raises NotAMember, TooManyKeys."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    connected = ApiKey.objects.usable().filter(program=program, user=user, space=space)
    if known := connected.first():
        return known
    return api_keys.create(space, user, name=str(program), program=program)[0]


class Validator(OAuth2Validator):  # type: ignore[misc]
    """Codes and tokens belong to a key, and end with it."""

    def _load_application(self, client_id: str, request: Any) -> Any:
        """Descriptions are fetched for signed-in users alone, so not for a token."""
        is_known = Program.objects.filter(client_id=client_id).exists()
        is_asked = urlsplit(request.uri).path == reverse("oauth2_provider:authorize")
        if is_cimd_client_id(client_id) and not (is_known or is_asked):
            return None
        return super()._load_application(client_id, request)

    def validate_code(
        self,
        client_id: str,
        code: str,
        client: Any,
        request: Any,
        *more: Any,
        **kw: Any,
    ) -> bool:
        codes = ProgramCode.objects.filter(code=code, key__in=ApiKey.objects.usable())
        found = codes.select_related("key").first()
        request.key = found and found.key
        valid = super().validate_code(client_id, code, client, request, *more, **kw)
        return found is not None and valid

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Any, *more: Any, **kw: Any
    ) -> bool:
        if not super().validate_refresh_token(
            refresh_token, client, request, *more, **kw
        ):
            return False
        former = request.refresh_token_instance.access_token
        keys = ApiKey.objects.usable().filter(pk=former.key_id)
        request.key = keys.first()
        return request.key is not None

    @transaction.atomic
    def _create_authorization_code(
        self, request: Any, code: Any, expires: Any = None
    ) -> ProgramCode:
        key = connect_program(request.client, request.user, request.space)
        found: ProgramCode = super()._create_authorization_code(request, code, expires)
        found.key = key
        found.save(update_fields=["key"])
        return found

    def _create_access_token(
        self, expires: Any, request: Any, token: Any, source_refresh_token: Any = None
    ) -> AccessToken:
        found = AccessToken(
            user=request.user,
            application=request.client,
            key=request.key,
            scope=token["scope"],
            resource=request.resource,
            expires=expires,
            source_refresh_token=source_refresh_token,
        )
        self._set_token_value(found, token["access_token"])
        found.save()
        return found


def delete_ended() -> None:
    """And programs that no one has connected, or not for long."""
    now = timezone.now()
    unused = refresh_token_expire_timedelta()
    ProgramCode.objects.filter(expires__lt=now).delete()
    ended = RefreshToken.objects.filter(access_token=None, updated__lt=now - unused)
    ended.delete()
    AccessToken.objects.filter(expires__lt=now - unused).delete()
    AccessToken.objects.filter(expires__lt=now, refresh_token=None).delete()
    unknown = Program.objects.filter(keys=None)
    unknown.filter(updated__lt=now - UNUSED_PROGRAMS_STAY).delete()
