"""A search of one chat, through each door that searches."""

from uuid import uuid4

import pytest

from conversations.models import Message
from memory.models import MemoryStatement
from tests.conversations.api.mcp.test_http import call as call_tool
from tests.conversations.api.mem0.test_dialect import call as call_mem0
from tests.conversations.transcripts import say, start_conversation
from tests.factories import MemoryFactory, ProfileFactFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.req("S2-42")]
QUERY = "allergic to nuts"


@pytest.fixture
def chats(member):
    """Two conversations, in each of which a fact was said."""
    made = []
    for text in (
        "User is allergic to nuts of Brazil",
        "User is allergic to nuts of pines",
    ):
        conversation = start_conversation(member.user, member.space)
        message = say(conversation, "user", text)
        owned = {"user": member.user, "space": member.space}
        MemoryFactory(**owned, content=text, safety=True, source_message=message)
        made.append(conversation)
    return made


def rest(api, room):
    answer = api.send("GET", "/api/memories/search", params={"q": QUERY, "room": room})
    return {row["text"] for row in answer.json()["memories"]}


def rest_by_body(api, room):
    answer = api.send("POST", "/api/memories/search", json={"q": QUERY, "room": room})
    return {row["text"] for row in answer.json()["memories"]}


def mcp(api, room):
    found = call_tool(api, "recall", query=QUERY, room=room)["memories"]
    return {row["text"] for row in found}


def mem0(api, room):
    body = {"query": QUERY, "filters": {"run_id": room}}
    found = call_mem0(api, "POST", "/v3/memories/search/", json=body)["results"]
    return {row["memory"] for row in found}


DOORS = pytest.mark.parametrize("search", [rest, rest_by_body, mcp, mem0])


@DOORS
def test_search_finds_what_was_said_in_the_conversation_alone(ann, chats, search):
    brazil, pines = map(str, (chat.pk for chat in chats))
    assert search(ann.api, brazil) == {"User is allergic to nuts of Brazil"}
    assert search(ann.api, pines) == {"User is allergic to nuts of pines"}
    assert search(ann.api, str(uuid4())) == set()


@DOORS
def test_search_finds_what_was_said_in_the_room_alone(ann, chats, search):
    for room in ("kitchen", "garden"):
        ann.add(f"I am allergic to nuts of the {room}", room=room)
    assert search(ann.api, "kitchen") == {"I am allergic to nuts of the kitchen"}
    assert search(ann.api, "attic") == set()


def test_fact_that_was_said_again_elsewhere_is_of_both_conversations(ann, chats):
    brazil, pines = chats
    message = Message.objects.get(conversation=pines)
    fact = message.memories.get()
    again = Message.objects.get(conversation=brazil)
    MemoryStatement.objects.add_first([fact])
    MemoryStatement.objects.create(
        memory=fact, message_id=again.pk, stated_at=again.created_at
    )
    assert fact.content in rest(ann.api, str(brazil.pk))
    assert fact.content in rest(ann.api, str(pines.pk))
    MemoryStatement.objects.filter(message_id=again.pk).update(withdrawn=True)
    assert fact.content not in rest(ann.api, str(brazil.pk))


def test_profile_belongs_to_the_conversation_that_stated_it(ann, member, chats):
    brazil, pines = chats
    message = Message.objects.get(conversation=brazil)
    owned = {"user": member.user, "space": member.space}
    ProfileFactFactory(**owned, key="diet", value="no nuts", message_id=message.pk)
    assert "diet: no nuts" in ann.texts(room=str(brazil.pk))
    assert "diet: no nuts" not in ann.texts(room=str(pines.pk))


def test_conversation_of_another_member_holds_nothing(ann, bob, member, chats):
    for chat in chats:
        assert rest(bob.api, str(chat.pk)) == set()
    theirs = start_conversation(bob.api.key.user, member.space)
    said = say(theirs, "user", "We eat nuts on Mondays")
    MemoryFactory(
        user=None,
        space=member.space,
        audience="space",
        content="Memory line: We eat nuts on Mondays.",
        source_message=said,
        linked=False,
    )
    assert rest(ann.api, str(theirs.pk)) == set()
    assert ann.texts(room=str(theirs.pk)) == []
