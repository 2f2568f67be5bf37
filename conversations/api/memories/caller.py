"""Whose memory a call is about, and what its key may do with it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security.http import HttpAuthBase

from conversations.api.channel import API
from conversations.api.operators import NotAnOperator, find_member, read_key
from meddie.http.api_edge import ApiError
from meddie.threads import run_work
from memory.models import Memory, MemoryEvent, ProfileFact
from memory.reasons import Reason
from people import api_keys, external_users
from people.models import ApiKey, User
from people.scope import Scope, retraction_scope, scope_for

AGENT = "agent:"
FACTS: tuple[type[Any], ...] = (Memory, ProfileFact)
Right = Literal["add", "change", "delete"]


class Unnamed(ApiError):
    """Else all users of the proxy would share one memory."""

    def __init__(self) -> None:
        text = _("This call needs a user.")
        super().__init__(400, text, code="user_required")


class MemoryOff(ApiError):
    def __init__(self, reason: Reason) -> None:
        super().__init__(409, str(reason.label), code=reason.value)


@dataclass(frozen=True, slots=True)
class Caller:
    """`user` is None for one that is not known; `by` is the staff member who names another."""

    key: ApiKey
    user: User | None
    by: User | None = None

    @property
    def scope(self) -> Scope:
        """What is remembered of the user, also while their memory is off."""
        if self.user is None:
            return scope_for(None, self.key.space_id, channel=API.name)
        return retraction_scope(self.user.pk, self.key.space_id, channel=API.name)

    def writing_scope(self, room: str = "") -> Scope:
        """Raises NotAMember if that ended since the key was read."""
        space_id = self.key.space_id
        return scope_for(self.user, space_id, channel=API.name, room=room)

    def off(self) -> Reason | None:
        """Why nothing is found for the user (decision 63). Raises NotAMember."""
        if self.user is None or self.writing_scope().reads:
            return None
        return Reason.NO_MEMORY

    def demand_memory(self) -> None:
        """For clients that read to a model or write for one. Raises MemoryOff."""
        if off := self.off():
            raise MemoryOff(off)

    def demand(self, right: Right) -> None:
        """Raises NotAnOperator if a staff member may not do it to others' facts."""
        if self.by and not self.by.has_perm(f"memory.{right}_memory"):
            raise NotAnOperator(_("You may not change what is known of others."))

    def record_look(self, rows: Iterable[Any], name: str) -> None:
        if self.by:
            space_id = self.key.space_id
            MemoryEvent.objects.record_look(self.by, rows, name, space_id)


def admit_caller(
    headers: Mapping[str, str],
    *,
    named: str = "",
    adds: bool = False,
    key: ApiKey | None = None,
) -> Caller:
    """Check the key and count the call.

    `named` is another member, for staff; `adds` adds an external user who is not known.
    `key`, where the caller has found it. Raises ApiError.
    """
    if named:
        reader = read_key(headers)
        user = find_member(reader, named)
        return Caller(reader.key, user, reader.user if user != reader.user else None)
    key = admit_key(headers, key)
    caller = Caller(key, external_users.caller(key, headers, add=adds))
    told = (external_users.USER_ID, external_users.USER_TOKEN)
    if caller.user is None and (adds or not any(map(headers.get, told))):
        raise Unnamed
    return caller


def admit_for(
    key: ApiKey,
    user_id: str | None,
    agent_id: str | None = None,
    *,
    adds: bool = False,
) -> Caller:
    """The same for clients that name the user in the call; only a proxy's may be another.

    An agent alone is a user of the proxy. Raises ApiError.
    """
    if not key.trusted_proxy:
        if user_id not in (None, "", str(key.user_id), key.user.email):
            text = _("Only the key of a trusted proxy can name another user.")
            raise ApiError(403, text, code="not_a_trusted_proxy")
        return Caller(key, key.user)
    if not user_id and agent_id:
        user_id = f"{AGENT}{agent_id}"
    if not user_id:
        raise Unnamed
    if adds:
        return Caller(key, external_users.author(key, user_id, ""))
    return Caller(key, external_users.find_external_user(key.space_id, user_id))


def admit_for_row(
    key: ApiKey, row_id: UUID, kinds: Sequence[type[Any]] = FACTS
) -> Caller:
    """A client that names only a row; for a proxy's key its owner is the user."""
    if not key.trusted_proxy:
        return Caller(key, key.user)
    for kind in kinds:
        named = Q(pk=row_id, space=key.space_id, user__external__space=key.space_id)
        row: Any = QuerySet(kind).filter(named).select_related("user").first()
        if row is not None:
            return Caller(key, row.user)
    return Caller(key, None)


def admit_key(headers: Mapping[str, str], key: ApiKey | None = None) -> ApiKey:
    """Raises ApiError."""
    key = key or api_keys.authenticate(headers.get("Authorization", ""))
    api_keys.count_calls(key)
    return key


class KeyOfProgram(HttpAuthBase):
    """Of a client that names users in its calls."""

    openapi_scheme = "bearer"

    async def __call__(self, request: HttpRequest) -> ApiKey:
        return await run_work(admit_key, request.headers)


class KeyedRequest(HttpRequest):
    auth: ApiKey
