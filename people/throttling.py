"""How often somebody may try: what could be asked for without an end.

Attempts are counted in Redis, for a while from the first. While it is away nobody is
refused: an account that cannot be reset is worse, and the postman's bag has a bound.
"""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import redis
from django.conf import settings
from django.http import HttpRequest

from people.models import User

logger = logging.getLogger(__name__)

QUARTER_OF_AN_HOUR = 900
DAY = 24 * 3600
RESETS_OF_AN_ADDRESS = 3
RESETS_FROM_A_PLACE = 30
INVITATIONS_A_DAY = 30


def name_of_who_signs_in(
    request: HttpRequest, credentials: Mapping[str, Any] | None = None
) -> str:
    """What failed attempts are counted under: the address as accounts are looked up by
    it. Every form that signs in goes through here, the admin's too."""
    given = credentials or {}
    typed = given.get("username") or request.POST.get("username")
    return str(typed or "").strip().lower()


def may_reset(request: HttpRequest, email: str) -> bool:
    """Count one more request for a new password; whether a mail may answer it."""
    place = request.META.get("REMOTE_ADDR", "")
    of_place = _counted(f"reset:from:{place}", QUARTER_OF_AN_HOUR)
    of_address = _counted(f"reset:{email.strip().lower()}", QUARTER_OF_AN_HOUR)
    return of_place <= RESETS_FROM_A_PLACE and of_address <= RESETS_OF_AN_ADDRESS


def may_invite(user: User) -> bool:
    """Count one more invitation. By inviter: anybody can have many spaces."""
    return _counted(f"invite:{user.pk}", DAY) <= INVITATIONS_A_DAY


def _counted(what: str, seconds: int) -> int:
    """How many that makes; 0 if nobody can tell."""
    key = f"limit:{hashlib.sha256(what.encode()).hexdigest()}"
    try:
        with (
            redis.Redis.from_url(
                settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
            ) as client,
            client.pipeline() as pipe,
        ):
            pipe.set(key, 0, ex=seconds, nx=True)
            pipe.incr(key)
            return int(pipe.execute()[-1])
    except redis.RedisError:
        logger.warning("No broker to count attempts with")
        return 0
