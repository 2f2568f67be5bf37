"""Users whom a trusted proxy names by header, as Open WebUI 0.12 does (B-24).

With OPENWEBUI_JWT_SECRET only its signed token names a user, else a plain header does
(decisions 33 and 34).
"""

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import unquote
from uuid import UUID, uuid4

import jwt
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from meddie.http.api_edge import ApiError
from meddie.text import one_line, plain_name
from people.api_keys import InvalidApiKey
from people.members import delete_accounts
from people.models import ApiKey, ExternalUser, Membership, Space, User

USER_ID = "X-OpenWebUI-User-Id"
USER_NAME = "X-OpenWebUI-User-Name"
USER_TOKEN = "X-OpenWebUI-User-Jwt"  # noqa: S105 -- the name of a header
ID_LIMIT = NAME_LIMIT = 255
CLOCKS_DIFFER = 30
"""Seconds that a token counts longer, and earlier."""


class BadIdentity(ApiError):
    """The proxy's headers do not name a user; the text says why."""

    def __init__(self, text: str, status: int = 401) -> None:
        super().__init__(status, text, code="invalid_user")


class NoProxy(ApiError):
    """Else all users of the proxy would share the memory of the key's owner."""

    def __init__(self) -> None:
        text = _("To name users by header, a key must be that of a trusted proxy.")
        super().__init__(403, text, code="not_a_trusted_proxy")


def caller(key: ApiKey, headers: Mapping[str, str], *, add: bool = True) -> User | None:
    """The user that a call is for; None if it is anonymous, or not known and not added.

    Other keys act for their own user, so they may not name one. `headers` ignore case.
    Raises NoProxy, BadIdentity, or InvalidApiKey if the space was deleted.
    """
    if not key.trusted_proxy:
        if headers.get(USER_ID) or headers.get(USER_TOKEN):
            raise NoProxy
        return key.user
    external_id, name = _named(headers)
    if not external_id:
        return None
    if not add and find_external_user(key.space_id, external_id) is None:
        return None
    return author(key, external_id, name)


def author(key: ApiKey, external_id: str, name: str) -> User:
    """The active user that a trusted proxy names, who is added if not known.

    Raises BadIdentity, or InvalidApiKey if the space was deleted.
    """
    external_id, name = checked_id(external_id), one_line(name)[:NAME_LIMIT]
    user = find_external_user(key.space_id, external_id) or _add(key, external_id)
    if not user.is_active:
        raise BadIdentity(_("This user is not active."))
    if name and user.name != name:
        user.name = name
        User.objects.filter(pk=user.pk).update(name=name)  # it may just be deleted
    return user


def remove_external_user(external: ExternalUser) -> None:
    """Delete the user with all that is remembered. Another call adds them again."""
    delete_accounts([external.user])


def _named(headers: Mapping[str, str]) -> tuple[str, str]:
    """The user's id and name; empty if there are none."""
    token = headers.get(USER_TOKEN, "")
    if settings.OPENWEBUI_JWT_SECRET:
        external_id, name = _claims(token) if token else ("", "")
    elif token and not headers.get(USER_ID):
        raise BadIdentity(_("The token of the user needs OPENWEBUI_JWT_SECRET here."))
    else:
        external_id, name = (
            headers.get(USER_ID, ""),
            unquote(headers.get(USER_NAME, "")),
        )
        if "," in external_id:  # how headers that are sent twice arrive
            raise BadIdentity(_("The ID of the user must be sent once."))
    return checked_id(external_id), one_line(name)[:NAME_LIMIT]


def _claims(token: str) -> tuple[str, str]:
    try:
        claims = jwt.decode(
            token,
            settings.OPENWEBUI_JWT_SECRET,
            algorithms=["HS256"],
            options={"require": ["exp", "sub"], "verify_aud": False},
            leeway=CLOCKS_DIFFER,
        )
    except jwt.InvalidTokenError as error:
        raise BadIdentity(_("The token of the user is not valid.")) from error
    return claims["sub"], str(claims.get("name") or "")


def checked_id(external_id: str) -> str:
    """Raises BadIdentity."""
    with suppress(ValueError):
        if len(name := plain_name(external_id)) <= ID_LIMIT:
            return name
    raise BadIdentity(_("The ID of the user is not valid."), 400)


def find_external_user(space_id: UUID, external_id: str) -> User | None:
    """Also one who is not active. Raises BadIdentity."""
    named = User.objects.filter(external__space=space_id)
    return named.filter(external__external_id=checked_id(external_id)).first()


@transaction.atomic
def _add(key: ApiKey, external_id: str) -> User:
    """Lock the space, so that parallel first calls add one user."""
    locked = Space.objects.select_for_update(no_key=True).filter(pk=key.space_id)
    space = locked.first()
    if space is None:
        raise InvalidApiKey
    if known := find_external_user(space.pk, external_id):
        return known
    pk = uuid4()
    user = User.objects.create_user(
        f"{pk}@external.invalid",
        id=pk,
        locale=key.user.locale,
        time_zone=key.user.time_zone,
    )
    Membership.objects.create(space=space, user=user)
    ExternalUser.objects.create(space=space, external_id=external_id, user=user)
    return user
