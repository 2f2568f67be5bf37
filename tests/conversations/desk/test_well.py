"""The page that says whether all is well."""

import os
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from meddie.embedded.backup import LAST, record_backup
from meddie.embedded.locations import locations
from memory.models import CaptureJob
from people.scope import scope_for
from tests.conversations.transcripts import say, start_conversation
from tests.factories import MembershipFactory, UserFactory
from tests.memory.jobs import make_job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def staff(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def last(monkeypatch, tmp_path):
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path))
    record_backup()
    return locations().data / LAST


def parts(staff):
    page = staff.get(reverse("admin:well"))
    assert page.status_code == 200
    return {part.title: part for part in page.context["parts"]}


def test_every_part_has_a_sentence_and_its_versions(staff):
    page = staff.get(reverse("admin:well"))
    found = {part.title: part.told for part in page.context["parts"]}
    names = ["Services", "Provider", "Queues", "Probes", "Disk", "Back-up"]
    assert list(found) == names
    assert all(found.values())
    assert {name for name, _version in page.context["versions"]} >= {
        "Meddie",
        "pgvector",
    }


def test_dead_letter_and_old_job_are_trouble(staff, member):
    assert parts(staff)["Queues"].is_well
    job = make_job(scope_for(member.user, member.space_id, channel="web"))
    assert parts(staff)["Queues"].is_well
    rows = CaptureJob.objects.filter(pk=job.pk)
    rows.update(created_at=timezone.now() - timedelta(hours=1))
    assert not parts(staff)["Queues"].is_well
    rows.update(created_at=timezone.now(), state="dead")
    queues = parts(staff)["Queues"]
    assert not queues.is_well
    assert "failed for good: 1" in queues.told


def test_failed_answers_are_drawn_in_their_hour(staff, member):
    conversation = start_conversation(member.user, member.space)
    for status in ("done", "done", "failed"):
        say(conversation, "user", "Hello")
        say(conversation, "assistant", "Hi", status=status)
    provider = parts(staff)["Provider"]
    assert not provider.is_well
    assert "3 answers in 24 hours, failed: 1" in provider.told
    assert (provider.columns[-1].done, provider.columns[-1].failed) == (27, 13)
    assert not any(column.done or column.failed for column in provider.columns[:-1])


def test_back_up_of_long_ago_is_trouble(staff, last):
    assert parts(staff)["Back-up"].is_well
    ago = (timezone.now() - timedelta(days=9)).timestamp()
    os.utime(last, (ago, ago))
    backup = parts(staff)["Back-up"]
    assert not backup.is_well
    assert "1\xa0week, 2\xa0days ago" in backup.told
    last.unlink()
    assert not parts(staff)["Back-up"].is_well


def test_page_is_for_staff_with_its_rights(client):
    client.force_login(UserFactory(is_staff=True))
    assert client.get(reverse("admin:well")).status_code == 403
