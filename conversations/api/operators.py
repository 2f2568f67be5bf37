"""What is known in the space of an API key, for its admins and for staff.

Admins of a space see lore and their own facts, staff see all. Each look is recorded.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from meddie.api_errors import error_response
from meddie.text import one_line
from memory import service
from memory.models import JournalFile, Memory, MemoryEvent
from memory.operators.snapshot_text import read_snapshot, render_snapshot
from memory.values import READ_ALL
from people import api_keys
from people.access import is_admin_of
from people.api_keys import InvalidApiKey, TooManyCalls
from people.models import User
from people.scope import NotAMember, Scope, scope_for

DEFAULT_LIMIT, MOST_FOUND = 8, 24
CHANNEL = "api"
LONGEST = 1000  # characters of a query


@dataclass(frozen=True, slots=True)
class Reader:
    user: User
    scope: Scope
    sees_all: bool

    @property
    def space_id(self) -> UUID:
        return self.scope.space_id

    def record_look(self, rows: Iterable[Any], name: str) -> None:
        MemoryEvent.objects.record_look(self.user, rows, name, self.space_id)


class NotAnOperator(Exception):
    """A sentence tells which right the key or its user lacks."""


View = Callable[[HttpRequest, Reader], HttpResponseBase]


def for_operators(method: str) -> Callable[[View], Callable[..., HttpResponseBase]]:
    """Require the method and a key with the rights; answer refusals like /v1."""

    def decorate(view: View) -> Callable[..., HttpResponseBase]:
        @csrf_exempt
        @wraps(view)
        def inner(request: HttpRequest) -> HttpResponseBase:
            if request.method != method:
                text = _("Use %(method)s here.") % {"method": method}
                allow = {"Allow": method}
                return error_response(
                    405, text, headers=allow, code="method_not_allowed"
                )
            try:
                reader = _reader(request.headers.get("Authorization", ""))
            except InvalidApiKey:
                text = _("This API key is not valid.")
                return error_response(401, text, code="invalid_api_key")
            except TooManyCalls as error:
                text = _("This API key has reached its limit of calls per minute.")
                after = {"Retry-After": str(error.retry_after)}
                return error_response(
                    429, text, headers=after, code="rate_limit_exceeded"
                )
            except NotAnOperator as error:
                return error_response(403, str(error), code="not_an_operator")
            return view(request, reader)

        return inner

    return decorate


def _reader(authorization: str) -> Reader:
    """Raises InvalidApiKey, TooManyCalls, NotAnOperator."""
    key = api_keys.authenticate(authorization)
    api_keys.count_calls(key)
    user = key.user
    if key.trusted_proxy:
        raise NotAnOperator(_("The key of a trusted proxy cannot read memory."))
    sees_all = user.is_staff and user.has_perms(READ_ALL)
    if not sees_all and not is_admin_of(user, key.space):
        text = _("Only admins of the space and staff may read its memory.")
        raise NotAnOperator(text)
    try:
        scope = scope_for(user, key.space_id, channel=CHANNEL)
    except NotAMember as error:  # since the key was read
        raise InvalidApiKey from error
    return Reader(user, scope, sees_all)


@for_operators("GET")
def show_snapshot(request: HttpRequest, reader: Reader) -> HttpResponse:
    return _snapshot(reader)


@for_operators("POST")
def show_renewed(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Have the files written again, too."""
    JournalFile.objects.renew_snapshot(reader.space_id)
    return _snapshot(reader)


@for_operators("GET")
def search(request: HttpRequest, reader: Reader) -> HttpResponse:
    text, channel = (one_line(request.GET.get(name, "")) for name in ("q", "channel"))
    if not text:
        return JsonResponse({"results": [], "limit": 0})
    limit = _limit(request.GET.get("limit", ""))
    everyone = reader.sees_all
    found = service.search(
        reader.scope, text[:LONGEST], channel=channel, limit=limit, everyone=everyone
    )
    rows = Memory.objects.filter(pk__in=[item.memory_id for item in found])
    rows = rows.select_related("user").defer("embedding", "near")
    memories = {memory.pk: memory for memory in rows}
    reader.record_look(memories.values(), "found")
    shown = [item for item in found if item.memory_id in memories]
    results = [_result(memories[item.memory_id], item.score) for item in shown]
    return JsonResponse({"results": results, "limit": limit})


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


def _result(memory: Memory, score: float) -> dict[str, Any]:
    return {
        "id": str(memory.pk),
        "fact": memory.content,
        "kind": memory.kind,
        "subject": memory.user.get_short_name() if memory.user else None,
        "channel": memory.channel,
        "confidence": memory.confidence,
        "stated_at": memory.stated_at.isoformat(),
        "score": score,
    }
