"""`manage.py reembed`: vectors of the model in use for all that is searched."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from conversations import message_search
from conversations.models import AttachmentText, Message, MessageIndex
from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory.models import EpisodicMemory, Memory
from people.scope import scope_for
from tests.conversations import transcripts
from tests.factories import AttachmentFactory, MembershipFactory, MemoryFactory
from tests.memory.embedders import WORDS, WordEmbedder

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stored")]
TABLES = (Memory, EpisodicMemory, MessageIndex, AttachmentText)
OLD = {"embedding_model": "old"}


@pytest.fixture
def stored():
    """A fact, an episode, a question with its answer, and the text of a file."""
    member = MembershipFactory()
    owner = {"user": member.user, "space": member.space}
    MemoryFactory(**owner)
    Memory.objects.update(embedding_model="old")
    conversation = transcripts.start_conversation(member.user, member.space)
    reply = transcripts.exchange(conversation, "Hello", "Good morning")
    scope = scope_for(member.user, member.space.pk, channel="web")
    MessageIndex.objects.all().delete()
    message_search.index(scope, Message.objects.all())
    turns = {"turn_start": 1, "turn_end": 2, "turn_range": "turns 1-2"}
    said = {"stated_at": timezone.now(), "content": "They greet each other."}
    EpisodicMemory.objects.create(
        **owner, run_id=uuid4(), thread_id=uuid4(), **turns, **said, **OLD
    )
    file = AttachmentFactory(message=reply)
    AttachmentText.objects.create(
        **owner, attachment=file, kind="caption", searchable=True, **said, **OLD
    )


@pytest.fixture
def embedder(monkeypatch):
    embedder = WordEmbedder()
    monkeypatch.setattr(embeddings, "current_embedder", lambda: embedder)
    return embedder


@pytest.fixture
def reembed(capsys, embedder):
    def reembed(**options):
        call_command("reembed", **options)
        return capsys.readouterr().out.splitlines()

    return reembed


def stale():
    return [t.objects.exclude(embedding_model=WORDS.name).count() for t in TABLES]


def test_all_tables_are_embedded(reembed, embedder):
    assert stale() == [1, 1, 2, 1]
    left = reembed()
    assert stale() == [0, 0, 0, 0]
    assert {"0 memories left", "0 episodic memories left"} < set(left)
    embedder.asked.clear()
    reembed()
    assert embedder.asked == []


def test_a_dry_run_counts_what_is_left(reembed, embedder):
    left = reembed(dry_run=True)
    assert sorted(line.split()[0] for line in left) == ["1", "1", "1", "2"]
    assert embedder.asked == []


def test_a_failing_model_is_reported_and_the_command_can_be_repeated(reembed, embedder):
    embedder.failure = ProviderDown("out of order")
    with pytest.raises(CommandError, match="does not answer"):
        reembed()
    assert stale() == [1, 1, 2, 1]
    embedder.failure = None
    reembed()
    assert stale() == [0, 0, 0, 0]


def test_without_a_model_nothing_is_counted(reembed, monkeypatch):
    monkeypatch.setattr(embeddings, "current_embedder", embeddings.none)
    with pytest.raises(CommandError, match="There is no embedding model"):
        reembed()
