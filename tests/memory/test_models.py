"""Constraints, indexes and cascades of the tables."""

import pytest
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.utils import timezone

from memory.models import Memory, MemoryEvent, MemoryPolicy
from memory.models.embedded import NO_VECTOR
from people.models import User
from tests.conversations import transcripts
from tests.factories import MemoryFactory, SpaceFactory, UserFactory

pytestmark = pytest.mark.django_db


def refused(**fields):
    with pytest.raises((IntegrityError, DataError, ValueError)), transaction.atomic():
        MemoryFactory(**fields)
    return True


@pytest.mark.req("S0-34")
def test_500_characters_fit_and_501_do_not():
    MemoryFactory(content="x" * 500)
    assert refused(content="x" * 501)
    with pytest.raises(ValidationError, match="500"):
        Memory(content="x" * 501).clean_fields(
            exclude=[f.name for f in Memory._meta.fields if f.name != "content"]
        )


@pytest.mark.req("S0-33", "S0-35", "S0-36")
@pytest.mark.parametrize(
    "fields",
    [
        {"user": None, "linked": False},
        {"space": None, "linked": False},
        {"vector": NO_VECTOR},
        {"content_hash": None},
        {"vector": NO_VECTOR[:3] + 0.1},
    ],
    ids=["user", "space", "vector", "hash", "width"],
)
def test_memory_without_a_required_value_is_refused(fields):
    assert refused(**fields)


@pytest.mark.req("S0-37")
def test_only_known_sources():
    MemoryFactory(source="manual")
    assert refused(source="guess")


@pytest.mark.req("S0-27", "S0-29", "S0-42", "S3-08")
def test_one_row_for_a_sentence_of_a_user_in_a_space():
    memory = MemoryFactory(content="User is vegan")
    owner = {"user": memory.user, "space": memory.space}
    assert refused(content=" user is VEGAN ", **owner)
    MemoryFactory(content="User is vegan", user=memory.user)
    MemoryFactory(content="User is vegan", space=memory.space)


@pytest.mark.req("S0-39")
@pytest.mark.parametrize(
    "fields",
    [
        {"active": False},
        {"active": True, "retired_reason": "archived"},
        {"active": False, "retired_reason": "archived"},
        {"active": False, "retired_reason": "bored", "retired_at": timezone.now()},
        {"active": True, "retired_at": timezone.now()},
    ],
)
def test_active_if_and_only_if_not_retired(fields):
    assert refused(**fields)


@pytest.mark.req("S3-05")
def test_lore_has_no_user():
    assert refused(audience="space")
    assert refused(audience="everyone")


@pytest.mark.req("S0-25", "S0-26", "S0-40", "S0-42")
def test_the_indexes_of_the_document():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'memories'"
        )
        indexes = dict(cursor.fetchall())
        cursor.execute(
            "SELECT column_name, generation_expression FROM"
            " information_schema.columns WHERE table_name = 'memories'"
            " AND is_generated = 'ALWAYS'"
        )
        generated = dict(cursor.fetchall())
    assert "(user_id, space_id)" in indexes["memories_user_space"]
    assert "UNIQUE" in indexes["memories_hash_user_space_unique"]
    hnsw = indexes["memories_near_hnsw"]
    assert "USING hnsw (near halfvec_cosine_ops)" in hnsw
    assert "m='16', ef_construction='64'" in hnsw
    assert hnsw.endswith("WHERE ann")
    assert "USING gin (content_tsv)" in indexes["memories_content_tsv_gin"]
    assert "'simple'" in generated["content_tsv"]
    assert set(generated) == {"content_tsv", "evidence_tsv"}


@pytest.mark.parametrize("table", ["memories", "message_index"])
def test_short_vectors_stay_in_their_rows_beside_long_texts(table, ann, home):
    longest = "".join(chr(0x400 + (31 * n) % 256) for n in range(500))
    MemoryFactory(user=ann, space=home, content=longest, evidence=longest)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attstorage FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attname = 'near'",
            [table],
        )
        assert cursor.fetchone() == ("p",)
        cursor.execute("SELECT pg_column_toast_chunk_id(near) FROM memories")
        assert cursor.fetchone() == (None,)


@pytest.mark.req("S0-38", "B-09")
def test_a_memory_outlives_the_message_it_comes_from(ann, home):
    conversation = transcripts.start_conversation(ann, home)
    message = transcripts.say(conversation, "user", "I am vegan")
    memory = MemoryFactory(user=ann, space=home, source_message=message)
    message.delete()
    memory.refresh_from_db()
    assert memory.source_message is None


@pytest.mark.req("B-19")
def test_a_users_memories_go_with_the_user_and_a_spaces_with_the_space():
    ann, home = UserFactory(), SpaceFactory()
    MemoryFactory(user=ann)
    MemoryFactory(space=home)
    ann.delete()
    home.delete()
    assert not Memory.objects.exists()
    assert User.objects.exists()


def test_memories_are_named_by_their_first_words_and_rows_by_times(ann, home):
    memory = MemoryFactory(user=ann, space=home, content="User is vegan")
    event = MemoryEvent.objects.create(kind="memory_forget", user=ann)
    assert str(memory) == "User is vegan"
    assert str(memory.links.get())
    assert str(event).startswith("Forgotten, ")
    assert str(MemoryPolicy(space=home)) == "Home"
