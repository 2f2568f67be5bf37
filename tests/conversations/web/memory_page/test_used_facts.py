"""The folded line under a reply: what the user told that was looked at for it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.models import Message
from people.models import Space
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.factories import MemoryFactory, ProfileFactFactory


@pytest.fixture
def conversation(ann, home):
    return transcripts.start_conversation(ann, home, title="Pills")


@pytest.fixture
def reply(conversation):
    return transcripts.exchange(conversation, "May I?", "Yes.")


@pytest.fixture
def used(ann, home, reply):
    def used(text, rank=1, reply=reply, **fields):
        memory = MemoryFactory(user=ann, space=home, content=text)
        receive(reply, memory.pk, rank=rank, **fields)
        return memory

    return used


def show(client, conversation):
    return client.get(f"/chat/{conversation.pk}").text


def test_facts_are_counted_and_told(anns, conversation, used, reply):
    used("User is allergic to nuts")
    page = show(anns, conversation)
    assert "Looked at 1 thing you told me" in page
    assert "Is allergic to nuts" in page
    assert 'href="/memory"' in page
    used("User takes ramipril", rank=2)
    assert "Looked at 2 things you told me" in show(anns, conversation)
    assert "Looked at 2 things you told me" in anns.get(f"/chat/reply/{reply.pk}").text


def test_facts_about_safety_and_those_that_the_answer_touches_come_first(
    anns, conversation, used, reply
):
    used("User takes ramipril")
    used("User takes metformin", rank=2)
    used("User plays chess", rank=3, section="also_known")
    used("User had hives from penicillin", rank=4, section="also_known")
    reply.content = "No: you had hives from penicillin. Metformin is fine."
    reply.save()
    page = show(anns, conversation).partition("Looked at 3 things")[2]
    places = [page.find(word) for word in ("metformin", "penicillin", "ramipril")]
    assert places == sorted(places)
    assert "chess" not in page


def test_profile_in_the_prompt_is_told_too(anns, ann, home, conversation, used, reply):
    used("User takes ramipril")
    fact = ProfileFactFactory(user=ann, space=home, key="home_town", value="Leeds")
    receive(reply, fact.pk, kind="profile_fact", section="profile")
    page = show(anns, conversation)
    assert "Looked at 2 things you told me" in page
    assert "Home town: Leeds" in page
    anns.post(f"/memory/{fact.pk}/forget")
    assert "Looked at 1 thing you told me" in show(anns, conversation)


def test_without_any_nothing_is_said(anns, conversation, used):
    used("User is allergic to nuts", injected=False)
    used("User takes ramipril", rank=2, section="also_known")
    assert "told me" not in show(anns, conversation)


def test_profile_alone_is_in_every_prompt_and_is_not_told(
    anns, ann, home, conversation, reply
):
    fact = ProfileFactFactory(user=ann, space=home, key="home_town", value="Leeds")
    receive(reply, fact.pk, kind="profile_fact", section="profile")
    assert "told me" not in show(anns, conversation)


@pytest.mark.parametrize("status", ["failed", "interrupted"])
def test_reply_that_failed_says_nothing(anns, conversation, used, reply, status):
    used("User is allergic to nuts")
    Message.objects.filter(pk=reply.pk).update(status=status)
    assert "told me" not in show(anns, conversation)
    assert "told me" not in anns.get(f"/chat/reply/{reply.pk}").text


def test_the_stand_in_used_what_it_quotes(anns, conversation, used, reply):
    used("I am allergic to nuts")
    used("I live in Oslo", rank=2)
    quoted = "You said: “I am allergic to nuts”"
    Message.objects.filter(pk=reply.pk).update(model="offline", content=quoted)
    page = show(anns, conversation)
    assert "Looked at 1 thing you told me" in page
    assert "Oslo" not in page
    Message.objects.filter(pk=reply.pk).update(content="You're welcome.")
    assert "told me" not in show(anns, conversation)
    assert "told me" not in anns.get(f"/chat/reply/{reply.pk}").text


def test_forgotten_facts_vanish(anns, conversation, used):
    used("User takes ramipril")
    memory = used("User is allergic to nuts", rank=2)
    anns.post(f"/memory/{memory.pk}/forget")
    page = show(anns, conversation)
    assert "Looked at 1 thing you told me" in page
    assert "allergic" not in page


def test_facts_of_others_are_not_told(anns, conversation, used, bob):
    memory = used("User is allergic to nuts")
    memory.user = bob
    memory.save()
    assert "told me" not in show(anns, conversation)


def test_space_without_the_page_says_nothing(anns, conversation, used):
    used("User is allergic to nuts")
    Space.objects.update(memory_page=False)
    assert "told me" not in show(anns, conversation)


def test_log_needs_one_query_for_all_replies(anns, conversation, used):
    used("User is allergic to nuts")
    one = _queries(anns, conversation)
    for number in range(5):
        reply = transcripts.exchange(conversation, "And?", "Yes.")
        used(f"User has book {number}", reply=reply)
    assert _queries(anns, conversation) == one
    assert len([sql for sql in one if "conversations_receipt" in sql]) == 1


def _queries(client, conversation):
    """Their beginnings."""
    with CaptureQueriesContext(connection) as queries:
        show(client, conversation)
    return [query["sql"].partition(" WHERE ")[0] for query in queries]
