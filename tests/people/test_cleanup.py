"""Expired rows are deleted; others stay."""

from datetime import timedelta

import pytest
from axes.models import AccessFailureLog, AccessLog
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone

from meddie.celery import app
from meddie.jobs.tasks import daily
from people.models import ApiKey, Invitation, Person
from tests.factories import (
    ApiKeyFactory,
    InvitationFactory,
    PersonFactory,
    SpaceFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SOON, JUST, LONG_AGO = (NOW + timedelta(days=days) for days in (1, -1, -31))


def test_sessions_go_when_they_have_expired():
    for key, ends in (("open", SOON), ("over", JUST)):
        Session.objects.create(session_key=key, session_data="", expire_date=ends)
    daily()
    assert [one.session_key for one in Session.objects.all()] == ["open"]


def test_invitations_go_a_month_after_they_are_over():
    kept = {
        InvitationFactory(),
        InvitationFactory(expires_at=JUST),
        InvitationFactory(used_at=JUST),
    }
    InvitationFactory(expires_at=LONG_AGO)
    InvitationFactory(used_at=LONG_AGO)
    daily()
    assert set(Invitation.objects.all()) == kept


def test_revoked_keys_go_after_a_month():
    kept = {ApiKeyFactory(), ApiKeyFactory(revoked_at=JUST)}
    ApiKeyFactory(revoked_at=LONG_AGO)
    daily()
    assert set(ApiKey.objects.all()) == kept


@pytest.mark.parametrize(("log", "days"), [(AccessLog, 90), (AccessFailureLog, 30)])
def test_sign_ins_are_kept_longer_than_failures(log, days):
    for age in (days - 1, days + 1):
        row = log.objects.create(
            username="ann@example.com", ip_address=f"192.0.2.{age}"
        )
        at = NOW - timedelta(days=age)
        log.objects.filter(pk=row.pk).update(attempt_time=at)
    daily()
    assert log.objects.get().attempt_time == NOW - timedelta(days=days - 1)


def test_address_is_known_for_longer_than_a_session_lasts(settings):
    last = NOW - timedelta(seconds=settings.SESSION_COOKIE_AGE, days=1)
    row = AccessLog.objects.create(username="ann@example.com")
    AccessLog.objects.filter(pk=row.pk).update(attempt_time=last)
    daily()
    assert AccessLog.objects.exists()


def test_deletion_of_a_person_leaves_other_names_in_the_log_to_the_daily_run():
    person, user = PersonFactory(name="Bea"), UserFactory()
    for row, name in ((person, "Bea"), (SpaceFactory.build(), "Home")):
        LogEntry.objects.create(
            user=user,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=name,
            action_flag=DELETION,
        )
    Person.objects.filter(pk=person.pk).erase()
    named = LogEntry.objects.exclude(object_repr=F("object_id"))
    assert [entry.object_repr for entry in named] == ["Home"]
    daily()
    assert not named.all().exists()


def test_it_happens_every_day():
    assert app.conf.beat_schedule["jobs.daily"]["schedule"] == 24 * 3600.0
