"""Pinning, archiving and deleting conversations in the list."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation
from memory.models import Memory
from tests.conversations import transcripts
from tests.factories import MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)  # an asynchronous view

ORGANISE = reverse("conversations:organise")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def three(ann, home):
    return [
        transcripts.start_conversation(ann, home, title=title, days_ago=days)
        for days, title in enumerate(("Newest", "Middle", "Oldest"))
    ]


def organise(client, action, *conversations, headers=None, **more):
    keys = [conversation.pk for conversation in conversations]
    data = {"action": action, "conversation": keys, **more}
    return client.post(ORGANISE, data, headers=headers)


def titles(client, **query):
    groups = client.get("/chat", query).context["listing"].groups
    return [
        (group.name, [row.conversation.title for row in group.rows]) for group in groups
    ]


def test_pinned_conversations_come_first(anns, three):
    organise(anns, "pin", three[2])
    assert titles(anns)[:2] == [("Pinned", ["Oldest"]), ("Today", ["Newest"])]
    organise(anns, "unpin", three[2])
    assert titles(anns)[0] == ("Today", ["Newest"])


def test_archived_conversations_have_a_view_of_their_own(anns, three):
    organise(anns, "archive", *three[:2])
    assert titles(anns) == [("Previous 7 days", ["Oldest"])]
    assert [names for _, names in titles(anns, archived=1)] == [["Newest"], ["Middle"]]
    organise(anns, "unarchive", three[0])
    assert titles(anns)[0] == ("Today", ["Newest"])


def test_archive_is_offered_if_the_list_is_empty(anns, three):
    assert "?archived=1" not in anns.get("/chat/new").content.decode()
    organise(anns, "archive", *three)
    assert "?archived=1" in anns.get("/chat/new").content.decode()


def test_message_brings_an_archived_conversation_back(anns, three):
    organise(anns, "archive", three[0])
    Conversation.objects.update(last_message_at=timezone.now())
    assert Conversation.objects.archived().count() == 0


def test_message_of_a_fast_clock_does_not_keep_it_in_the_list(anns, three):
    soon = timezone.now() + timedelta(minutes=1)
    Conversation.objects.filter(pk=three[0].pk).update(last_message_at=soon)
    organise(anns, "archive", three[0])
    assert Conversation.objects.archived().get() == three[0]


def test_archive_shows_no_pins_and_the_list_shows_them_again(anns, three):
    organise(anns, "pin", three[2])
    organise(anns, "archive", three[0], three[2])
    assert titles(anns, archived=1)[0] == ("Today", ["Newest"])
    organise(anns, "unarchive", three[2])
    assert titles(anns)[0] == ("Pinned", ["Oldest"])


def undo(client, answer, headers=None):
    """Press the button of the line that tells what was done."""
    found = re.search(r'<div class="told">.*?</div>', answer.text, re.DOTALL)
    keys = re.findall(r'name="conversation" value="([^"]+)"', found[0])
    [action] = re.findall(r'name="action" value="(\w+)"', found[0])
    data = {"action": action, "conversation": keys}
    return client.post(ORGANISE, data, headers=headers, follow=headers is None)


@pytest.mark.parametrize("action", ["pin", "unpin", "archive", "unarchive"])
@pytest.mark.parametrize("headers", [None, HTMX])
def test_each_action_is_told_and_can_be_undone(anns, three, action, headers):
    organise(anns, "archive" if action == "unarchive" else "pin", three[0], three[1])
    before = titles(anns), titles(anns, archived=1)
    done = organise(anns, action, *three, headers=headers)
    told = done if headers else anns.get(done.headers["Location"])
    assert "<bdi>3 conversations</bdi>" in told.text
    assert (titles(anns), titles(anns, archived=1)) != before
    undone = undo(anns, told, headers)
    assert "Undo" in undone.text
    assert (titles(anns), titles(anns, archived=1)) == before


def test_one_is_told_by_its_title(anns, three):
    answer = organise(anns, "archive", three[0], headers=HTMX)
    assert "Archived: <bdi>Newest</bdi>" in answer.text
    assert answer.headers["HX-Retarget"] == "#told"
    answer = organise(anns, "archive", three[0], headers=HTMX)
    assert "Undo" not in answer.text


def test_deletion_is_told_as_final(anns, three):
    organise(anns, "delete", *three[:2], confirmed="1")
    shown = anns.get("/chat").text
    assert "Deleted for good: <bdi>2 conversations</bdi>" in shown
    assert "Undo" not in shown


def test_several_are_deleted_after_a_question(anns, three):
    asked = organise(anns, "delete", *three[:2])
    assert "Delete 2 conversations" in asked.content.decode()
    assert Conversation.objects.count() == 3
    organise(anns, "delete", *three[:2], confirmed="1")
    assert list(Conversation.objects.all()) == [three[2]]


def test_facts_stated_in_several_are_forgotten_if_wanted(anns, ann, home, three):
    facts = [
        MemoryFactory(
            user=ann, space=home, source_message=transcripts.say(where, "user", "I")
        )
        for where in three
    ]
    asked = organise(anns, "delete", *three[:2])
    assert "Also forget what I said here (2 things)" in asked.text
    organise(anns, "delete", *three[:2], confirmed="1", forget="1")
    assert Memory.objects.exclude(content="").get() == facts[2]
    assert "Deleted for good, and 2 things forgotten: <bdi>2" in anns.get("/chat").text


def test_fact_stated_in_two_of_the_chosen_is_forgotten_with_both(
    anns, ann, home, three
):
    said = [transcripts.say(where, "user", "I") for where in three[:2]]
    fact = MemoryFactory(user=ann, space=home, source_message=said[0])
    for message in said:
        fact.statements.create(message_id=message.pk, stated_at=message.created_at)
    assert "Also forget" not in organise(anns, "delete", three[0], three[2]).text
    asked = organise(anns, "delete", *three[:2])
    assert "Also forget what I said here (1 thing)" in asked.text
    organise(anns, "delete", *three[:2], confirmed="1", forget="1")
    fact.refresh_from_db()
    assert (fact.active, fact.content) == (False, "")
    assert "Deleted for good, and 1 thing forgotten: <bdi>2" in anns.get("/chat").text


@pytest.mark.parametrize("action", ["pin", "archive", "delete"])
def test_conversations_of_others_are_not_found(bobs, three, action):
    answer = organise(bobs, action, *three, confirmed="1")
    assert answer.status_code == 404
    assert Conversation.objects.unarchived().filter(pinned=False).count() == 3


@pytest.mark.parametrize("data", [{}, {"action": "burn"}, {"action": "pin"}])
def test_incomplete_requests_are_not_found(anns, three, data):
    assert anns.post(ORGANISE, data).status_code == 404


def test_open_page_is_told_to_load_its_lists(anns, three):
    answer = organise(anns, "pin", three[0], headers=HTMX)
    assert "conversations-changed" in json.loads(answer.headers["HX-Trigger"])


def test_deleting_the_open_conversation_leaves_its_page(anns, three):
    def delete(conversation, shown):
        url = reverse("conversations:delete", args=[conversation.pk])
        here = {"HX-Current-URL": f"http://testserver/chat/{shown.pk}"}
        return anns.post(url, headers=HTMX | here).headers

    assert "HX-Redirect" not in delete(three[0], shown=three[1])
    assert delete(three[1], shown=three[1])["HX-Redirect"] == "/chat/new"


def test_menu_offers_what_can_be_done(anns, three):
    organise(anns, "archive", three[0])
    address = reverse("conversations:actions", args=[three[0].pk])
    content = anns.get(address, headers=HTMX).content.decode()
    for name in ("Rename", "Unarchive", "Export as Markdown", "Delete"):
        assert name in content
    assert "Pin" not in content
    assert "<html" not in content
    assert "<html" in anns.get(address).content.decode()


def test_rows_of_conversations_without_a_person_have_no_label(anns, three):
    assert "General" not in anns.get("/chat").content.decode()


@pytest.mark.parametrize("path", ["/people", "/account", "/spaces/new", "/chat/keys"])
def test_rail_costs_every_page_one_statement(
    anns, three, path, django_assert_max_num_queries
):
    with django_assert_max_num_queries(30) as seen:
        content = anns.get(path).content.decode()
    assert "Newest" in content
    assert "Home" in content
    of_list = 'FROM "conversations_conversation" INNER JOIN'
    statements = [q["sql"] for q in seen.captured_queries]
    assert len([sql for sql in statements if of_list in sql]) == 1
