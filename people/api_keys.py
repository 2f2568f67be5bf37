"""Keys of the API: creation, lookup, and the limit of calls."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.http.api_edge import ApiError
from meddie.http.headers import rate_limit
from people import throttling
from people.models import ApiKey, Membership, Program, Space, User
from people.models.token import hash_token, new_token
from people.scope import NotAMember

BEGINNING = "sk-meddie-"
PREFIX_LENGTH = len(BEGINNING) + 4
"""Characters that lists show."""
MINUTE = timedelta(minutes=1)
MOST_KEYS = 20  # of a user, in all spaces


class InvalidApiKey(ApiError):
    """The key is unknown or revoked, or its user is inactive or has left the space."""

    def __init__(self) -> None:
        super().__init__(401, _("This API key is not valid."), code="invalid_api_key")


class TooManyCalls(ApiError):
    def __init__(self, key: ApiKey) -> None:
        text = _("This API key has reached its limit of calls per minute.")
        after = {"Retry-After": str(key.calls_left[1]), **limit_headers(key)}
        super().__init__(429, text, after, code="rate_limit_exceeded")


class TooManyKeys(Exception):
    """The user has MOST_KEYS already."""


@transaction.atomic
def create(
    space: Space,
    user: User,
    *,
    name: str = "",
    trusted_proxy: bool = False,
    program: Program | None = None,
) -> tuple[ApiKey, str]:
    """The row, and the key to show once. Raises NotAMember, TooManyKeys."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    members = Membership.objects.with_account().filter(
        space=space, user=user, user__is_active=True
    )
    if not members.exists():
        raise NotAMember
    if ApiKey.objects.filter(user=user, revoked_at=None).count() >= MOST_KEYS:
        raise TooManyKeys
    key = BEGINNING + new_token()
    row = ApiKey.objects.create(
        space=space,
        user=user,
        name=name,
        prefix=key[:PREFIX_LENGTH],
        hash=hash_token(key),
        trusted_proxy=trusted_proxy,
        program=program,
    )
    return row, key


def authenticate(authorization: str) -> ApiKey:
    """The key of a header `Bearer …`, or `Token …` as of mem0. Raises InvalidApiKey."""
    scheme, _space, key = authorization.strip().partition(" ")
    if scheme.lower() not in {"bearer", "token"}:
        raise InvalidApiKey
    usable = ApiKey.objects.usable().select_related("user")
    found = usable.filter(hash=hash_token(key.strip())).first()
    return note_use(found)


def note_use(found: ApiKey | None) -> ApiKey:
    """Raises InvalidApiKey if there is none."""
    if found is None:
        raise InvalidApiKey
    now = timezone.now()
    # At most once a minute.
    if found.last_used_at is None or found.last_used_at < now - MINUTE:
        ApiKey.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


def count_calls(key: ApiKey, amount: int = 1) -> None:
    """Raises TooManyCalls."""
    calls, seconds_left = throttling.count(f"api:{key.pk}", MINUTE.seconds, amount)
    key.calls_left = max(0, key.calls_per_minute - calls), max(1, seconds_left)
    if calls > key.calls_per_minute:
        raise TooManyCalls(key)


def limit_headers(key: ApiKey) -> dict[str, str]:
    """How many calls it has left."""
    return rate_limit("calls", key.calls_per_minute, MINUTE.seconds, *key.calls_left)


def revoke(key: ApiKey) -> None:
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())
