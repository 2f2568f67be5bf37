"""Why episodes began, on the pages of the admin."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Episode
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
def test_transcript_tells_where_episodes_begin(desk, chat):
    Episode.objects.filter(status="active").update(topic_label="Thanks")
    conversation = reverse(
        "admin:conversations_conversation_change", args=[chat.conversation.pk]
    )
    page = read_page(desk, conversation)
    assert "user, done, first message<" in page
    assert "user, done, long pause: Thanks<" in page
