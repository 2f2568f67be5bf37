"""Messages are indexed with their turn, and removed when they are superseded."""

from datetime import timedelta

import numpy as np
import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from conversations import message_search
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, Message, MessageIndex
from conversations.new_conversation import Start
from conversations.reply import runner
from conversations.reply.revise import edit, regenerate
from conversations.reply.turn import begin
from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown, Refused
from memory import service
from memory.models.embedded import NO_MODEL
from memory.reembedding import reembed_all
from memory.tasks import embed
from people.models import Membership
from people.scope import scope_for
from tests.conversations.transcripts import exchange, say, start_conversation
from tests.factories import MembershipFactory
from tests.memory.embedders import WIDE, WordEmbedder
from tests.openai_answers import fails

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(db):
    return MembershipFactory()


@pytest.fixture
def conversation(member):
    return start_conversation(member.user, member.space)


def scope_of(conversation, **how):
    return scope_for(conversation.user, conversation.space_id, channel="web", **how)


def indexed(conversation, *, embedder=None, **how):
    """Index a conversation, and embed it if there is a model."""
    keys = message_search.index(
        scope_of(conversation, **how), conversation.messages.in_order()
    )
    if embedder is not None:
        service.index(MessageIndex.objects.filter(pk__in=keys), embedder=embedder)
    return keys


def models():
    return sorted(MessageIndex.objects.values_list("embedding_model", flat=True))


def test_message_is_indexed_as_it_was_sent(conversation):
    at = timezone.now() - timedelta(days=2)
    message = say(conversation, "user", "I play the violin", created_at=at)
    assert indexed(conversation, embedder=WordEmbedder()) == (message.pk,)
    row = MessageIndex.objects.get(pk=message.pk)
    assert (row.user_id, row.space_id) == (conversation.user_id, conversation.space_id)
    assert (row.session, row.place, row.speaker) == (message.episode_id, 1, "user")
    assert (row.content, row.stated_at) == ("I play the violin", at)
    assert row.embedding_model == "words"
    expected = WordEmbedder().embed(["I play the violin"])[0]
    assert np.allclose(row.vector, expected, atol=1e-4)


def test_only_finished_messages_are_indexed(conversation):
    exchange(conversation, "One", "Two")
    for status in ("streaming", "stopped", "failed", "interrupted", "superseded"):
        say(conversation, "assistant", status, status)
    say(conversation, "system", "A note was added")
    say(conversation, "user", " ")
    indexed(conversation)
    assert set(MessageIndex.objects.values_list("content", flat=True)) == {"One", "Two"}


def test_user_without_memory_is_not_indexed(conversation):
    exchange(conversation, "One", "Two")
    assert indexed(conversation, remember=False) == ()
    conversation.user.memory_on = False
    assert indexed(conversation) == ()
    guest = scope_for(None, conversation.space_id, channel="telegram")
    assert message_search.index(guest, conversation.messages.all()) == ()
    assert not MessageIndex.objects.exists()


def test_indexing_twice_leaves_one_row(conversation):
    exchange(conversation, "One", "Two")
    embedder = WordEmbedder()
    indexed(conversation, embedder=embedder)
    indexed(conversation, embedder=embedder)
    assert models() == ["words", "words"]
    assert len(embedder.asked) == 2


def test_only_the_beginning_of_a_long_message_is_indexed(conversation):
    say(conversation, "assistant", "word " * 10_000)
    indexed(conversation)
    assert len(MessageIndex.objects.get().content) == message_search.LONGEST_INDEXED


def test_failed_embeddings_are_retried_and_block_no_others(conversation):
    exchange(conversation, "I play the violin", "And the piano?")
    indexed(conversation, embedder=WordEmbedder(failure=ProviderDown("nobody there")))
    assert models() == [NO_MODEL] * 2
    assert reembed_all(embedder=embeddings.none()) == 0
    assert reembed_all(embedder=Choosy()) == 1
    assert models() == [NO_MODEL, "words"]
    assert reembed_all(embedder=WordEmbedder()) == 1
    assert reembed_all(embedder=WordEmbedder()) == 0


class Choosy(WordEmbedder):
    """Refuses all that has the piano in it."""

    def embed(self, texts):
        if any("piano" in text for text in texts):
            raise Refused
        return super().embed(texts)


def test_new_model_re_embeds_all_in_batches(conversation):
    for number in range(70):
        say(conversation, "user", f"Note {number}")
    indexed(conversation, embedder=WordEmbedder())
    asked = Counting(WIDE)
    assert reembed_all(embedder=asked) == 70
    assert set(models()) == {WIDE.name}
    assert asked.calls == 2


class Counting(WordEmbedder):
    calls = 0

    def embed(self, texts):
        self.calls += 1
        return super().embed(texts)


def test_periodic_tasks_find_work_of_lost_tasks(conversation):
    exchange(conversation, "I play the violin", "How nice")
    keys = indexed(conversation)
    assert embed("conversations.MessageIndex", [str(keys[0])]) == 1
    assert embed() == 1
    assert set(models()) == {embeddings.current_model().name}


def test_index_row_is_deleted_with_its_conversation_and_user(conversation):
    exchange(conversation, "One", "Two")
    other = start_conversation(conversation.user, conversation.space)
    exchange(other, "Three", "Four")
    indexed(conversation)
    indexed(other)
    delete_conversation(conversation)
    assert MessageIndex.objects.count() == 2
    other.user.delete()
    assert not MessageIndex.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestTurns:
    def test_both_messages_of_a_turn_have_a_row(self, member, openai_server):
        turn = write(begin(member.user, member.space_id, "Hello"))
        assert keys() == {turn.message.pk, turn.reply_id}

    def test_conversation_without_memory_has_no_index_rows(self, member, openai_server):
        start = Start(remember=False)
        write(begin(member.user, member.space_id, "Hello", start=start))
        assert keys() == set()

    def test_user_who_left_meanwhile_has_no_index_row(self, member, openai_server):
        turn = begin(member.user, member.space_id, "Hello")
        Membership.objects.all().delete()
        write(turn)
        assert keys() == set()

    def test_failed_reply_keeps_the_question(self, member, openai_server):
        openai_server.chat.queue(fails(401))
        turn = write(begin(member.user, member.space_id, "Hello"))
        assert keys() == {turn.message.pk}

    def test_new_reply_replaces_the_old_one(self, member, openai_server):
        turn = write(begin(member.user, member.space_id, "Hello"))
        again = regenerate(member.user, member.space_id, turn.reply_id)
        assert keys() == {turn.message.pk}
        write(again)
        assert keys() == {turn.message.pk, again.reply_id}

    def test_edited_message_removes_all_later_ones(self, member, openai_server):
        first = write(begin(member.user, member.space_id, "Hello"))
        conversation = Conversation.objects.get()
        write(
            begin(member.user, member.space_id, "More", conversation_id=conversation.pk)
        )
        turn = edit(member.user, member.space_id, first.message.pk, "Good day")
        assert keys() == set()
        write(turn)
        assert keys() == {turn.message.pk, turn.reply_id}


def keys():
    return set(MessageIndex.objects.values_list("pk", flat=True))


def write(turn):
    async def writing():
        await runner.write_reply(turn)

    async_to_sync(writing)()
    assert Message.objects.get(pk=turn.reply_id).status != "streaming"
    return turn
