"""Deletions that were cut off, and what is done once a day."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery import shared_task
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone

from meddie.admin_log import remove_deleted_names
from meddie.jobs.registry import DAILY
from people import deletion, programs
from people.models import ApiKey, EmailChange, Invitation, Person

ENDED_ROWS_STAY = timedelta(days=30)


def delete_expired() -> None:
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    for log in (AccessAttempt, AccessFailureLog):
        log.objects.filter(attempt_time__lt=now - ENDED_ROWS_STAY).delete()
    # Longer than a session: a user's address stays known.
    AccessLog.objects.filter(attempt_time__lt=now - timedelta(days=90)).delete()
    over = Q(expires_at__lt=now - ENDED_ROWS_STAY) | Q(
        used_at__lt=now - ENDED_ROWS_STAY
    )
    Invitation.objects.filter(over).delete()
    EmailChange.objects.filter(expires_at__lt=now).delete()
    ApiKey.objects.filter(revoked_at__lt=now - ENDED_ROWS_STAY).delete()
    programs.delete_ended()
    Person.objects.filter(deleted_at__lt=now - ENDED_ROWS_STAY).erase()
    remove_deleted_names()


DAILY.append(delete_expired)


@shared_task(name="people.finish_deletions")
def finish_deletions() -> None:
    deletion.finish_deletions()
