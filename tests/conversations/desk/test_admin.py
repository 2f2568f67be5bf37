"""Conversations in the admin; views of a transcript are recorded."""

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import reverse

from conversations.models import (
    Conversation,
    Feedback,
    Message,
    Thread,
)
from conversations.reply.append_messages import append_line
from memory.admin_events import summary_of
from memory.models import Memory, MemoryEvent
from people.models import User
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.factories import MembershipFactory, MemoryFactory, UserFactory
from tests.memory.embedders import WordEmbedder

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def staff(db) -> User:
    return User.objects.create_superuser("staff@example.com")


@pytest.fixture
def desk(staff) -> Client:
    client = Client()
    client.force_login(staff, backend=BACKEND)
    return client


@pytest.fixture
def conversation(db):
    member = MembershipFactory()
    conversation = transcripts.start_conversation(
        member.user, member.space, title="Knee"
    )
    transcripts.exchange(
        conversation, "My <b>knee</b> hurts.", "Since when?", "stopped"
    )
    return conversation


@pytest.fixture
def receipt(conversation):
    memory = Memory(
        user=conversation.user, space=conversation.space, content="x", content_hash="x"
    )
    memory.vector = WordEmbedder().embed(["x"])[0]
    memory.embedding_model = "test"
    memory.save()
    reply = conversation.messages.get(role="assistant")
    return receive(reply, memory.pk, score=0.61)


def change(row):
    return reverse(f"admin:conversations_{row._meta.model_name}_change", args=[row.pk])


def listed(model):
    return reverse(f"admin:conversations_{model._meta.model_name}_changelist")


def test_view_of_a_transcript_is_recorded(desk, conversation, receipt):
    content = desk.get(change(conversation)).content.decode()
    assert "My &lt;b&gt;knee&lt;/b&gt; hurts." in content
    assert "0.61" in content
    assert "1. memory, remembered facts:" in content
    page = reverse("admin:memory_memory_change", args=[receipt.told[0]])
    assert page in content
    looks = MemoryEvent.objects.filter(kind="inspection", user=conversation.user)
    assert [look.data for look in looks.order_by("created_at")] == [
        {"conversations": [str(conversation.pk)]},
        {"memories": [str(receipt.told[0])]},
    ]


