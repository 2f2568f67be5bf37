"""Conversations of the API on the pages of their user."""

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Conversation, Message
from tests.conversations.api.openai.client import said

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(api):
    api.ask("My knee hurts a lot", chat="c1")
    return Conversation.objects.get()


@pytest.fixture
def page(member):
    client = Client()
    client.force_login(member.user)
    return client


def url(name, row):
    return reverse(f"conversations:{name}", args=[row.pk])


def test_conversation_is_in_the_list_with_a_mark(conversation, page):
    text = page.get("/chat").text
    assert "My knee hurts a lot" in text
    assert "<span>API</span>" in text


def test_conversation_is_read_and_not_continued(conversation, page):
    text = page.get(url("show", conversation)).text
    assert "Hello" in text
    assert "continues in the app in which it began" in text
    assert "composer-form" not in text
    assert 'title="Edit"' not in text
    assert "newest-only" not in text


def test_message_of_pictures_alone_is_no_empty_bubble(api, page):
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    api.ask(said([picture]), chat="c1")
    text = page.get(url("show", Conversation.objects.get())).text
    assert "A message without text" in text


def test_conversation_is_deleted(conversation, page):
    page.post(url("delete", conversation))
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()


def test_conversation_cannot_be_changed_by_a_form(conversation, page):
    question, reply = Message.objects.order_by("seq")
    sent = {"conversation": conversation.pk, "text": "More"}
    answers = [
        page.post(reverse("conversations:send"), sent, headers=HTMX),
        page.post(url("edit", question), {"text": "More"}, headers=HTMX),
        page.post(url("regenerate", reply), headers=HTMX),
    ]
    assert [answer.status_code for answer in answers] == [409, 409, 409]
    assert all("continues in the app" in answer.text for answer in answers)
    assert Message.objects.current().count() == 2
