"""What is known in the space of an API key, for its admins and for staff.

Admins of a space see lore and their own facts, staff see all. Each look is recorded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from conversations.api.channel import API
from meddie.http.api_edge import ApiError
from meddie.moments import json_time
from meddie.text import one_line
from memory import service
from memory.models import JournalFile, Memory, MemoryEvent, ProfileFact
from memory.operators.snapshot_text import read_snapshot, render_snapshot
from memory.reasons import Reason
from memory.values import READ_ALL
from people import api_keys, external_users
from people.access import is_admin_of
from people.api_keys import InvalidApiKey
from people.models import ApiKey, User
from people.scope import NotAMember, Scope, scope_for

DEFAULT_LIMIT, MOST_FOUND = 8, 24


@dataclass(frozen=True, slots=True)
class Reader:
    key: ApiKey
    user: User
    scope: Scope
    sees_all: bool

    @property
    def space_id(self) -> UUID:
        return self.scope.space_id

    def record_look(self, rows: Iterable[Any], name: str) -> None:
        MemoryEvent.objects.record_look(self.user, rows, name, self.space_id)


class NotAnOperator(ApiError):
    """The text tells which right the key or its user lacks."""

    def __init__(self, text: str) -> None:
        super().__init__(403, text, code="not_an_operator")


def read_key(headers: Mapping[str, str]) -> Reader:
    """Raises ApiError."""
    key = api_keys.authenticate(headers.get("Authorization", ""))
    api_keys.count_calls(key)
    user = key.user
    if key.trusted_proxy:
        raise NotAnOperator(_("The key of a trusted proxy cannot read memory."))
    sees_all = user.is_staff and user.has_perms(READ_ALL)
    if not sees_all and not is_admin_of(user, key.space):
        text = _("Only admins of the space and staff may read its memory.")
        raise NotAnOperator(text)
    try:
        scope = scope_for(user, key.space_id, channel=API.name)
    except NotAMember as error:  # since the key was read
        raise InvalidApiKey from error
    return Reader(key, user, scope, sees_all)


def show_snapshot(request: HttpRequest) -> HttpResponse:
    """All that is known in the space as a page of Markdown."""
    return _snapshot(read_key(request.headers))


def show_renewed(request: HttpRequest) -> HttpResponse:
    """The same page; the operators' files are written again, too."""
    reader = read_key(request.headers)
    JournalFile.objects.renew_snapshot(reader.space_id)
    return _snapshot(reader)


def search(request: HttpRequest) -> HttpResponse:
    """Facts of the space that fit a query, best first."""
    reader = read_key(request.headers)
    asked = {name: one_line(request.GET.get(name, "")) for name in request.GET}
    text, channel = asked.get("q", ""), asked.get("channel") or asked.get("channelId")
    if (asked.get("guildId") or str(reader.space_id)).lower() != str(reader.space_id):
        raise ApiError(400, _("guildId is not the space of this key."), param="guildId")
    scope, everyone = reader.scope, reader.sees_all
    if named := asked_member(request):
        member = find_member(reader, named)
        scope = scope_for(member, reader.space_id, channel=API.name)
        everyone = False
    if not text:
        return JsonResponse({"results": [], "limit": 0})
    if not (scope.reads or (everyone and reader.key.space.memory_on)):
        return JsonResponse({"results": [], "limit": 0} | Reason.NO_MEMORY.told)
    limit = _limit(asked.get("limit", ""))
    found = service.search(
        scope, text[:1000], channel=channel or "", limit=limit, everyone=everyone
    )
    keys = [item.memory_id for item in found]
    rows = {row.pk: row for kind in (Memory, ProfileFact) for row in _rows(kind, keys)}
    reader.record_look(rows.values(), "found")
    shown = [item for item in found if item.memory_id in rows]
    results = [_result(rows[item.memory_id], item.score) for item in shown]
    return JsonResponse({"results": results, "limit": limit})


def _rows(kind: type[Memory | ProfileFact], keys: list[UUID]) -> QuerySet[Any]:
    rows: QuerySet[Any] = QuerySet(kind).filter(pk__in=keys)
    return rows.select_related("user").defer(*kind.VECTORS)


def asked_member(request: HttpRequest) -> str:
    """Of `?user=`. Raises ApiError for two of them."""
    names = request.GET.getlist("user") or [""]
    if len(names) > 1:
        raise ApiError(400, _("Name one user."), param="user")
    return names[0]


def find_member(reader: Reader, name: str) -> User:
    """A member of the space, by ID or email address. Raises ApiError."""
    name = external_users.checked_id(name)
    members = User.objects.filter(memberships__space=reader.space_id, is_active=True)
    if not reader.sees_all:
        members = members.filter(pk=reader.user.pk)
    try:
        member = members.filter(pk=UUID(name)).first()
    except ValueError:
        member = members.filter(email__iexact=name).first()
    if member is None:
        raise ApiError(400, _("No member of the space is named so."), param="user")
    return member


def _snapshot(reader: Reader) -> HttpResponse:
    own = None if reader.sees_all else reader.user.pk
    snapshot = read_snapshot(reader.space_id, own)
    reader.record_look(snapshot.rows, "snapshot")
    page = render_snapshot(snapshot, keys=False)
    return HttpResponse(page, content_type="text/markdown")


def _limit(text: str) -> int:
    try:
        number = int(text[:9])
    except ValueError:
        number = DEFAULT_LIMIT
    return min(max(number, 1), MOST_FOUND)


def _result(row: Memory | ProfileFact, score: float) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "fact": row.content,
        "kind": row.kind,
        "subject": row.user.get_short_name() if row.user else None,
        "about": row.subject if isinstance(row, Memory) else "",
        "channel": row.channel,
        "confidence": row.confidence,
        "stated_at": json_time(row.stated_at),
        "score": score,
    }