def test_receipts_of_a_transcript_show_sentences_to_those_who_may_see_them(
    desk, conversation, receipt
):
    Memory.objects.update(content="User plays chess")
    assert "User plays chess" in desk.get(change(conversation)).text
    clerk = UserFactory(is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_conversation"))
    client = Client()
    client.force_login(clerk, backend=BACKEND)
    page = client.get(change(conversation)).text
    assert "User plays chess" not in page
    assert str(receipt.told[0]) in page


@pytest.mark.django_db(transaction=True)
def test_staff_delete_ingested_conversations_and_no_other(desk, conversation):
    ingested = transcripts.start_conversation(conversation.user, conversation.space)
    transcripts.exchange(ingested, "I like tea.", "Fine.", "done")
    Thread.objects.filter(pk=ingested.thread_id).update(channel="ingest")
    keys = [ingested.pk, conversation.pk]
    chosen = {"action": "delete_selected", "post": "yes", "_selected_action": keys}
    assert desk.post(listed(Conversation), chosen).status_code == 403
    chosen["_selected_action"] = keys[:1]
    asked = desk.post(listed(Conversation), chosen | {"post": ""})
    assert "Are you sure" in asked.text
    desk.post(listed(Conversation), chosen)
    assert list(Conversation.objects.all()) == [conversation]
    assert not Message.objects.filter(content="I like tea.").exists()


def test_transcript_says_which_reply_had_a_note_about_an_emergency(desk, conversation):
    before = desk.get(change(conversation)).content.decode()
    assert "emergency note" not in before
    reply = conversation.messages.get(role="assistant")
    reply.emergency_note = "**This may be an emergency.**"
    reply.save()
    assert ", emergency note</h3>" in desk.get(change(conversation)).content.decode()


def test_transcript_has_the_lines_about_memories(desk, conversation):
    owner = {"user": conversation.user, "space": conversation.space}
    memory = MemoryFactory(**owner, content="User takes ramipril")
    reply = conversation.messages.get(role="assistant")
    with transaction.atomic():
        append_line(reply, "", [memory.pk], line_kind="remembered")
    assert "Remembered: Takes ramipril" in desk.get(change(conversation)).text


def test_lists_and_single_messages_show_no_texts(desk, conversation):
    message = conversation.messages.get(role="assistant")
    paths = [listed(type(conversation)), listed(Message), change(message)]
    for path in paths:
        content = desk.get(path).content.decode()
        assert "Since when?" not in content
        assert "knee" not in content.lower()
    assert MemoryEvent.objects.count() == 0


def test_receipts_of_a_message_show_sentences_which_is_recorded(
    desk, staff, conversation, receipt
):
    Memory.objects.update(content="User plays chess")
    page = desk.get(change(receipt.message)).text
    link = reverse("admin:memory_memory_change", args=[receipt.told[0]])
    assert f'<a href="{link}" dir="auto">User plays chess</a>' in page
    look = MemoryEvent.objects.get(kind="inspection", user=conversation.user)
    assert look.data == {"memories": [str(receipt.told[0])]}


def test_titles_are_listed_once_a_user_is_chosen_which_is_recorded(desk, conversation):
    assert "Knee" not in desk.get(listed(Conversation), {"q": conversation.pk}).text
    assert MemoryEvent.objects.count() == 0
    assert "Knee" in desk.get(listed(Conversation), {"user": conversation.user_id}).text
    look = MemoryEvent.objects.get(kind="inspection", user=conversation.user)
    assert look.data["conversations"] == [str(conversation.pk)]


def test_reasons_of_feedback_are_seen_of_a_chosen_user_or_on_its_page_and_recorded(
    desk, staff, conversation
):
    reply = conversation.messages.get(role="assistant")
    owner = {"user": conversation.user, "space": conversation.space}
    feedback = Feedback.objects.create(
        message=reply, rating="bad", reason="My cancer is not a cold.", **owner
    )
    assert "cancer" not in desk.get(listed(Feedback)).text
    found = desk.get(listed(Feedback), {"q": "cancer"}).context["cl"].queryset
    assert list(found) == []
    assert MemoryEvent.objects.count() == 0
    for path in (change(feedback), f"{listed(Feedback)}?user={conversation.user_id}"):
        MemoryEvent.objects.all().delete()
        assert "cancer" in desk.get(path).text
        look = MemoryEvent.objects.get(kind="inspection", user=conversation.user)
        assert look.data == {"feedback": [str(feedback.pk)]}
        assert summary_of(look) == "saw 1"


def test_refused_view_of_a_transcript_is_not_recorded(conversation):
    clerk = UserFactory(is_staff=True)
    client = Client()
    client.force_login(clerk, backend=BACKEND)
    assert client.get(change(conversation)).status_code == 403
    assert MemoryEvent.objects.count() == 0


def test_nothing_can_be_changed_or_deleted_by_hand(desk, conversation, receipt):
    for row in (conversation, conversation.messages.first()):
        assert desk.post(change(row), {"title": "x"}).status_code == 403
        delete = change(row).replace("/change/", "/delete/")
        assert desk.post(delete, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("query", ["key", "address", "space"])
def test_staff_find_a_conversation(desk, conversation, query):
    words = {
        "key": str(conversation.pk),
        "address": conversation.user.email,
        "space": conversation.space.name,
    }
    found = desk.get(listed(type(conversation)), {"q": words[query]}).content.decode()
    assert change(conversation) in found
    other = desk.get(listed(type(conversation)), {"q": "nothing"}).content.decode()
    assert change(conversation) not in other


@pytest.mark.parametrize("count", [1, 20])
def test_admin_lists_need_a_fixed_number_of_queries(
    desk, conversation, count, django_assert_num_queries
):
    for _ in range(count):
        other = transcripts.start_conversation(conversation.user, conversation.space)
        transcripts.exchange(other, "Question", "Answer")
    desk.get(listed(Message))  # fills the cache of content types
    for model, expected in ((type(conversation), 5), (Message, 6)):
        with django_assert_num_queries(expected):
            desk.get(listed(model))


@pytest.mark.parametrize("count", [1, 20])
def test_transcript_needs_a_fixed_number_of_queries(
    desk, conversation, receipt, count, django_assert_num_queries
):
    for _ in range(count):
        reply = transcripts.exchange(conversation, "Question", "Answer")
        receive(reply, receipt.told[0], score=0.5)
    desk.get(change(conversation))  # fills the cache of content types
    with django_assert_num_queries(20):
        desk.get(change(conversation))
