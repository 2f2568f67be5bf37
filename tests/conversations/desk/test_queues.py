"""The page of all queues: counts, ages, dead letters and Retry."""

import asyncio
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from meddie import threads
from meddie.ai.priority import background_calls
from meddie.ai.provider import current_provider
from memory.models import CaptureJob
from people.scope import scope_for
from tests.factories import MembershipFactory, UserFactory
from tests.meddie.ai.talk import HELLO
from tests.memory.jobs import make_job
from tests.openai_answers import stalls
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def jobs():
    """A dead letter of two hours ago, a failed job that waits, and a new one."""
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="web")
    dead, failed, new = (make_job(scope) for _ in range(3))
    ago = timezone.now() - timedelta(hours=2)
    change = CaptureJob.objects.filter
    change(pk=dead.pk).update(
        state="dead", attempts=40, error="refused", created_at=ago
    )
    change(pk=failed.pk).update(attempts=3, error="rate_limited", created_at=ago)
    return dead, failed, new


URL = "admin:queues"


def capture(page):
    depths = [depth for depth, _address, _may in page.context["depths"]]
    return next(one for one in depths if one.queue.model is CaptureJob)


def names(page):
    return {depth.queue.model.QUEUE for depth, *_ in page.context["depths"]}


def test_job_that_waits_for_tomorrow_says_why_and_when(staff, jobs):
    due = timezone.now() + timedelta(hours=3)
    new = CaptureJob.objects.filter(pk=jobs[-1].pk)
    new.update(error="daily_limit", available_at=due)
    page = staff.get(reverse(URL))
    assert "background calls of this day are used up" in page.text
    assert date_format(timezone.localtime(due), "DATETIME_FORMAT") in page.text


@pytest.mark.req("S3-70")
def test_queues_have_counts_ages_and_errors(staff, jobs):
    page = staff.get(reverse(URL))
    queue = capture(page)
    assert (queue.waiting, queue.running, queue.dead) == (2, 0, 1)
    assert timezone.now() - queue.oldest > timedelta(hours=1)
    assert names(page) == {
        *("answers", "calibrations", "capture", "files", "ingested", "summaries"),
        *("probes", "proofs", "telegram", "telegram_notices"),
    }
    listed = {(one.job.error, one.job.attempts) for one in page.context["stopped"]}
    assert listed == {("refused", 40), ("rate_limited", 3)}
    assert reverse("admin:telegram_telegramupdate_changelist") in page.text


def test_queues_show_what_models_do_in_the_background(staff, openai_server):
    openai_server.titles.queue(stalls())
    asking = current_provider().complete(HELLO, name="title", max_tokens=9)
    call = asyncio.run_coroutine_threadsafe(asking, threads._permanent_loop())
    wait_until(background_calls)
    page = staff.get(reverse(URL))
    call.cancel()
    assert [name for name, _ in page.context["calls"]] == ["title"]
    assert "0\xa0minutes" in page.content.decode()
    wait_until(lambda: not background_calls())
    assert "calls" not in staff.get(reverse(URL)).content.decode()


def test_one_dead_letter_is_retried(staff, jobs):
    dead, _failed, _new = jobs
    page = staff.post(reverse(URL), {"queue": "capture", "job": dead.pk}, follow=True)
    assert "1 job will be retried." in page.text
    dead.refresh_from_db()
    assert (dead.state, dead.attempts) == ("waiting", 0)


def test_all_dead_letters_of_a_queue_are_retried(staff, jobs):
    staff.post(reverse(URL), {"queue": "capture"})
    assert not CaptureJob.objects.filter(state="dead").exists()
    assert CaptureJob.objects.filter(attempts=3).exists()


@pytest.mark.parametrize(
    "fields", [{"queue": "nothing"}, {}, {"queue": "capture", "job": "x"}]
)
def test_unknown_queue_or_job_is_not_found(staff, jobs, fields):
    assert staff.post(reverse(URL), fields).status_code == 404


def test_staff_see_and_retry_what_they_have_the_rights_to(client, jobs):
    viewer = UserFactory(is_staff=True)
    client.force_login(viewer)
    assert client.get(reverse(URL)).status_code == 403
    viewer.user_permissions.add(Permission.objects.get(codename="view_capturejob"))
    page = client.get(reverse(URL))
    assert names(page) == {"capture"}
    assert 'name="job"' not in page.text
    answer = client.post(reverse(URL), {"queue": "capture", "job": jobs[0].pk})
    assert answer.status_code == 403
    assert client.post(reverse(URL), {"queue": "telegram"}).status_code == 404
    jobs[0].refresh_from_db()
    assert jobs[0].state == "dead"
