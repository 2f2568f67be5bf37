"""Limits on failed sign-ins, counted by django-axes.

AXES_FAILURE_LIMIT is for a pair of account and address; the others count either alone.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessLog
from django.conf import settings
from django.db.models import Q, QuerySet, Sum

from people.throttling import sign_in_name

ADDRESS_FAILURES = 30
ACCOUNT_FAILURES = 20
ACCOUNT_PAUSE = timedelta(seconds=30)
"""From the last failure of an account that has ACCOUNT_FAILURES."""


class SignInLimits(AxesDatabaseHandler):  # type: ignore[misc]
    def get_failures(
        self, request: Any, credentials: Mapping[str, Any] | None = None
    ) -> int:
        """The pair's failures, or the limit if the address or the account is locked.

        Where an account has signed in before, only the pair counts: failures of others
        do not lock its user out.
        """
        pair, address, account = self.get_user_attempts(request, credentials)
        failures = _failures(pair)
        if _is_known(request, credentials):
            return failures
        just_now = Q(attempt_time__gt=request.axes_attempt_time - ACCOUNT_PAUSE)
        if _failures(address) >= ADDRESS_FAILURES or (
            _failures(account) >= ACCOUNT_FAILURES and account.filter(just_now).exists()
        ):
            return int(settings.AXES_FAILURE_LIMIT)
        return failures


def _failures(attempts: QuerySet[Any]) -> int:
    return attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0


def _is_known(request: Any, credentials: Mapping[str, Any] | None) -> bool:
    logs = AccessLog.objects.filter(
        username=sign_in_name(request, credentials), ip_address=request.axes_ip_address
    )
    return bool(logs.exists())
