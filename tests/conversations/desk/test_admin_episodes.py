"""Why episodes began, on the pages of the admin."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Episode, EpisodeDecision
from people.models import User
from tests.conversations.chapters import MORNING, Chat
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)
ROSES = "When should I prune roses near the fence?"


@pytest.fixture
def desk():
    staff = User.objects.create_superuser("staff@example.com")
    client = Client()
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def chat(openai_server):
    """Two episodes."""
    chat = Chat(MembershipFactory())
    chat.say(ROSES)
    chat.say("Thanks for that!", MORNING + timedelta(hours=9))
    return chat


def read_page(desk, path):
    answer = desk.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.req("S2-51")
def test_staff_see_why_each_message_is_in_its_episode(desk, chat):
    EpisodeDecision.objects.filter(reason="first").update(similarity=0.1234)
    first = Episode.objects.earliest("started_at")
    episodes = read_page(desk, reverse("admin:conversations_episode_changelist"))
    assert str(first.pk) in episodes
    page = read_page(
        desk, reverse("admin:conversations_episode_change", args=[first.pk])
    )
    decisions = reverse("admin:conversations_episodedecision_changelist")
    assert f"{decisions}?q={first.pk}" in page
    every = read_page(desk, decisions)
    assert "long pause" in every
    of_first = read_page(desk, f"{decisions}?q={first.pk}")
    assert "first message" in of_first
    assert "0.123" in of_first
    assert '<td class="field-reason">long pause' not in of_first
    message = chat.decisions()[1].message
    one = reverse("admin:conversations_episodedecision_change", args=[message.pk])
    assert "long pause" in read_page(desk, one)


def test_pages_of_episodes_show_no_texts(desk, chat):
    episode = Episode.objects.earliest("started_at")
    for path in (
        reverse("admin:conversations_episode_changelist"),
        reverse("admin:conversations_episode_change", args=[episode.pk]),
        reverse("admin:conversations_episodedecision_changelist"),
    ):
        assert "roses" not in read_page(desk, path)


def test_transcript_tells_where_episodes_begin(desk, chat):
    Episode.objects.filter(status="active").update(topic_label="Thanks")
    conversation = reverse(
        "admin:conversations_conversation_change", args=[chat.conversation.pk]
    )
    page = read_page(desk, conversation)
    assert "user, done, first message<" in page
    assert "user, done, long pause: Thanks<" in page
