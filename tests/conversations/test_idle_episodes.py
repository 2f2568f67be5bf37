"""Episodes whose pause has passed are closed and summed up without another message."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from conversations import tasks
from conversations.episodes.switching import TIME_GAP, close_idle
from conversations.models import Episode, Summary, Thread
from memory.models import EpisodicMemory, Memory, MemoryPolicy
from tests.conversations.summing import LEASE, Talkative, run_summaries
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVENING = MORNING + TIME_GAP
MOMENT = timedelta(seconds=1)
TOLD = {
    "summary": "The user is allergic to birch pollen.",
    "topic": "allergies",
    "facts_candidates": [
        {"text": "User is allergic to birch pollen", "confidence": 0.9}
    ],
}


@pytest.fixture
def chat(openai_server):
    openai_server.titles.default = says(json.dumps(TOLD))
    chat = Talkative(MembershipFactory())
    MemoryPolicy.objects.create(space=chat.member.space, background_capture="always")
    chat.say("I am allergic to birch pollen.", MORNING, reply="I see.")
    return chat


@pytest.mark.req("S2-23", "S2-29")
def test_episode_is_summed_up_when_its_pause_has_passed(chat):
    assert close_idle(EVENING) == 0
    assert close_idle(EVENING + MOMENT) == 1
    episode = Episode.objects.get()
    assert (episode.status, episode.ended_at) == ("closed", EVENING)
    run_summaries()
    run_due()
    assert Summary.objects.get().text == TOLD["summary"]
    assert EpisodicMemory.objects.get().content == TOLD["summary"]
    assert Memory.objects.get().run_id == episode.pk
    assert close_idle(EVENING + MOMENT) == 0


def test_periodic_task_closes_episodes_of_the_past_alone(chat):
    chat.say("How long does the season last?", timezone.now() - TIME_GAP / 2)
    assert tasks.close_idle_episodes() == 0
    other = Talkative(chat.member)
    other.say("Is rye harmless?", timezone.now() - TIME_GAP - MOMENT)
    assert tasks.close_idle_episodes() == 1
    closed = Episode.objects.get(conversation=other.conversation)
    assert closed.status == "closed"


def test_episode_stays_open_while_a_late_message_is_answered(chat):
    thread = Thread.objects.filter(pk=chat.conversation.thread_id)
    assert thread.lease_to(LEASE)
    assert close_idle(EVENING + MOMENT) == 0
    thread.give_back()
    assert close_idle(EVENING + MOMENT) == 1


@pytest.mark.req("S2-23")
def test_late_message_opens_its_episode_again(chat):
    close_idle(EVENING + MOMENT)
    run_summaries()
    chat.say("Which months are the worst?", MORNING + TIME_GAP / 2, reply="April.")
    episode = Episode.objects.get()
    assert (episode.status, episode.ended_at) == ("active", None)
    assert not EpisodicMemory.objects.exists()
    close_idle(EVENING + TIME_GAP)
    run_summaries()
    final = Summary.objects.get(kind=Summary.Kind.FINAL)
    assert (final.first_seq, final.last_seq) == (1, 4)
    assert EpisodicMemory.objects.count() == 1


@pytest.mark.req("S2-23")
def test_message_after_a_closed_pause_has_the_pause_as_its_reason(chat):
    close_idle(EVENING + MOMENT)
    reply = chat.say("Good evening.", EVENING + MOMENT)
    assert reply.answers.episode_reason == "time_gap"
    assert Episode.objects.filter(status="active").get() == reply.episode
