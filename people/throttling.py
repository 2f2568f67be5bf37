"""Limits for what is costly or can be abused, counted in Redis.

Without Redis each process counts what it sees itself.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, NamedTuple

import redis
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off
from axes.models import AccessLog
from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

QUARTER_OF_AN_HOUR = 900
DAY_SECONDS = 24 * 3600
REDIS_SECONDS = 0.5  # seconds for Redis
MOST_COUNTS = 10_000  # of one process without Redis


def sign_in_name(
    request: HttpRequest, credentials: Mapping[str, Any] | None = None
) -> str:
    """The address under which failed sign-ins are counted."""
    given = credentials or {}
    typed = given.get("username") or request.POST.get("username")
    return str(typed or "").strip().lower()


def client_address(request: HttpRequest) -> str | None:
    """The address that limits count; of IPv6 the /64, which one client has whole."""
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False).network_address)


class Limit(NamedTuple):
    """How often something may be done in a number of seconds."""

    name: str
    times: int
    seconds: int = DAY_SECONDS

    def allows(self, who: object) -> bool:
        """Count an attempt of a user (the key) or from an address; whether it may go on."""
        return count(f"{self.name}:{who}", self.seconds)[0] <= self.times


INVITATIONS = Limit("invite", 30)  # over all spaces
DOWNLOADS = Limit("download", 10)
EMAIL_CHANGES = Limit("email", 5)
IMPORTS = Limit("import", 40)  # previews of files, and files
SHEETS = Limit("sheet", 20)
LOOKUPS = Limit("lookup", 300, QUARTER_OF_AN_HOUR)  # as one types, a search is several
CODES = Limit("code:from", 30, QUARTER_OF_AN_HOUR)  # of sheets, right or wrong
PROGRAMS = Limit("program:from", 300, QUARTER_OF_AN_HOUR)  # sign-ins, tokens
REGISTRATIONS = Limit("register:from", 30, QUARTER_OF_AN_HOUR)
RESETS = Limit("reset", 3, QUARTER_OF_AN_HOUR)
RESETS_FROM_A_PLACE = Limit("reset:from", 30, QUARTER_OF_AN_HOUR)


def may_reset(request: HttpRequest, email: str) -> bool:
    """Count a password reset; whether a mail may be sent."""
    of_place = RESETS_FROM_A_PLACE.allows(client_address(request))
    return RESETS.allows(email.strip().lower()) and of_place


def count(what: str, seconds: int, amount: int = 1) -> tuple[int, int]:
    """The count including this attempt, and the seconds it lasts."""
    key = f"limit:{hashlib.sha256(what.encode()).hexdigest()}"
    try:
        with _client(settings.REDIS_URL).pipeline() as pipe:
            pipe.set(key, 0, ex=seconds, nx=True)
            pipe.incrby(key, amount)
            pipe.ttl(key)
            _set, counted, left = pipe.execute()
            if left > seconds:  # the clock was put back
                pipe.expire(key, seconds)
                pipe.execute()
            return int(counted), min(int(left), seconds)
    except redis.RedisError:
        logger.warning("No broker to count attempts with; this process counts alone")
        return _count_here(key, seconds, amount)


_counts: dict[str, tuple[int, float]] = {}
_counting = threading.Lock()


def _count_here(key: str, seconds: int, amount: int) -> tuple[int, int]:
    now = time.monotonic()
    with _counting:
        counted, until = _counts.pop(key, (0, 0.0))
        if until <= now:
            counted, until = 0, now + seconds
        _counts[key] = counted + amount, until
        if len(_counts) > MOST_COUNTS:
            del _counts[next(iter(_counts))]  # the one that was not used for longest
    return counted + amount, max(1, int(until - now))


@cache
def _client(url: str) -> redis.Redis:
    """Kept with its connections; one that Redis has closed is replaced at once."""
    return redis.Redis.from_url(
        url,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


ADDRESS_FAILURES = 30
ACCOUNT_FAILURES = 20
ONE_MINUTE = timedelta(minutes=1)
ACCOUNT_PAUSE = 5 * ONE_MINUTE
"""Between the attempts of one address for an account that has ACCOUNT_FAILURES."""


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]
    """Limits on failed sign-ins, counted by django-axes.

    AXES_FAILURE_LIMIT is for a pair of account and address; the others count either
    alone (decision 35).
    """

    def get_user_attempts(
        self, request: Any, credentials: Mapping[str, Any] | None = None
    ) -> list[QuerySet[Any]]:
        # Later ones are of a clock that was put back.
        latest = request.axes_attempt_time + ONE_MINUTE
        found = super().get_user_attempts(request, credentials)
        return [attempts.filter(attempt_time__lte=latest) for attempts in found]

    def get_failures(
        self, request: Any, credentials: Mapping[str, Any] | None = None
    ) -> int:
        """The pair's failures, or the limit if the address or the account is locked.

        Where an account has signed in before, only the pair counts, and an address
        without failures is not paused: attackers elsewhere do not lock the user out.
        """
        pair, address, account = self.get_user_attempts(request, credentials)
        failures, limit = _failures(pair), int(settings.AXES_FAILURE_LIMIT)
        request.lockout_minutes = get_cool_off(request) // ONE_MINUTE  # for the page
        signed_in = AccessLog.objects.filter(
            username=sign_in_name(request, credentials),
            ip_address=request.axes_ip_address,
        )
        if failures >= limit or signed_in.exists():
            return failures
        if _failures(address) >= ADDRESS_FAILURES:
            return limit
        just_now = Q(attempt_time__gt=request.axes_attempt_time - ACCOUNT_PAUSE)
        if _failures(account) >= ACCOUNT_FAILURES and pair.filter(just_now).exists():
            request.lockout_minutes = ACCOUNT_PAUSE // ONE_MINUTE
            return limit
        return failures


def _failures(attempts: QuerySet[Any]) -> int:
    return attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0
