"""Recall of a user's own messages, with their neighbours."""

import pytest

from conversations import message_search
from conversations.deletion import delete_conversation
from conversations.models import Conversation, Message, MessageIndex
from conversations.shelves import MESSAGES, SPEAKERS
from memory.recall.recall import prepare_query, recall
from memory.recall.shelves import MEMORIES
from people.models import Membership
from people.scope import NotAMember, scope_for
from tests.conversations.transcripts import exchange, say, start_conversation
from tests.factories import MemoryFactory, SpaceFactory, UserFactory
from tests.memory.embedders import WordEmbedder

pytestmark = pytest.mark.django_db
VIOLIN = "I play the violin in an orchestra"


@pytest.fixture
def ann(db):
    return UserFactory(name="Ann")


@pytest.fixture
def bob(db):
    return UserFactory(name="Bob")


@pytest.fixture
def home(ann, bob):
    return SpaceFactory(members=[ann, bob])


@pytest.fixture
def office(ann):
    return SpaceFactory(members=[ann])


@pytest.fixture
def conversation(ann, home):
    return start_conversation(ann, home)


def scope_of(conversation, **how):
    return scope_for(conversation.user, conversation.space_id, channel="web", **how)


def entered(conversation, **how):
    keys = message_search.index(
        scope_of(conversation, **how), conversation.messages.in_order()
    )
    message_search.embed_messages(keys, embedder=WordEmbedder())
    return conversation


def recalled(conversation, asked, *, shelves=(MESSAGES,), ranking="fused", limit=None):
    query = prepare_query(asked, embedder=WordEmbedder(), names=SPEAKERS)
    scope = scope_of(conversation)
    return recall(scope, query, shelves=shelves, ranking=ranking, limit=limit).items


def texts(*where, **how):
    return [item.text for item in recalled(*where, **how)]


@pytest.mark.parametrize("ranking", ["fused", "chat"])
def test_a_message_is_recalled_in_any_later_conversation(conversation, ranking):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation)
    [first, *_] = recalled(conversation, "Do I play the violin?", ranking=ranking)
    assert (first.text, first.shelf) == (VIOLIN, "message_index")
    assert Message.objects.get(pk=first.memory_id).content == VIOLIN


def test_messages_of_others_are_not_recalled(conversation, ann, bob, home, office):
    exchange(conversation, "I like chess and the violin", "Good")
    exchange(start_conversation(bob, home), VIOLIN, VIOLIN)
    exchange(start_conversation(ann, office), VIOLIN, VIOLIN)
    for other in Conversation.objects.all():
        entered(other)
    assert texts(conversation, VIOLIN) == ["I like chess and the violin"]
    assert MessageIndex.objects.filter(content=VIOLIN).count() == 4


def test_messages_of_a_conversation_without_memory_are_not_recalled(conversation):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation, remember=False)
    assert texts(conversation, VIOLIN) == []


def test_users_without_memory_or_membership_recall_nothing(conversation, ann, home):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation)
    ann.memory_on = False
    off = scope_for(ann, home.pk, channel="web")
    assert recall(off, VIOLIN, shelves=[MESSAGES], ranking="fused").items == ()
    Membership.objects.filter(user=ann, space=home).delete()
    with pytest.raises(NotAMember):
        scope_for(ann, home.pk, channel="web")


def test_messages_of_a_deleted_conversation_are_not_recalled(conversation, ann, home):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation)
    delete_conversation(conversation)
    assert texts(start_conversation(ann, home), VIOLIN) == []


def test_an_answer_is_found_by_the_words_of_its_question(conversation):
    exchange(conversation, "Tea or coffee?", "Thanks, neither")
    exchange(conversation, "Where did I buy the violin?", "In a shop in Lublin")
    entered(conversation)
    assert set(texts(conversation, "violin", limit=2)) == {
        "Where did I buy the violin?",
        "In a shop in Lublin",
    }


def test_messages_of_the_named_speaker_come_first(conversation):
    say(conversation, "user", "Running helps the knee")
    say(conversation, "system", "A note was added")
    say(conversation, "assistant", "Running hurts the knee")
    entered(conversation)
    told = texts(conversation, "What did Meddie say about running and the knee?")
    assert told[0] == "Running hurts the knee"


def test_a_long_answer_does_not_displace_a_short_statement(conversation):
    advice = " ".join(f"advice{n}" for n in range(900))
    exchange(
        conversation, "Help me", f"About dinner, salmon, rice and garlic: {advice}"
    )
    exchange(
        start_conversation(conversation.user, conversation.space),
        "Salmon with rice on Fridays",
        "Ok",
    )
    for one in Conversation.objects.all():
        entered(one)
    assert (
        texts(conversation, "salmon rice garlic dinner")[0]
        == "Salmon with rice on Fridays"
    )


def test_facts_and_messages_are_merged_by_score(conversation, ann, home):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation)
    MemoryFactory(user=ann, space=home, content="User plays the violin")
    found = recalled(
        conversation, "Who plays the violin?", shelves=(MEMORIES, MESSAGES)
    )
    assert {item.shelf for item in found} == {"memories", "message_index"}
    assert [i.score for i in found] == sorted((i.score for i in found), reverse=True)


def test_overview_questions_recall_no_messages(conversation):
    exchange(conversation, VIOLIN, "How lovely")
    entered(conversation)
    assert texts(conversation, "What do you know about me?") == []
