"""Limits on failed sign-ins, counted by django-axes.

AXES_FAILURE_LIMIT is for a pair of account and address; the others count either alone
(decision 35).
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off
from axes.models import AccessLog
from django.conf import settings
from django.db.models import Q, QuerySet, Sum

from people.throttling import sign_in_name

ADDRESS_FAILURES = 30
ACCOUNT_FAILURES = 20
MINUTE = timedelta(minutes=1)
ACCOUNT_PAUSE = 5 * MINUTE
"""Between the attempts of one address for an account that has ACCOUNT_FAILURES."""


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]
    def get_failures(
        self, request: Any, credentials: Mapping[str, Any] | None = None
    ) -> int:
        """The pair's failures, or the limit if the address or the account is locked.

        Where an account has signed in before, only the pair counts, and an address
        without failures is not paused: attackers elsewhere do not lock the user out.
        """
        pair, address, account = self.get_user_attempts(request, credentials)
        failures, limit = _failures(pair), int(settings.AXES_FAILURE_LIMIT)
        request.lockout_minutes = get_cool_off(request) // MINUTE  # for the page
        if failures >= limit or _is_known(request, credentials):
            return failures
        if _failures(address) >= ADDRESS_FAILURES:
            return limit
        just_now = Q(attempt_time__gt=request.axes_attempt_time - ACCOUNT_PAUSE)
        if _failures(account) >= ACCOUNT_FAILURES and pair.filter(just_now).exists():
            request.lockout_minutes = ACCOUNT_PAUSE // MINUTE
            return limit
        return failures


def _failures(attempts: QuerySet[Any]) -> int:
    return attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0


def _is_known(request: Any, credentials: Mapping[str, Any] | None) -> bool:
    logs = AccessLog.objects.filter(
        username=sign_in_name(request, credentials), ip_address=request.axes_ip_address
    )
    return bool(logs.exists())
