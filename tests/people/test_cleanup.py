"""Expired rows are deleted; others stay."""

from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from meddie.celery import app
from people.models import Invitation, TelegramLinkCode
from people.tasks import clean_up
from tests.factories import InvitationFactory, TelegramLinkCodeFactory

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SOON, JUST, LONG_AGO = (NOW + timedelta(days=days) for days in (1, -1, -31))


def test_sessions_go_when_they_have_expired():
    for key, ends in (("open", SOON), ("over", JUST)):
        Session.objects.create(session_key=key, session_data="", expire_date=ends)
    clean_up()
    assert [one.session_key for one in Session.objects.all()] == ["open"]


def test_codes_go_when_they_are_used_or_over():
    waits = TelegramLinkCodeFactory()
    TelegramLinkCodeFactory(used_at=JUST)
    TelegramLinkCodeFactory(expires_at=JUST)
    clean_up()
    assert list(TelegramLinkCode.objects.all()) == [waits]


def test_invitations_go_a_month_after_they_are_over():
    kept = {
        InvitationFactory(),
        InvitationFactory(expires_at=JUST),
        InvitationFactory(accepted_at=JUST),
    }
    InvitationFactory(expires_at=LONG_AGO)
    InvitationFactory(accepted_at=LONG_AGO)
    clean_up()
    assert set(Invitation.objects.all()) == kept


def test_sign_ins_are_kept_for_a_month():
    for at in (JUST, LONG_AGO):
        row = AccessLog.objects.create(username="ann@example.com")
        AccessLog.objects.filter(pk=row.pk).update(attempt_time=at)
    clean_up()
    assert AccessLog.objects.get().attempt_time == JUST


def test_it_happens_every_day():
    daily = [
        one for one in app.conf.beat_schedule.values() if one["task"] == clean_up.name
    ]
    assert [one["schedule"] for one in daily] == [24 * 3600.0]
