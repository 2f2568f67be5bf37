"""What models are asked beside replies is counted, and over the limit it waits."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations import message_search
from conversations.models import DailyUse, DerivationJob, SummaryJob
from conversations.tasks import title_conversation
from meddie.jobs import registry
from memory import service
from memory.models import CaptureJob, Memory, MemoryPolicy
from memory.values import Provenance
from people.scope import scope_for
from tests.conversations.attachments.documents import picture
from tests.conversations.attachments.sent import send
from tests.conversations.transcripts import exchange, start_conversation
from tests.factories import MembershipFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)
CAT = json.dumps({"facts": [{"text": "User has a cat", "evidence": "I have a cat"}]})
SEEN = json.dumps({"short": "A cat", "detail": "A cat asleep", "text": ""})


@pytest.fixture
def member():
    return MembershipFactory()


@pytest.fixture
def conversation(member):
    conversation = start_conversation(member.user, member.space)
    exchange(conversation, "I slept badly all week, what helps?", "Less tea.")
    conversation.title = "I slept badly all week, what helps?"
    conversation.save()
    return conversation


@pytest.fixture
def extraction(member):
    MemoryPolicy.objects.create(space=member.space, background_capture="api")
    scope = scope_for(member.user, member.space_id, channel="api")
    told = Provenance("background", timezone.now())
    key = service.capture_later(scope, "I have a cat.", told)
    return CaptureJob.objects.get(pk=key)


def run(job):
    registry.run(job.QUEUE, job.pk)
    return type(job).objects.get(pk=job.pk)


def calls():
    return sum(DailyUse.objects.values_list("calls", flat=True))


def tomorrow():
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1)


def let_a_day_pass(job):
    DailyUse.objects.update(day=timezone.now().date() - timedelta(days=1))
    type(job).objects.filter(pk=job.pk).update(available_at=timezone.now())


def test_job_over_the_limit_waits_until_tomorrow_and_loses_nothing(
    extraction, openai_server, settings
):
    settings.DAILY_BACKGROUND_CALLS = 1
    DailyUse.objects.create(user=extraction.user, day=timezone.now().date(), calls=1)
    job = run(extraction)
    assert (job.state, job.error, job.attempts) == ("waiting", "daily_limit", 0)
    assert abs(job.available_at - tomorrow()) < timedelta(seconds=5)
    assert not openai_server.titles.requests
    openai_server.titles.queue(says(CAT))
    let_a_day_pass(job)
    assert run(job).state == "done"
    assert Memory.objects.get().content == "User has a cat"
    assert DailyUse.objects.latest("day").calls == 1


def test_each_call_that_reaches_the_provider_is_counted(extraction, openai_server):
    openai_server.titles.queue(fails(500), fails(500), says("no JSON"), says(CAT))
    assert run(extraction).state == "done"
    assert calls() == len(openai_server.titles.requests) == 4


def test_call_that_failed_is_counted(extraction, openai_server):
    openai_server.titles.queue(fails(401))
    assert run(extraction).state == "waiting"
    assert calls() == 1


def test_stand_in_costs_nothing(extraction, settings):
    settings.DAILY_BACKGROUND_CALLS = 0
    assert run(extraction).state == "done"
    assert calls() == 0


def test_summary_is_counted_for_the_user_of_its_conversation(
    conversation, member, openai_server
):
    scope = scope_for(member.user, member.space_id, channel="web")
    message_search.index(scope, conversation.messages.in_order())
    openai_server.titles.queue(says(json.dumps({"summary": "Sleep"})))
    episode = conversation.episodes.get()
    job = SummaryJob.objects.create(kind="running", episode=episode)
    assert run(job).state == "done"
    use = DailyUse.objects.get()
    assert (use.user, use.calls, use.messages) == (member.user, 1, 0)


def test_description_of_a_picture_is_counted(conversation, openai_server):
    openai_server.titles.queue(says(SEEN))
    message = conversation.messages.get(role="user")
    send(message, "cat.png", picture())
    assert run(DerivationJob.objects.get()).state == "done"
    assert calls() == 1


def test_transcript_over_the_limit_waits(conversation, openai_server, settings):
    settings.DAILY_BACKGROUND_CALLS = 0
    message = conversation.messages.get(role="user")
    file = send(message, "a.ogg", b"OggS What is in it")
    job = run(DerivationJob.objects.get())
    file.refresh_from_db()
    assert (job.error, file.state) == ("daily_limit", "pending")
    settings.DAILY_BACKGROUND_CALLS = 1
    let_a_day_pass(job)
    assert run(job).state == "done"
    assert calls() == 1


def test_title_over_the_limit_is_written_tomorrow(
    conversation, openai_server, settings
):
    settings.DAILY_BACKGROUND_CALLS = 0
    title_conversation(str(conversation.pk))
    job = run(SummaryJob.objects.get())
    assert (job.state, job.error) == ("waiting", "daily_limit")
    assert not openai_server.titles.requests
    settings.DAILY_BACKGROUND_CALLS = 1
    let_a_day_pass(job)
    assert run(job).state == "done"
    conversation.refresh_from_db()
    assert conversation.title == "A title"
    assert calls() == 1


def test_users_have_limits_of_their_own(extraction, openai_server, settings):
    settings.DAILY_BACKGROUND_CALLS = 1
    other = MembershipFactory(space=extraction.space).user
    DailyUse.objects.create(user=other, day=timezone.now().date(), calls=1)
    openai_server.titles.queue(says(CAT))
    assert run(extraction).state == "done"
